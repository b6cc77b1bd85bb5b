// chapters/07_block/program/parameter_items.cpp · published models counted item by item, from a short formula that leaves much out
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

#include "chapters/07_block/cost.hpp"
#include "chapters/07_block/program/options.hpp"

namespace tfs {

namespace {

// What much code takes for the parameters of a model: an embedding, and for each block four matrices of attention, two of
// the network and two vectors of norms.
std::size_t short_formula(const PublishedModel& m) {
    const std::size_t d = m.d();
    return m.vocabulary * d + m.layers * (4 * d * d + 2 * d * m.block.d_ff + 2 * d);
}

// What is added may be negative: unsigned numbers wrap around, and the sums are right again.
struct CountedItem {
    const char* name;
    std::function<std::size_t(const PublishedModel&)> count;
};

const std::vector<CountedItem>& counted_items() {
    static const std::vector<CountedItem> all = {
        {"the short formula", short_formula},
        {"+ beta of both norms",
         [](const PublishedModel& m) { return m.layers * 2 * (block_parameters(m.block).norm - m.d()); }},
        {"+ fewer heads of keys and values",
         [](const PublishedModel& m) { return m.layers * 2 * m.d() * (m.block.d_kv() - m.d()); }},
        {"+ biases of attention",
         [](const PublishedModel& m) {
             const std::size_t matrices = 2 * m.d() * (m.d() + m.block.d_kv());
             return m.layers * (block_parameters(m.block).attention - matrices);
         }},
        {"+ biases of the network",
         [](const PublishedModel& m) {
             const std::size_t matrices = m.block.feed_forward == FeedForwardKind::swiglu ? 3 : 2;
             return m.layers * (block_parameters(m.block).feed_forward - matrices * m.d() * m.block.d_ff);
         }},
        {"+ SwiGLU's third matrix",
         [](const PublishedModel& m) {
             const bool gated = m.block.feed_forward == FeedForwardKind::swiglu;
             return gated ? m.layers * m.d() * m.block.d_ff : 0;
         }},
        {"+ learned positions, segments",
         [](const PublishedModel& m) { return (m.positions + m.segments) * m.d(); }},
        {"+ norm beside the blocks",
         [](const PublishedModel& m) { return m.other_norms * block_parameters(m.block).norm; }},
        {"+ pooler", [](const PublishedModel& m) { return m.pooler ? m.d() * m.d() + m.d() : 0; }},
        {"+ output table of its own",
         [](const PublishedModel& m) { return m.untied_output ? m.vocabulary * m.d() : 0; }}};
    return all;
}

std::size_t sum_of_items(const PublishedModel& model) {
    std::size_t sum = 0;
    for (const CountedItem& item : counted_items()) sum += item.count(model);
    return sum;
}

Cell count_or_dash(std::size_t count) {
    return count == 0 ? Cell("-") : Cell(static_cast<std::ptrdiff_t>(count));
}

// A column for each model.
Table table_of(std::span<const PublishedModel> models) {
    Table table{.columns = {{""}}};
    for (const PublishedModel& model : models) table.columns.push_back({model.title, thousands()});
    const auto add = [&](const CountedItem& item) {
        std::vector<Cell> row{item.name};
        for (const PublishedModel& model : models) row.push_back(count_or_dash(item.count(model)));
        table.add(row);
    };
    for (const CountedItem& item : counted_items()) add(item);
    add({"= sum", sum_of_items});
    add({"published", [](const PublishedModel& m) { return m.published; }});
    add({"of which one block", [](const PublishedModel& m) { return block_parameters(m.block).total(); }});
    return table;
}

Report show_items(const Request&) {
    const std::vector<PublishedModel>& all = published_models();
    constexpr std::size_t side_by_side = 3;
    Report report;
    for (std::size_t first = 0; first < all.size(); first += side_by_side)
        report.add(table_of(std::span(all).subspan(first, std::min(side_by_side, all.size() - first))));
    const auto equal = std::count_if(all.begin(), all.end(), [](const PublishedModel& model) {
        return sum_of_items(model) == model.published;
    });
    report.note(fmt::format("check  the sum is the published number in {} of {} models", equal, all.size()));
    return report;
}

}  // namespace

Sections parameter_items_sections() {
    return {{"parameters",
             "Published models, and what a short formula leaves out",
             show_items,
             {},
             Level::deeper}};
}

}  // namespace tfs
