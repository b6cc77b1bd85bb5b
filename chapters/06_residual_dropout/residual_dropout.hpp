// chapters/06_residual_dropout/residual_dropout.hpp · what chapter 06 builds: dropout, residual connections, the stream as a sum
//
// Sources: Hinton et al. 2012 (arXiv:1207.0580) and Srivastava et al. 2014 (JMLR 15) for dropout; He et al. 2016
// (arXiv:1512.03385, eq. 1) for residuals; Vaswani et al. 2017 (arXiv:1706.03762), sections 3.1 and 5.4, for both in the
// Transformer; Xiong et al. 2020 (arXiv:2002.04745) for the place of the norm.
// In training the caller passes an Rng, and each call draws a new mask from it. A null Rng means evaluation.
// Read the lesson in README.md beside this file; write your steps in exercises/06_residual_dropout/.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

// Step dropout · Inverted dropout (Srivastava et al. 2014, sections 4 and 10): y_i = m_i x_i / (1 - p), where each m_i has
// a coin of its own: 1 with probability 1 - p, else 0. So E[y] = x and Var[y_i] = x_i^2 p / (1 - p).
//   x: any shape, also an empty one -> the same shape; the gradient is m_i / (1 - p) times that of y_i.
//   p: the probability to DROP an entry, 0 <= p < 1.
//   rng: the mask is Tensor(rng->bernoulli_array(x.shape(), 1 - p)), drawn in one call for the whole tensor.
// In evaluation (rng is null) and with p = 0 the result is x itself: nothing is drawn and nothing recorded.
// Throws ValueError if p is not in [0, 1), also in evaluation, and for NaN; the message names p.
Tensor dropout(const Tensor& x, double p, Rng* rng);

// Anything that turns a tensor into one of the same shape: attention, a feed-forward network, a norm.
using Sublayer = std::function<Tensor(const Tensor&)>;

// Step residual · Three ways to add a sublayer. x + dropout(sublayer(x)): residual learning (He et al. 2016, eq. 1), with
// dropout on the output of the sublayer before it is added (Vaswani et al. 2017, section 5.4).
//   x (…) -> the same shape. `sublayer` is called once; p and rng as in dropout.
// Throws ShapeError if the sublayer changes the shape (also where it would broadcast), with both shapes named;
// ValueError as dropout, also in evaluation.
Tensor residual(const Tensor& x, const Sublayer& sublayer, double p = 0.0, Rng* rng = nullptr);

// x + dropout(sublayer(norm(x))): the norm inside the branch ("Pre-LN", Xiong et al. 2020). The way from
// input to output has only additions on it; a stack of these needs one more norm at its end.
//   x (…) -> the same shape. `norm` and `sublayer` are called once each. Throws as residual.
Tensor pre_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p = 0.0,
                         Rng* rng = nullptr);

// norm(x + dropout(sublayer(x))): the norm after the addition (Vaswani et al. 2017, section 3.1; "Post-LN").
//   x (…) -> the same shape. `norm` and `sublayer` are called once each. Throws as residual.
Tensor post_norm_residual(const Tensor& x, const Sublayer& norm, const Sublayer& sublayer, double p = 0.0,
                          Rng* rng = nullptr);

// Given (models/attention_with_dropout.cpp) · Scaled dot-product attention (step scaled_dot_product_attention) with dropout
// on its weights, after the softmax and before they meet the values: dropout(softmax(q kᵀ / sqrt(d_k) + bias)) v. A row of
// dropped weights no longer sums to 1; its mean over many masks does.
//   q (batch, heads, query, d_k) · k (batch, heads, key, d_k) · v (batch, heads, key, d_v)
//   p and rng as in dropout · mask, bias and keep as in scaled_dot_product_attention
// Returns the output (batch, heads, query, d_v) and the weights (batch, heads, query, key) that were used: the dropped
// ones. Both are recorded: a gradient can be sent back through the weights, too. In evaluation and with p = 0 it is
// scaled_dot_product_attention(q, k, v, mask, bias, keep).
// Throws ShapeError if the axes disagree, ValueError if p is not in [0, 1).
AttentionOutput attention_with_dropout(const Tensor& q, const Tensor& k, const Tensor& v,
                                       const std::optional<Mask>& mask, double p, Rng* rng,
                                       const std::optional<Tensor>& bias = std::nullopt,
                                       Weights keep = Weights::keep);

// The same for all heads of a layer: query, key and value are projected and split into heads, the results merged and
// projected by w_o, as in MultiHeadAttention.
//   query (batch, query, d_model) · key, value (batch, key, d_model)
// Returns the output (batch, query, d_model) and the weights that were used, as torch.nn.MultiheadAttention does.
AttentionOutput attention_with_dropout(const MultiHeadAttention& attention, const Tensor& query,
                                       const Tensor& key, const Tensor& value,
                                       const std::optional<Mask>& mask, double p, Rng* rng);

// The norm behind the last block, for one stream x (d_model): gamma (x - mean of x) / deviation + beta.
struct FinalNorm {
    Tensor gamma, beta;      // (d_model)
    float deviation = 1.0f;  // sqrt(variance of x + eps), given
};

// Step logit_shares · The stream that leaves the last block is a sum of parts: the embedding, and what each sublayer added.
// So each logit, a row of `table` times the normed stream, is a sum, too, if the deviation is held fixed: a share of each
// part, and one of beta. This analysis is called direct logit attribution.
//   parts (parts, d_model) · table (vocab, d_model) -> (parts + 1, vocab), in the last row the shares of beta.
// Throws ShapeError if the widths disagree.
Tensor logit_shares(const Tensor& parts, const FinalNorm& norm, const Tensor& table);

// The row of shares (parts + 1, vocab), beta's among them, that gave most to the lead: the logit of the likeliest character minus
// that of the second one. Of equal ones the first.
// Throws ShapeError without two axes, ValueError without parts or with fewer than two characters.
std::size_t deciding_part(const Tensor& shares);

// Step branch_factor · Puzzle: the number by which each sublayer's output is multiplied before it is added, in a pre-norm
// stack of `layers` layers with two sublayers each:
//   x + factor * attention(norm(x)), then x + factor * feed_forward(norm(x))
// so that at 1, 2, 3 … 512 layers
//   the size of the stream is less than 2 after every layer (stream_sizes: it is about 1 at the input), and
//   the layers still count: all of them together change the stream by at least 0.25, and by about as much as one layer does
//   with its own factor: by 2/3 of that to 3/2 of it, in the mean of two seeds.
float branch_factor(std::size_t layers);

// Given (models/layer_stack.cpp) · What passes through such a stack, untrained, of width 32, with weights and input drawn from
// this seed. A size is the root mean square of all entries (1, 16, 32).
struct StreamSizes {
    std::vector<double> after_layer;  // one for each layer
    double change = 0.0;              // the size of output - input
};
[[nodiscard]] StreamSizes stream_sizes(std::size_t layers, float factor, std::uint64_t seed);

}  // namespace tfs
