// chapters/05_feed_forward/program/network_sizes.cpp · feed-forward networks of several widths: their parameters and operations
#include <fmt/format.h>

#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t d = 768;

// `matrices` of d d_ff weights each, of which each takes two operations per token.
void add_size(Table& table, const std::string& name, std::size_t d_ff, std::size_t matrices,
              const Parameters& parameters) {
    constexpr std::size_t attention = 4 * (d * d + d);
    const std::size_t counted = count_parameters(parameters);
    table.add({name, d_ff, counted, 2e-6 * static_cast<double>(matrices * d * d_ff),
               100.0 * static_cast<double>(counted) / static_cast<double>(counted + attention)});
}

// How much of two models are 12 networks of ratio 4.
std::string share_of_models() {
    constexpr std::size_t in_twelve = 12 * (2 * d * 4 * d + 4 * d + d);
    const auto share = [](std::size_t model) {
        return 100.0 * static_cast<double>(in_twelve) / static_cast<double>(model);
    };
    return fmt::format(
        "12 networks of ratio 4: {} parameters, {:.1f} % of GPT-2 small, {:.1f} % of BERT-base",
        with_separators(in_twelve), share(124'439'808), share(109'482'240));
}

Report show_sizes(const Request&) {
    Rng none = Rng::zeros();
    Table table{.columns = {{"network"},
                            {"d_ff", whole()},
                            {"parameters", thousands()},
                            {"MFLOP per token", fixed(2)},
                            {"share of a block", fixed(1), "%"}}};
    for (const std::size_t ratio : {1u, 2u, 4u, 8u})
        add_size(table, fmt::format("plain, ratio {}", ratio), ratio * d, 2,
                 FeedForward(d, ratio * d, none).parameters());
    const std::size_t two_thirds = swiglu_hidden_size(4 * d, 64);
    add_size(table, "SwiGLU, ratio 4", 4 * d, 3, SwiGLU(d, 4 * d, none).parameters());
    add_size(table, "SwiGLU, 2/3 of 4", two_thirds, 3, SwiGLU(d, two_thirds, none).parameters());
    Report report;
    report.add(table);
    report.note(share_of_models());
    return report;
}

}  // namespace

Sections network_sizes_sections() {
    return {{"sizes", "Parameters and operations at d_model 768", show_sizes, {}, Level::deeper}};
}

}  // namespace tfs
