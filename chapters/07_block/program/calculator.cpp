// chapters/07_block/program/calculator.cpp · what a published model computes and keeps for a sequence of any length
#include <fmt/ostream.h>

#include "chapters/07_block/cost.hpp"
#include "chapters/07_block/models/published_models.hpp"
#include "chapters/07_block/program/sections.hpp"

namespace tfs {

namespace {

// What one part costs; 0: nothing.
struct CostLine {
    std::size_t parameters = 0, flops = 0, floats = 0;

    CostLine operator+(const CostLine& other) const {
        return {checked_sum({parameters, other.parameters}), checked_sum({flops, other.flops}),
                checked_sum({floats, other.floats})};
    }
    CostLine times(std::size_t n) const {
        return {checked_product({n, parameters}), checked_product({n, flops}), checked_product({n, floats})};
    }
};

std::string bytes_of(std::size_t floats) {
    return in_bytes(static_cast<double>(sizeof(float)) * static_cast<double>(floats));
}

void print_line(std::ostream& out, const std::string& part, const CostLine& cost) {
    const auto or_dash = [](std::size_t count, const std::string& text) { return count == 0 ? "-" : text; };
    fmt::print(out, "  {:<34}{:>16}{:>14}{:>14}\n", part,
               or_dash(cost.parameters, with_separators(cost.parameters)),
               or_dash(cost.flops, in_flops(static_cast<double>(cost.flops))),
               or_dash(cost.floats, bytes_of(cost.floats)));
}

std::string sizes_of(const PublishedModel& m) {
    const std::string shared =
        m.block.grouped() ? fmt::format(" ({} of keys and values)", m.block.kv_heads()) : "";
    return fmt::format("{} blocks, d_model {}, {} heads{}, d_ff {}, {} tokens", m.layers, m.d(),
                       m.block.num_heads, shared, m.block.d_ff, with_separators(m.vocabulary));
}

void print_memory(std::ostream& out, const PublishedModel& m, std::size_t seq) {
    fmt::print(out, "  The parameters take {} as float32.\n", bytes_of(total_parameters(m)));
    if (!m.writes) return;
    const std::size_t kept = checked_product({2, m.layers, seq, m.block.d_kv()});
    fmt::print(out, "  Keys and values kept while it writes: {}", bytes_of(kept));
    if (m.block.grouped())
        fmt::print(out, "; with as many heads of keys as of queries {}",
                   bytes_of(checked_product({2, m.layers, seq, m.d()})));
    out << ".\n";
}

}  // namespace

void show_costs_of(Show& show, const PublishedModel& m, std::size_t seq) {
    const BlockParameters parameters = block_parameters(m.block);
    const AttentionFlops flops = attention_flops(m.block, 1, seq, seq);
    const BlockActivations kept = block_activations(m.block, 1, seq);
    const CostLine attention{parameters.attention + parameters.norm, flops.projections, kept.attention};
    const CostLine scores{0, flops.scores + flops.weighted_sum, kept.weights};
    const CostLine network{parameters.feed_forward + parameters.norm, feed_forward_flops(m.block, 1, seq),
                           kept.feed_forward};
    const CostLine block = attention + scores + network, blocks = block.times(m.layers);
    CostLine rest{total_parameters(m) - blocks.parameters, 0, 0};
    if (m.writes) {
        rest.flops = checked_product({2, seq, m.d(), m.vocabulary});
        rest.floats = checked_product({seq, m.vocabulary});
    }
    fmt::print(show.out, "  {}\n\n", sizes_of(m));
    fmt::print(show.out, "  {:<34}{:>16}{:>14}{:>14}\n", "", "parameters", "FLOPs", "bytes kept");
    print_line(show.out, "attention: norm, projections, sum", attention);
    print_line(show.out, "attention: scores, weighted sum", scores);
    print_line(show.out, "feed-forward half", network);
    print_line(show.out, "= one block", block);
    print_line(show.out, fmt::format("{} blocks", m.layers), blocks);
    print_line(show.out, m.writes ? "embedding, logits" : "embedding, pooler", rest);
    print_line(show.out, "= the model", blocks + rest);
    show.out << "\n  FLOPs: one forward pass, products of matrices only. Bytes kept: for the backward pass, "
                "float32.\n";
    print_memory(show.out, m, seq);
    if (m.positions > 0 && seq > m.positions)
        fmt::print(show.out, "  {} has positions for {} tokens only.\n", m.title,
                   with_separators(m.positions));
}

void compare_sizes(Show& show) {
    fmt::print(show.out, "  {:<16}{:>16}{:>20}{:>22}{:>10}\n", "model", "parameters", "blocks x d_model",
               "heads (of keys)", "d_ff");
    for (const PublishedModel& m : published_models())
        fmt::print(show.out, "  {:<16}{:>16}{:>20}{:>22}{:>10}\n", m.title,
                   with_separators(total_parameters(m)), fmt::format("{} x {}", m.layers, m.d()),
                   fmt::format("{} ({})", m.block.num_heads, m.block.kv_heads()), m.block.d_ff);
}

}  // namespace tfs
