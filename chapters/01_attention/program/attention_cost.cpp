// chapters/01_attention/program/attention_cost.cpp · what attention costs against the length of the sequence, measured
#include <fmt/format.h>

#include "chapters/01_attention/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t heads = 4, d_k = 64;

struct Inputs {
    Tensor q, k, v;  // (1, heads, length, d_k)
};

Inputs inputs_of_length(std::size_t length, Rng& rng) {
    const auto draw = [&] { return Tensor(rng.normal_array({1, heads, length, d_k})); };
    const Tensor q = draw(), k = draw(), v = draw();
    return {q, k, v};
}

// The times of attention at each length, on one core.
Rounds time_lengths(const std::vector<std::size_t>& lengths, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<std::function<void()>> calls;
    for (const std::size_t length : lengths) {
        calls.push_back([inputs = inputs_of_length(length, rng)] {
            (void)scaled_dot_product_attention(inputs.q, inputs.k, inputs.v);
        });
    }
    const NoGrad no_grad;
    return measure_in_turns(calls);
}

Report show_cost(const Request& request) {
    const std::vector<std::size_t> lengths{64, 128, 256, 512, 1024, 2048};
    const Rounds rounds = time_lengths(lengths, request[options::seed]);
    Report report;
    report.note(fmt::format("{} heads of d_k = {}, on one core", heads, d_k));
    Table table{.columns = {{"T", whole()},
                            {"time", significant(3), "ms"},
                            {"against T/2", ratios()},
                            {"weights", whole(), "KiB"}}};
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const double length = static_cast<double>(lengths[i]);
        table.add({lengths[i], ratio(rounds[i], Seconds(rounds[i].size(), 1e-3)),
                   i == 0 ? Cell() : Cell(ratio(rounds[i], rounds[i - 1])),
                   static_cast<double>(heads) * length * length * sizeof(float) / 1024.0});
    }
    report.add(table);
    BarPanel panel{.title = "attention with 4 heads of 64, on one core",
                   .value_axis = "time, ms",
                   .parts = {{"time", Hue::attention}}};
    for (std::size_t i = 2; i < lengths.size(); ++i)  // the times before could not be seen
        panel.bars.push_back({fmt::format("{} tokens", lengths[i]), {1e3 * quartiles(rounds[i]).median}});
    report.add(BarFigure{.name = "cost",
                         .title = "Twice the length takes about four times as long",
                         .panels = {panel},
                         .caption = "Each bar is about four times as long as the one above it."});
    return report;
}

}  // namespace

Sections attention_cost_sections() {
    return {{"cost",
             "The cost is quadratic in the length (times differ from run to run)",
             show_cost,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
