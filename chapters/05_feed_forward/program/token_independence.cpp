// chapters/05_feed_forward/program/token_independence.cpp · one token is replaced: what changes in the others, after the network and after attention
#include <fmt/format.h>

#include "chapters/01_attention/attention.hpp"
#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

// How many entries of other positions than `changed` differ, in any bit.
std::size_t changed_elsewhere(const Tensor& before, const Tensor& after, std::size_t changed) {
    const std::size_t width = before.size(-1);
    std::size_t count = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (i / width != changed && before.values()[i] != after.values()[i]) ++count;
    return count;
}

Report show_independence(const Request& request) {
    const auto [x, layer, unused] = sentence_network(request);
    const std::size_t seq = x.size(1), d_model = x.size(2), changed = seq / 2;
    Report report;
    if (seq == 1) {
        report.note("One token has no neighbours: give --text at least two words.");
        return report;
    }
    Rng rng(request[options::seed] + 3);
    Array other = x.array();
    for (std::size_t i = 0; i < d_model; ++i)
        other.data()[changed * d_model + i] = static_cast<float>(rng.normal());
    const Tensor y(std::move(other));
    const MultiHeadAttention attention(d_model, 1, rng);
    report.note(fmt::format(
        "Token {} of {} is replaced. Entries of the other tokens that change, in any bit:", changed + 1,
        seq));
    Table table{
        .columns = {{"layer"}, {"entries that change", whole(fmt::format(" of {}", (seq - 1) * d_model))}}};
    table.add({"feed-forward", changed_elsewhere(layer(x), layer(y), changed)});
    table.add(
        {"attention", changed_elsewhere(attention(x, x, x).output, attention(y, y, y).output, changed)});
    report.add(table);
    return report;
}

}  // namespace

Sections token_independence_sections() {
    return {{"positions",
             "Each position is computed by itself",
             show_independence,
             {options::text, options::d_model, options::d_ff, options::seed},
             Level::deeper}};
}

}  // namespace tfs
