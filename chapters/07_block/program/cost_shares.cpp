// chapters/07_block/program/cost_shares.cpp · which part of a block computes and keeps how much
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

// The FLOPs of the published blocks, and of one of them by length.
BarFigure figure_of_parts() {
    BarFigure figure{.name = "parts",
                     .title = "What the parts of a block cost",
                     .panels_per_row = 1,
                     .caption =
                         "At common lengths the feed-forward network and the projections cost the most. "
                         "Scores and sum grow with the square of the length: in GPT-2 they are half of the "
                         "FLOPs at 4,608 positions. Right of each bar: all FLOPs of the block (G: 10⁹, T: "
                         "10¹²)."};
    const auto panel = [](const std::string& title) {
        return BarPanel{.title = title,
                        .value_axis = "share of the FLOPs, %",
                        .parts = {{"attention: projections", Hue::attention},
                                  {"attention: scores and sum", Hue::output},
                                  {"feed-forward network", Hue::feed_forward}},
                        .share = true};
    };
    figure.panels = {panel("FLOPs of one block, 1,024 positions (BERT's own limit is 512)"),
                     panel("FLOPs of one block of GPT-2, by the number of positions")};
    for (const auto& [name, config] : {std::pair{"Vaswani et al.", original_block()},
                                       {"BERT-base", bert_block()},
                                       {"GPT-2", gpt2_block()},
                                       {"LLaMA-7B", llama_block()},
                                       {"Qwen-7B", qwen_block()}}) {
        figure.panels[0].bars.push_back(flops_by_part(name, config, 1024));
    }
    for (const std::size_t seq : {128u, 1024u, 4608u, 16384u, 65536u})
        figure.panels[1].bars.push_back(
            flops_by_part(with_separators(seq) + " positions", gpt2_block(), seq));
    return figure;
}

double percent(std::size_t part, std::size_t all) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

Report show_cost_shares(const Request&) {
    Table table{.columns = {{"length", thousands()},
                            {"FLOPs", flops()},
                            {"in scores and sum", fixed(1, " %")},
                            {"bytes kept", bytes()},
                            {"in attention weights", fixed(1, " %")}}};
    const BlockConfig config = gpt2_block();
    for (const std::size_t seq : {128u, 512u, 1024u, 2048u, 4608u, 16384u, 65536u}) {
        const AttentionFlops attention = attention_flops(config, 1, seq, seq);
        const std::size_t all = attention.total() + feed_forward_flops(config, 1, seq);
        const BlockActivations kept = block_activations(config, 1, seq);
        table.add({seq, all, percent(attention.scores + attention.weighted_sum, all),
                   sizeof(float) * kept.total(), percent(kept.weights, kept.total())});
    }
    Report report;
    report.add(table);
    report.add(figure_of_parts());
    return report;
}

}  // namespace

Section cost_shares() {
    return {.id = "cost-shares",
            .title = "Which part of a block of GPT-2 costs how much, one sequence",
            .level = Level::deeper,
            .run = show_cost_shares};
}

}  // namespace tfs
