// chapters/07_block/program/calculator.cpp · what a published model computes and keeps for a sequence of any length
#include <fmt/format.h>

#include "chapters/07_block/cost.hpp"
#include "chapters/07_block/program/options.hpp"
#include "common/base/array.hpp"

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

double bytes_of(std::size_t floats) {
    return static_cast<double>(sizeof(float)) * static_cast<double>(floats);
}

void add_line(Table& table, const std::string& part, const CostLine& cost) {
    const auto or_dash = [](std::size_t count, double number) {
        return count == 0 ? Cell("-") : Cell(number);
    };
    table.add({part, or_dash(cost.parameters, static_cast<double>(cost.parameters)),
               or_dash(cost.flops, static_cast<double>(cost.flops)),
               or_dash(cost.floats, bytes_of(cost.floats))});
}

std::string sizes_of(const PublishedModel& m) {
    const std::string shared =
        m.block.grouped() ? fmt::format(" ({} of keys and values)", m.block.kv_heads()) : "";
    return fmt::format("{} blocks, d_model {}, {} heads{}, d_ff {}, {} tokens", m.layers, m.d(),
                       m.block.num_heads, shared, m.block.d_ff, with_separators(m.vocabulary));
}

void note_memory(Report& report, const PublishedModel& m, std::size_t seq) {
    const auto text = [](std::size_t floats) { return in_bytes(bytes_of(floats)); };
    report.note(fmt::format("The parameters take {} as float32.", text(total_parameters(m))));
    if (!m.writes) return;
    const std::size_t kept = checked_product({2, m.layers, seq, m.block.d_kv()});
    const std::string otherwise = m.block.grouped() ? "; with as many heads of keys as of queries " +
                                                          text(checked_product({2, m.layers, seq, m.d()}))
                                                    : "";
    report.note(fmt::format("Keys and values kept while it writes: {}{}.", text(kept), otherwise));
}

Table table_of(const PublishedModel& m, std::size_t seq) {
    const BlockParameters parameters = block_parameters(m.block);
    const AttentionFlops counted = attention_flops(m.block, 1, seq, seq);
    const BlockActivations kept = block_activations(m.block, 1, seq);
    const CostLine attention{parameters.attention + parameters.norm, counted.projections, kept.attention};
    const CostLine scores{0, counted.scores + counted.weighted_sum, kept.weights};
    const CostLine network{parameters.feed_forward + parameters.norm, feed_forward_flops(m.block, 1, seq),
                           kept.feed_forward};
    const CostLine block = attention + scores + network, blocks = block.times(m.layers);
    CostLine rest{total_parameters(m) - blocks.parameters, 0, 0};
    if (m.writes) {
        rest.flops = checked_product({2, seq, m.d(), m.vocabulary});
        rest.floats = checked_product({seq, m.vocabulary});
    }
    Table table{.columns = {{""}, {"parameters", thousands()}, {"FLOPs", flops()}, {"bytes kept", bytes()}}};
    add_line(table, "attention: norm, projections, sum", attention);
    add_line(table, "attention: scores, weighted sum", scores);
    add_line(table, "feed-forward sublayer", network);
    add_line(table, "= one block", block);
    add_line(table, fmt::format("{} blocks", m.layers), blocks);
    add_line(table, m.writes ? "embedding, logits" : "embedding, pooler", rest);
    add_line(table, "= the model", blocks + rest);
    return table;
}

Report show_model_costs(const Request& request) {
    const std::string& name = request[options::model];
    const PublishedModel& m = published_model(name.empty() ? "gpt2" : name);  // --section alone names none
    const std::size_t seq = request[options::seq];
    Report report;
    report.note(
        fmt::format("{}, one sequence of {} positions\n{}", m.title, with_separators(seq), sizes_of(m)));
    report.add(table_of(m, seq));
    report.note(
        "FLOPs: one forward pass, products of matrices only. Bytes kept: for the backward pass, float32.");
    note_memory(report, m, seq);
    if (m.positions > 0 && seq > m.positions)
        report.note(
            fmt::format("{} has positions for {} tokens only.", m.title, with_separators(m.positions)));
    return report;
}

Report show_sizes(const Request&) {
    Table table{.columns = {{"model"},
                            {"parameters", thousands()},
                            {"blocks x d_model", whole()},
                            {"heads (of keys)", whole()},
                            {"d_ff", whole()}}};
    for (const PublishedModel& m : published_models())
        table.add({m.title, total_parameters(m), fmt::format("{} x {}", m.layers, m.d()),
                   fmt::format("{} ({})", m.block.num_heads, m.block.kv_heads()), m.block.d_ff});
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections calculator_sections() {
    return {{"model", "What a published model costs", show_model_costs, {options::model, options::seq}},
            {"sizes", "Published models: sizes", show_sizes, {}, Level::deeper}};
}

}  // namespace tfs
