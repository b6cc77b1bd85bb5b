// chapters/01_attention/attention.hpp · what chapter 01 builds: attention, from plain loops to several heads
//
// Sources: Vaswani et al. 2017, "Attention Is All You Need" (arXiv:1706.03762), sections 3.2.1 and 3.2.2.
// Axes: batch · heads · query and key (positions) · d_model (width) · d_k (width of a query or key) · d_v (of a value).
// Read the lesson in README.md beside this file; write your steps in exercises/01_attention/.
#pragma once

#include <optional>
#include <vector>

#include "common/nn.hpp"
#include "common/tensor.hpp"

namespace tfs {

// Step attention_loops · Attention in plain loops, without tensors. For each query: its score with each key is q · k; the weights
// are exp(score / sqrt(d_k)), divided by their sum over the keys; the output is the mean of the values with these weights.
//   queries: rows of d_k numbers · keys: rows of d_k · values: a row of d_v numbers for each key
// There is at least one key, and the sizes agree: you need not check them.
using Rows = std::vector<std::vector<float>>;  // rows[i][c]: number c of row i
struct AttentionRows {
    Rows output;   // a row of d_v numbers for each query
    Rows weights;  // a row for each query: a weight for each key
};
AttentionRows attention_loops(const Rows& queries, const Rows& keys, const Rows& values);

// Step softmax · softmax(x)_i = exp(x_i) / sum_j exp(x_j) along one axis, stable for entries of any size.
//   x: any shape with at least one axis -> the same shape; along `axis` the result is never negative and sums to 1.
//   Entries of -inf get the weight 0. Where all entries are -inf the result is 0, not NaN.
// Throws ShapeError if x has no such axis, or it is empty.
Tensor softmax(const Tensor& x, int axis = -1);

// What attention gives back: the result, and the weights to look at. A gradient goes back through both.
struct AttentionOutput {
    Tensor output;   // (batch, heads, query, d_v), or (batch, query, …) after the heads are merged
    Tensor weights;  // (batch, heads, query, key); each row sums to 1 (or is 0 where the mask allows nothing)
};

// Step scaled_dot_product_attention · Scaled dot-product attention (Vaswani et al. 2017, eq. 1), in two functions of one
// file. First the weights: softmax(q kᵀ / sqrt(d_k) + bias) over the keys. A key that the mask forbids gets the weight 0.
//   q (batch, heads, query, d_k) · k (batch, heads, key, d_k); any leading axes will do
//   mask: true = may attend · bias: numbers that are added to the scaled scores (chapter 03 has some)
//   Both may be missing; both are broadcastable to (batch, heads, query, key).
// Returns the weights (batch, heads, query, key). Throws ShapeError if the axes disagree, or there is no key.
[[nodiscard]] Tensor attention_weights(const Tensor& q, const Tensor& k,
                                       const std::optional<Mask>& mask = std::nullopt,
                                       const std::optional<Tensor>& bias = std::nullopt);
// Then attention, which is these weights times v: softmax(q kᵀ / sqrt(d_k) + bias) v
//   q, k, mask and bias as above · v (batch, heads, key, d_v)
//   keep: Weights::none says that the caller does not look at the weights. The fast version then returns none. Yours need not
//   read `keep`: it may always return them.
// Returns the output (batch, heads, query, d_v) and the weights (batch, heads, query, key). Throws as attention_weights.
AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask = std::nullopt,
                                             const std::optional<Tensor>& bias = std::nullopt,
                                             Weights keep = Weights::keep);

// Step attention_layers · One head with its own projections: q = x W_qᵀ + b_q, k and v likewise, then
// scaled dot-product attention.
struct SelfAttention {
    Linear w_q, w_k;  // d_model -> d_k
    Linear w_v;       // d_model -> d_v

    // Draws the weights of w_q, w_k, w_v from `rng`, in this order. ValueError if a size is 0.
    SelfAttention(std::size_t d_model, std::size_t d_k, std::size_t d_v, Rng& rng);

    // x (batch, seq, d_model) -> output (batch, seq, d_v), weights (batch, query, key)
    // mask: as above, broadcastable to (batch, query, key). Throws ShapeError if the width of x is not d_model.
    AttentionOutput operator()(const Tensor& x, const std::optional<Mask>& mask = std::nullopt) const;
    Parameters parameters() const;  // w_q.weight, w_q.bias, w_k.…, w_v.…
};

// Step split_heads · The width cut into heads, and the heads joined again. Both functions are in split_heads.cpp.
// split_heads: (batch, seq, heads * d) -> (batch, heads, seq, d). Head h gets the columns h*d … h*d + d-1 of every
// position.
// Throws ShapeError if x does not have three axes, or num_heads is 0 or does not divide the width.
Tensor split_heads(const Tensor& x, std::size_t num_heads);
// merge_heads: (batch, heads, seq, d) -> (batch, seq, heads * d), which undoes split_heads.
// Throws ShapeError if x does not have four axes.
Tensor merge_heads(const Tensor& x);

// Step attention_layers · Multi-head attention (Vaswani et al. 2017, section 3.2.2): heads attend side by
// side, each in a slice of width d_k = d_model / num_heads of the projections; their outputs are joined and projected
// by w_o. Both layers are in attention_layers.cpp.
struct MultiHeadAttention {
    std::size_t num_heads;
    Linear w_q, w_k;  // d_model -> d_model
    Linear w_v;       // d_model -> heads * d_v
    Linear w_o;       // heads * d_v -> d_model

    // Draws the weights of w_q, w_k, w_v, w_o from `rng`, in this order. The values of a head are as wide as its keys
    // (d_v = d_k) unless d_v is given. ValueError if a size is 0 or num_heads does not divide d_model.
    MultiHeadAttention(std::size_t d_model, std::size_t num_heads, Rng& rng,
                       std::optional<std::size_t> d_v = std::nullopt);

    // query (batch, query, d_model) · key and value (batch, key, d_model); the three are one tensor in self-attention.
    // mask: true = may attend, broadcastable to (batch, heads, query, key)
    // Returns the output (batch, query, d_model) and the weights (batch, heads, query, key).
    // Throws ShapeError if the axes disagree.
    AttentionOutput operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                               const std::optional<Mask>& mask = std::nullopt) const;
    Parameters parameters() const;  // w_q.weight, w_q.bias, …, w_o.bias
};

// Step head_by_hand · Puzzle: a head whose weights you write by hand. Each word is a row of six features, each 1 or 0:
//     column      0     1        2      3          4     5
//     feature     noun  animate  thing  adjective  verb  other
//     cat         1     1        0      0          0     0
//     mat         1     0        1      0          0     0
//     tired       0     1        0      1          0     0       what is said of animate beings is animate, too
//     soft        0     0        1      1          0     0       what is said of things is a thing word, too
//     sat         0     1        0      0          1     0
//     lay         0     0        1      0          1     0
//     the         0     0        0      0          0     1       and: on, near, and, because, it, was
// All words are in models/feature_words.cpp.
struct HandMadeHead {
    Tensor w_q, w_k;      // (d_k, 6): a row for each number of a query or key; you choose d_k
    Tensor w_v;           // (2, 6)
    float factor = 1.0f;  // multiplies w_q: larger gives sharper weights
};
// In "the cat sat on the mat because it was tired" the last word must give at least 0.9 of its weight to the noun that it
// describes: cat here, or mat if it is "soft". The same holds for every sentence of these words with exactly one such noun.
// The output of the last word must say what it found: (1, 0) after an animate noun and (0, 1) after a thing, to within 0.2.
HandMadeHead head_by_hand();

}  // namespace tfs
