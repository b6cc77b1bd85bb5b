// chapters/03_positional_encoding/program/length_limits.cpp · what becomes of learned rows, sinusoids and rotary angles past the trained length
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

// How many pairs turn less than once within the trained length.
Table slow_pairs(std::size_t own_width, std::size_t own_length) {
    Table table{.columns = {{"model"},
                            {"d_k", whole()},
                            {"theta", whole()},
                            {"length", whole()},
                            {"pairs", whole()},
                            {"pairs without a turn", whole()}}};
    const auto add = [&](const char* name, std::size_t width, double theta, std::size_t trained) {
        std::size_t slow = 0;
        for (std::size_t i = 0; i < width / 2; ++i)
            slow += 2.0 * std::numbers::pi / frequency(i, width, theta) > static_cast<double>(trained);
        table.add({name, width, theta, trained, width / 2, slow});
    };
    add("this program", own_width, 10000.0, own_length);
    add("LLaMA", 128, 10000.0, 2048);
    add("Llama 2", 128, 10000.0, 4096);
    add("Llama 3", 128, 500000.0, 8192);
    return table;
}

// What a learned table says past its end, and how far the sinusoids of unseen positions lie from all seen ones.
Report unseen_rows(std::size_t d_model, std::uint64_t seed) {
    constexpr std::size_t trained = 64;
    Report report;
    Rng rng(seed);
    try {
        (void)LearnedPositionalEmbedding(d_model, trained, rng)(Tensor::zeros({1, trained + 1, d_model}));
    } catch (const ValueError& error) {
        report.note(fmt::format("learned: {}", error.what()));
    }
    const Tensor rows = SinusoidalPositionalEncoding(d_model, 4 * trained).table;
    const auto distance = [&](std::size_t a, std::size_t b) {
        const Tensor between = slice(rows, 0, a, a + 1) - slice(rows, 0, b, b + 1);
        return std::sqrt(dot(between.values(), between.values()));
    };
    report.note(fmt::format("sinusoids: seen rows next to each other are {:.2f} apart", distance(0, 1)));
    Table table{.columns = {{"position", whole()}, {"distance to the nearest seen row", fixed(2)}}};
    for (const std::size_t pos : {trained, 3 * trained / 2, 2 * trained, 4 * trained - 1}) {
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t seen = 0; seen < trained; ++seen) nearest = std::min(nearest, distance(pos, seen));
        table.add({pos, nearest});
    }
    report.add(table);
    return report;
}

Report show_limits(const Request& request) {
    const std::size_t d_model = request[options::d_model];
    Report report;
    report.note("Past the end of a table of 64 rows, whatever --max-len is:");
    report.add(part_or_gap([&] { return unseen_rows(d_model, request[options::seed]); }));
    report.add(slow_pairs(d_model / request[options::heads], request[options::max_len]));
    return report;
}

}  // namespace

Sections length_limits_sections() {
    return {{"length-limits",
             "Past the trained length",
             show_limits,
             {options::heads, options::d_model, options::max_len, options::seed},
             Level::deeper}};
}

}  // namespace tfs
