// Step 1.5 · attention_layers · ●●○ · 15 min
// exercises/01_attention/attention_layers.cpp · check yours with ./tutorial check 1.5
#include <fmt/format.h>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

SelfAttention::SelfAttention(std::size_t d_model, std::size_t d_k, std::size_t d_v, Rng& rng)
    : w_q(d_model, d_k, rng), w_k(d_model, d_k, rng), w_v(d_model, d_v, rng) {}

AttentionOutput SelfAttention::operator()(const Tensor& x, const std::optional<Mask>& mask) const {
    // TODO 1.5: One head: the queries, keys and values of x, and the attention between them.
    throw NotImplemented("1.5 attention_layers");
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
    // TODO 1.5: Refuse heads that don't divide d_model, with a ValueError that names both numbers. Zero heads divide
    // nothing.
    throw NotImplemented("1.5 attention_layers");
}

AttentionOutput MultiHeadAttention::operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                                               const std::optional<Mask>& mask) const {
    // TODO 1.5: All heads attend side by side, each in its slice of the width; w_o mixes what they return. The weights
    // are one map for each head.
    throw NotImplemented("1.5 attention_layers");
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
