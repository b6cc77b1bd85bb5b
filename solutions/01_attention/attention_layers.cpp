// Step 1.5 · attention_layers · ●●○ · 10 min
// solutions/01_attention/attention_layers.cpp
#include <fmt/format.h>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

SelfAttention::SelfAttention(std::size_t d_model, std::size_t d_k, std::size_t d_v, Rng& rng)
    : w_q(d_model, d_k, rng), w_k(d_model, d_k, rng), w_v(d_model, d_v, rng) {}

AttentionOutput SelfAttention::operator()(const Tensor& x, const std::optional<Mask>& mask) const {
    const Tensor q = w_q(x);  // (batch, query, d_k)
    const Tensor k = w_k(x);  // (batch, key, d_k)
    const Tensor v = w_v(x);  // (batch, key, d_v)
    return scaled_dot_product_attention(q, k, v, mask);
}

Parameters SelfAttention::parameters() const {
    Parameters all;
    append(all, "w_q", w_q.parameters());
    append(all, "w_k", w_k.parameters());
    append(all, "w_v", w_v.parameters());
    return all;
}

MultiHeadAttention::MultiHeadAttention(std::size_t d_model, std::size_t heads, Rng& rng,
                                       std::optional<std::size_t> d_v)
    : num_heads(heads),
      w_q(d_model, d_model, rng),
      w_k(d_model, d_model, rng),
      w_v(d_model, d_v ? heads * *d_v : d_model, rng),
      w_o(d_v ? heads * *d_v : d_model, d_model, rng) {
    if (heads == 0 || d_model % heads != 0) {
        throw ValueError(
            fmt::format("MultiHeadAttention: {} heads don't divide d_model = {}; each head gets a slice of "
                        "width d_model / heads",
                        heads, d_model));
    }
}

AttentionOutput MultiHeadAttention::operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                                               const std::optional<Mask>& mask) const {
    // begin: Two faults are in this call of MultiHeadAttention. All heads must attend side by side, each in its slice of the
    // width, and w_o mixes what they return. Measure: ./tutorial run 1 --mine -- --section two-heads
    const Tensor q = split_heads(w_q(query), num_heads);  // (batch, heads, query, d_k)
    const Tensor k = split_heads(w_k(key), num_heads);    // (batch, heads, key, d_k)
    const Tensor v = split_heads(w_v(value), num_heads);  // (batch, heads, key, d_v)
    const auto [heads, weights] = scaled_dot_product_attention(q, k, v, mask);
    return {w_o(merge_heads(heads)), weights};  // (batch, query, d_model)
    // instead
    // const Tensor q = split_heads(w_q(query), num_heads);  // (batch, heads, query, d_k)
    // const Tensor k = split_heads(w_k(key), num_heads);    // (batch, heads, key, d_k)
    // const Tensor v = split_heads(w_v(value), num_heads);  // (batch, heads, key, d_v)
    // const auto [heads, weights] = scaled_dot_product_attention(k, q, v, mask);
    // const Tensor merged = reshape(heads, {heads.size(0), heads.size(2), heads.size(1) * heads.size(3)});
    // return {w_o(merged), weights};  // (batch, query, d_model)
    // end
}

Parameters MultiHeadAttention::parameters() const {
    Parameters all;
    append(all, "w_q", w_q.parameters());
    append(all, "w_k", w_k.parameters());
    append(all, "w_v", w_v.parameters());
    append(all, "w_o", w_o.parameters());
    return all;
}

}  // namespace tfs
