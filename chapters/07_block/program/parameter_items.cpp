// chapters/07_block/program/parameter_items.cpp · published models counted item by item, from a short formula that leaves much out
#include <fmt/ostream.h>

#include <algorithm>
#include <functional>
#include <span>

#include "chapters/07_block/cost.hpp"
#include "chapters/07_block/models/published_models.hpp"
#include "chapters/07_block/program/sections.hpp"

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

std::string signed_count(std::size_t count) {
    const auto number = static_cast<std::ptrdiff_t>(count);
    if (number == 0) return "-";
    return number < 0 ? "-" + with_separators(static_cast<std::size_t>(-number)) : with_separators(count);
}

void print_counts(std::ostream& out, const std::string& name, std::span<const PublishedModel> models,
                  const std::function<std::size_t(const PublishedModel&)>& count) {
    fmt::print(out, "  {:<32}", name);
    for (const PublishedModel& model : models) fmt::print(out, "{:>16}", signed_count(count(model)));
    out << '\n';
}

std::size_t sum_of_items(const PublishedModel& model) {
    std::size_t sum = 0;
    for (const CountedItem& item : counted_items()) sum += item.count(model);
    return sum;
}

void print_models(std::ostream& out, std::span<const PublishedModel> models) {
    fmt::print(out, "  {:<32}", "");
    for (const PublishedModel& model : models) fmt::print(out, "{:>16}", model.title);
    out << '\n';
    for (const CountedItem& item : counted_items()) print_counts(out, item.name, models, item.count);
    print_counts(out, "= sum", models, sum_of_items);
    print_counts(out, "published", models, [](const PublishedModel& m) { return m.published; });
    print_counts(out, "of which one block", models,
                 [](const PublishedModel& m) { return block_parameters(m.block).total(); });
}

}  // namespace

void count_published_models(Show& show) {
    const std::vector<PublishedModel>& all = published_models();
    constexpr std::size_t side_by_side = 3;
    std::size_t equal = 0;
    for (std::size_t first = 0; first < all.size(); first += side_by_side)
        print_models(show.out, std::span(all).subspan(first, std::min(side_by_side, all.size() - first)));
    for (const PublishedModel& model : all) equal += sum_of_items(model) == model.published;
    fmt::print(show.out, "  check  the sum is the published number in {} of {} models\n", equal, all.size());
}

}  // namespace tfs
