// chapters/03_positional_encoding/program/token_order.cpp · what another order of the tokens changes, for each way of telling positions
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

using Order = std::vector<std::size_t>;

// Fisher and Yates; a whole turn by one where the draw left everything in place.
Order shuffled(std::size_t count, Rng& rng) {
    Order order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = count; i-- > 1;) std::swap(order[i], order[rng.below(i + 1)]);
    if (std::is_sorted(order.begin(), order.end()))
        std::rotate(order.begin(), order.begin() + 1, order.end());
    return order;
}

Tensor rows_in_order(const Tensor& x, const Order& order) {
    std::vector<Tensor> rows;
    for (const std::size_t i : order) rows.push_back(slice(x, 1, i, i + 1));
    return concat(rows, 1);
}

struct Way {
    std::string positions;
    std::function<Tensor(const Tensor&)> output;  // x (batch, seq, d_model) -> the same shape
};

// One layer of self-attention with random weights, told positions in each way. A way computes what it needs when it is asked:
// one that is not written yet does not stand in the way of the others.
std::vector<Way> ways_of(const Request& request) {
    const std::size_t d_model = request[options::d_model], heads = request[options::heads],
                      max_len = request[options::max_len];
    Rng rng(request[options::seed] + 1);
    const MultiHeadAttention layer(d_model, heads, rng);
    const auto plain = [layer](const Tensor& x, const std::optional<Mask>& mask = std::nullopt) {
        return layer(x, x, x, mask).output;
    };
    const auto by_heads = [layer](const Tensor& x, const auto& attend) {
        const auto heads_of = [&](const Linear& w) { return split_heads(w(x), layer.num_heads); };
        return layer.w_o(
            merge_heads(attend(heads_of(layer.w_q), heads_of(layer.w_k), heads_of(layer.w_v)).output));
    };
    return {
        {"none", plain},
        {"none, but a causal mask", [=](const Tensor& x) { return plain(x, causal_mask(x.size(1))); }},
        {"sinusoids, added to x",
         [=](const Tensor& x) { return plain(SinusoidalPositionalEncoding(d_model, max_len)(x)); }},
        {"learned rows, added to x", [=](const Tensor& x) { return plain(learned_positions(request)(x)); }},
        {"rotary, turning q and k",
         [=](const Tensor& x) {
             const RotaryEmbedding rotary(d_model / heads, max_len);
             return by_heads(x, [&](const Tensor& q, const Tensor& k, const Tensor& v) {
                 return rotary_attention(q, k, v, rotary);
             });
         }},
        {"ALiBi, added to the scores", [=](const Tensor& x) {
             const Tensor bias = alibi_bias(heads, x.size(1), x.size(1));
             return by_heads(x, [&](const Tensor& q, const Tensor& k, const Tensor& v) {
                 return scaled_dot_product_attention(q, k, v, std::nullopt, bias);
             });
         }}};
}

// What the word that is the first in one text and the last in another reads from the words of each.
BarFigure swap_figure(std::uint64_t seed) {
    constexpr std::size_t d_model = 32;
    const Tokens words = split_words("dog bites man");
    Rng rng(seed);
    const Tensor x(rng.normal_array({1, words.size(), d_model}));
    const MultiHeadAttention layer(d_model, 1, rng);
    BarPanel panel{.title = "what \"dog\" reads", .value_axis = "share of its attention", .share = true};
    for (const std::string& word : words) panel.parts.push_back({"from \"" + word + "\""});
    for (const Order& order : {Order{0, 1, 2}, Order{2, 1, 0}}) {  // both undo themselves
        const Tensor text = rows_in_order(x, order);
        const Array map = attention_map(layer(text, text, text).weights, 0, 0);
        Bar bar{.label = fmt::format("{} {} {}", words[order[0]], words[order[1]], words[order[2]])};
        for (std::size_t j = 0; j < words.size(); ++j) bar.values.push_back(map(order[0], order[j]));
        panel.bars.push_back(std::move(bar));
    }
    return {.name = "swap",
            .title = "Without positions \"dog\" reads the same in \"dog bites man\" and \"man bites dog\"",
            .panels = {std::move(panel)},
            .caption = "One attention with random weights. \"Bites\" and \"man\" behave in the same way."};
}

Report show_orders(const Request& request) {
    const Tensor x = sentence_vectors(request);
    const std::size_t seq = x.size(1);
    Report report;
    if (seq == 1) {
        report.note("One token has one order: nothing to compare.");
        return report;
    }
    Rng rng(request[options::seed]);
    const Order order = shuffled(seq, rng);
    const bool all_equal = difference(slice(x, 1, 1, seq), slice(x, 1, 0, seq - 1)) == 0.0;
    const char* const no_order = all_equal ? "equal tokens, equal values: no output can differ"
                                           : "the output is reordered, nothing else";
    Table table{.columns = {{"positions"}, {"difference", magnitude()}, {"meaning"}}};
    for (const auto& [positions, output] : ways_of(request)) {
        try {
            const double change =
                difference(output(rows_in_order(x, order)), rows_in_order(output(x), order));
            table.add({positions, change,
                       change < 1e-5 ? no_order
                       : all_equal   ? "the positions count"
                                     : "the order counts"});
        } catch (const NotImplemented& gap) {
            table.add({positions, {}, gap.what()});
        }
    }
    report.note(
        fmt::format("{} tokens in another order: output(reordered x) against reordered output(x)", seq));
    report.add(table);
    report.add(swap_figure(request[options::seed]));
    return report;
}

}  // namespace

Sections token_order_sections() {
    return {{"order",
             "Order from nothing: the words in another order",
             show_orders,
             {options::text, options::heads, options::d_model, options::max_len, options::seed}}};
}

}  // namespace tfs
