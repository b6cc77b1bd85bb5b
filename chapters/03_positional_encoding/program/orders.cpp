// chapters/03_positional_encoding/program/orders.cpp · attention with each way of telling positions, and what an order changes
#include "chapters/03_positional_encoding/program/orders.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/program/numbers.hpp"

namespace tfs {

namespace {

struct Heads {
    Tensor q, k, v;
};

Heads projected(const MultiHeadAttention& attention, const Tensor& x) {
    return {split_heads(attention.w_q(x), attention.num_heads),
            split_heads(attention.w_k(x), attention.num_heads),
            split_heads(attention.w_v(x), attention.num_heads)};
}

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

Tensor reordered(const Tensor& x, const Order& order) {
    std::vector<Tensor> rows;
    for (const std::size_t i : order) rows.push_back(slice(x, 1, i, i + 1));
    return concat(rows, 1);
}

}  // namespace

xt::xarray<bool> causal_square(std::size_t seq) {
    xt::xarray<bool> allowed = causal_mask(seq).array();  // (1, 1, query, key)
    allowed.reshape({seq, seq});
    return allowed;
}

AttentionOutput biased_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& bias,
                                 const std::optional<Mask>& mask) {
    const float scale = 1.0f / std::sqrt(static_cast<float>(q.size(-1)));
    Tensor scores = matmul(q, k, Transpose::b) * scale + bias;  // (batch, heads, query, key)
    if (mask) scores = masked_fill(scores, *mask, -std::numeric_limits<float>::infinity());
    const Tensor weights = softmax(scores);
    return {matmul(weights, v), weights};
}

PositionedAttention::PositionedAttention(std::size_t width, std::size_t num_heads, std::size_t max_length,
                                         std::uint64_t seed_of_weights)
    : attention([&] {
          Rng rng(seed_of_weights);
          return MultiHeadAttention(width, num_heads, rng);
      }()),
      d_model(width),
      max_len(max_length),
      seed(seed_of_weights) {}

SinusoidalPositionalEncoding PositionedAttention::sinusoids() const { return {d_model, max_len}; }

LearnedPositionalEmbedding PositionedAttention::learned() const {
    Rng rng(seed + 1);
    return {d_model, max_len, rng};
}

RotaryEmbedding PositionedAttention::rotary() const { return {d_model / attention.num_heads, max_len}; }

Tensor PositionedAttention::plain(const Tensor& x, const std::optional<Mask>& mask) const {
    return attention(x, x, x, mask).output;
}

Tensor PositionedAttention::with_rotary(const Tensor& x) const {
    const auto [q, k, v] = projected(attention, x);
    return attention.w_o(merge_heads(rotary_attention(q, k, v, rotary()).output));
}

Tensor PositionedAttention::with_alibi(const Tensor& x) const {
    const auto [q, k, v] = projected(attention, x);
    const Tensor bias = alibi_bias(attention.num_heads, x.size(1), x.size(1));
    return attention.w_o(merge_heads(biased_attention(q, k, v, bias).output));
}

void measure_orders(std::ostream& out, const PositionedAttention& layer, const Tensor& x,
                    std::uint64_t seed) {
    const std::size_t seq = x.size(1);
    if (seq == 1) {
        out << "  One token has one order: nothing to compare.\n";
        return;
    }
    Rng rng(seed);
    const Order order = shuffled(seq, rng);
    const bool all_equal =
        largest_difference(slice(x, 1, 1, seq).array(), slice(x, 1, 0, seq - 1).array()) == 0.0;
    const char* const no_order = all_equal ? "equal tokens, equal values: no output can differ"
                                           : "the output is reordered, nothing else";
    const auto row = [&](const char* name, const std::function<Tensor(const Tensor&)>& output) {
        const double difference =
            largest_difference(output(reordered(x, order)).array(), reordered(output(x), order).array());
        fmt::print(out, "  {:<36} {:>12}   {}\n", name, small_or(difference, 5),
                   difference < 1e-5 ? no_order : "the order counts");
    };
    fmt::print(out, "  {} tokens in another order: output(reordered x) against reordered output(x)\n\n", seq);
    fmt::print(out, "  {:<36} {:>12}\n", "positions", "difference");
    row("none", [&](const Tensor& t) { return layer.plain(t); });
    row("none, but a causal mask", [&](const Tensor& t) { return layer.plain(t, causal_mask(seq)); });
    row("sinusoids, added to x", [&](const Tensor& t) { return layer.plain(layer.sinusoids()(t)); });
    row("learned rows, added to x", [&](const Tensor& t) { return layer.plain(layer.learned()(t)); });
    row("rotary, turning q and k", [&](const Tensor& t) { return layer.with_rotary(t); });
    row("ALiBi, added to the scores", [&](const Tensor& t) { return layer.with_alibi(t); });
}

}  // namespace tfs
