// chapters/07_block/program/cost_shares.cpp · which part of a block computes how much
#include "chapters/07_block/cost.hpp"
#include "chapters/07_block/program/options.hpp"

namespace tfs {

namespace {

Bar flops_by_part(const std::string& name, const BlockConfig& config, std::size_t seq) {
    const AttentionFlops flops = attention_flops(config, 1, seq, seq);
    return {name,
            {static_cast<double>(flops.projections), static_cast<double>(flops.scores + flops.weighted_sum),
             static_cast<double>(feed_forward_flops(config, 1, seq))}};
}

// The FLOPs of a block of GPT-2 by length.
BarFigure figure_of_parts() {
    BarFigure figure{
        .name = "parts",
        .title = "The longer the text, the larger the share of scores and weighted sum",
        .panels = {{.title = "FLOPs of one block of GPT-2",
                    .value_axis = "share of the FLOPs, %",
                    .parts = {{"attention: projections", Hue::attention},
                              {"attention: scores and sum", Hue::output},
                              {"feed-forward network", Hue::feed_forward}},
                    .share = true}},
        .caption =
            "At GPT-2's own 1,024 positions the feed-forward network and the projections cost the "
            "most. Scores and sum grow with the square of the length: half at 4,608 positions. "
            "Right of each bar: all FLOPs (G: 10⁹, T: 10¹²)."};
    for (const std::size_t seq : {128u, 1024u, 4608u, 16384u, 65536u})
        figure.panels[0].bars.push_back(
            flops_by_part(with_separators(seq) + " positions", gpt2_block(), seq));
    return figure;
}

Report show_cost_shares(const Request&) {
    Table table{
        .columns = {{"length", thousands()}, {"FLOPs", flops()}, {"in scores and sum", fixed(1, " %")}}};
    const BlockConfig config = gpt2_block();
    for (const std::size_t seq : {128u, 512u, 1024u, 2048u, 4608u, 16384u, 65536u}) {
        const AttentionFlops attention = attention_flops(config, 1, seq, seq);
        const std::size_t all = attention.total() + feed_forward_flops(config, 1, seq);
        const std::size_t quadratic = attention.scores + attention.weighted_sum;
        table.add({seq, all, 100.0 * static_cast<double>(quadratic) / static_cast<double>(all)});
    }
    Report report;
    report.add(table);
    report.add(figure_of_parts());
    return report;
}

}  // namespace

Sections cost_shares_sections() {
    return {{"cost-shares",
             "Which part of a block of GPT-2 costs how much, one sequence",
             show_cost_shares,
             {},
             Level::deeper}};
}

}  // namespace tfs
