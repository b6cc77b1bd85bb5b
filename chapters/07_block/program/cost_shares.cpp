// chapters/07_block/program/cost_shares.cpp · which part of a block holds, computes and keeps how much
#include "chapters/07_block/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/07_block/cost.hpp"

namespace tfs {

namespace {

// "32.4 %"
std::string share(std::size_t part, std::size_t whole) {
    return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

Bar flops_by_part(const std::string& name, const BlockConfig& config, std::size_t seq) {
    const AttentionFlops flops = attention_flops(config, 1, seq, seq);
    return {name,
            {static_cast<double>(flops.projections), static_cast<double>(flops.scores + flops.weighted_sum),
             static_cast<double>(feed_forward_flops(config, 1, seq))}};
}

// Parameters and FLOPs of the published blocks, and the FLOPs of one of them by length.
BarFigure figure_of_parts() {
    BarFigure figure{.name = "parts",
                     .title = "What the parts of a block cost",
                     .panels_per_row = 1,
                     .caption =
                         "At common lengths the feed-forward network and the projections cost the most. "
                         "Scores and sum grow with the square of the length: in GPT-2 they are half of the "
                         "FLOPs at 4,608 positions. Right of each bar: all FLOPs of the block (G: 10⁹, T: "
                         "10¹²)."};
    const std::vector<std::string> parts{"attention: projections", "attention: scores and sum",
                                         "feed-forward network"};
    figure.panels = {{"FLOPs of one block, 1,024 positions (BERT's own limit is 512)",
                      "share of the FLOPs, %",
                      parts,
                      {},
                      true},
                     {"FLOPs of one block of GPT-2, by the number of positions",
                      "share of the FLOPs, %",
                      parts,
                      {},
                      true}};
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

void print_shares(std::ostream& out, const BlockConfig& config, std::size_t seq) {
    const AttentionFlops attention = attention_flops(config, 1, seq, seq);
    const std::size_t network = feed_forward_flops(config, 1, seq), all = attention.total() + network;
    const BlockActivations kept = block_activations(config, 1, seq);
    fmt::print(out, "  {:>8}{:>14}{:>22}{:>14}{:>22}\n", with_separators(seq),
               in_flops(static_cast<double>(all)), share(attention.scores + attention.weighted_sum, all),
               in_bytes(4.0 * static_cast<double>(kept.total())), share(kept.weights, kept.total()));
}

}  // namespace

BarFigure show_cost_shares(Show& show) {
    fmt::print(show.out, "  {:>8}{:>14}{:>22}{:>14}{:>22}\n", "length", "FLOPs", "in scores and sum",
               "bytes kept", "in attention weights");
    for (const std::size_t seq : {128u, 512u, 1024u, 2048u, 4608u, 16384u, 65536u})
        print_shares(show.out, gpt2_block(), seq);
    return figure_of_parts();
}

}  // namespace tfs
