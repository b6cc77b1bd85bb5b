// chapters/03_positional_encoding/program/length_limits.cpp · what becomes of learned rows, sinusoids and rotary angles past the trained length
#include "chapters/03_positional_encoding/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "chapters/03_positional_encoding/program/frequency.hpp"

namespace tfs {

namespace {

double distance(const float* a, const float* b, std::size_t size) {
    double total = 0.0;
    for (std::size_t i = 0; i < size; ++i) total += std::pow(static_cast<double>(a[i]) - b[i], 2.0);
    return std::sqrt(total);
}

}  // namespace

void count_slow_pairs(Show& show, std::size_t d_k, std::size_t length) {
    fmt::print(show.out, "  {:<26} {:>6} {:>9} {:>8} {:>22}\n", "", "d_k", "theta", "length",
               "pairs without a turn");
    const auto row = [&](const char* name, std::size_t width, double theta, std::size_t trained) {
        std::size_t slow = 0;
        for (std::size_t i = 0; i < width / 2; ++i) {
            const double turn = 2.0 * std::numbers::pi / frequency(i, width, theta);
            slow += turn > static_cast<double>(trained);
        }
        fmt::print(show.out, "  {:<26} {:>6} {:>9.0f} {:>8} {:>15} of {:>3}\n", name, width, theta, trained,
                   slow, width / 2);
    };
    row("this program", d_k, 10000.0, length);
    row("LLaMA", 128, 10000.0, 2048);
    row("Llama 2", 128, 10000.0, 4096);
    row("Llama 3", 128, 500000.0, 8192);
}

void measure_unseen_rows(Show& show) {
    const std::size_t d_model = show.options.d_model;
    constexpr std::size_t trained = 64;
    Rng rng(show.options.seed);
    fmt::print(show.out, "  Past the end of a table of {} rows, whatever --max-len is:\n", trained);
    try {
        (void)LearnedPositionalEmbedding(d_model, trained, rng)(Tensor::zeros({1, trained + 1, d_model}));
    } catch (const ValueError& error) {
        for (const std::string& line : wrap(fmt::format("learned: {}", error.what()), screen_columns - 2))
            fmt::print(show.out, "  {}\n", line);
    }
    const SinusoidalPositionalEncoding encoding(d_model, 4 * trained);
    const auto row = [&](std::size_t pos) { return encoding.table.values().data() + pos * d_model; };
    fmt::print(show.out,
               "  sinusoids: seen rows next to each other are {:.2f} apart; the nearest seen row is\n",
               distance(row(0), row(1), d_model));
    for (const std::size_t pos : {trained, 3 * trained / 2, 2 * trained, 4 * trained - 1}) {
        double nearest = INFINITY;
        for (std::size_t seen = 0; seen < trained; ++seen)
            nearest = std::min(nearest, distance(row(pos), row(seen), d_model));
        fmt::print(show.out, "    {:.2f} away from that of position {}\n", nearest, pos);
    }
}

}  // namespace tfs
