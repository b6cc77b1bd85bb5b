// chapters/07_block/block.hpp · what chapter 07 builds: the Transformer block, and what it costs
//
// Sources: Vaswani et al. 2017 (arXiv:1706.03762), section 3.1, for the block; Xiong et al. 2020 (arXiv:2002.04745) for
// the place of the norm; Su et al. 2021 (arXiv:2104.09864) and Touvron et al. 2023 (arXiv:2302.13971) for the rotary one.
// Everything in it is a part of chapters 01 to 06. Axes: batch · seq, query, key (positions) · heads · d_model · d_ff.
// Training or evaluation: as in chapter 06, a null Rng is evaluation.
// Read the lesson in README.md beside this file; write your steps in exercises/07_block/.
#pragma once

#include <variant>

#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/04_normalization/normalization.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/nn/cost.hpp"

namespace tfs {

enum class NormPosition { pre, post };
enum class NormKind { layer_norm, rms_norm };
enum class FeedForwardKind { feed_forward, swiglu };
enum class AttentionBias { none, qkv, all };  // on no projection (LLaMA), on q, k and v (Qwen), on all four

// Rotary positions inside of the block. Without them, positions are added to what enters the first block.
struct RotaryConfig {
    std::size_t max_len = 2048;
    double theta = 10000.0;
    RotaryLayout layout = RotaryLayout::half_split;
};

// All that makes one block another. The defaults are a layer of GPT-2 (Radford et al. 2019) but for its tanh GELU and its
// dropout of 0.1.
struct BlockConfig {
    std::size_t d_model = 768;
    std::size_t num_heads = 12;
    std::size_t d_ff = 3072;  // of the hidden layer, also SwiGLU's: the 2/3 rule (step 5.7) is the caller's
    NormPosition norm_position = NormPosition::pre;
    NormKind norm = NormKind::layer_norm;
    float norm_eps = 1e-5f;
    FeedForwardKind feed_forward = FeedForwardKind::feed_forward;
    Activation activation = Activation::gelu;  // of FeedForward; SwiGLU has its own
    AttentionBias attention_bias = AttentionBias::all;
    Bias feed_forward_bias = Bias::yes;  // of FeedForward; SwiGLU has none
    double dropout = 0.0;                // on the weights, the hidden layer and what a sublayer adds
    std::optional<RotaryConfig> rotary = std::nullopt;
};

// Given (given/checks.cpp) · Everything in a config that doesn't fit, one sentence each; empty where all fits. And the same
// as a ValueError that lists them all: "TransformerBlock: 5 heads don't divide d_model = 768; dropout is 1.5, …".
[[nodiscard]] std::vector<std::string> problems(const BlockConfig& config);
const BlockConfig& require_valid(const std::string& who, const BlockConfig& config);

// Given (given/presets.cpp) · The blocks of well-known models (the sizes of their published configurations) …
//   original: Vaswani et al. 2017, base: 512, 8 heads, 2048, post, ReLU, dropout 0.1; no biases on the projections
//   bert:     Devlin et al. 2019, base: post, GELU, eps 1e-12, dropout 0.1
//   gpt2:     Radford et al. 2019, small: pre, tanh GELU, dropout 0.1
//   llama:    Touvron et al. 2023, 7B: pre, RMSNorm, SwiGLU 11008, rotary, no biases
//   qwen:     Bai et al. 2023, 7B: as LLaMA's, with biases on q, k and v
// In training these blocks also drop units of the hidden layer, where BERT, GPT-2 and the paper of 2017 have no dropout.
[[nodiscard]] BlockConfig original_block();
[[nodiscard]] BlockConfig bert_block();
[[nodiscard]] BlockConfig gpt2_block();
[[nodiscard]] BlockConfig llama_block();
[[nodiscard]] BlockConfig llama_block(std::size_t d_model, std::size_t num_heads, std::size_t d_ff,
                                      std::size_t max_len);  // of other sizes
[[nodiscard]] BlockConfig qwen_block();
// … and the four of the source notes, in any size (num_heads must divide d_model): pre- and post-norm with LayerNorm (eps
// 1e-6) and a FeedForward with ReLU, without dropout;
[[nodiscard]] BlockConfig pre_norm_block(std::size_t d_model, std::size_t num_heads, std::size_t d_ff);
[[nodiscard]] BlockConfig post_norm_block(std::size_t d_model, std::size_t num_heads, std::size_t d_ff);
// pre-norm with RMSNorm and dropout 0.1: SwiGLU with two thirds of 4 d_model, or a FeedForward with ReLU and all of it;
[[nodiscard]] BlockConfig rms_swiglu_block(std::size_t d_model, std::size_t num_heads,
                                           bool use_swiglu = true);
// post-norm with LayerNorm, GELU and dropout 0.1: (768, 12) is a layer of BERT-base but for its eps.
[[nodiscard]] BlockConfig encoder_block(std::size_t d_model, std::size_t num_heads,
                                        std::size_t multiplier = 4);

// Given (given/parts.cpp) · The norm that a config asks for.
struct Norm {
    std::variant<LayerNorm, RMSNorm> kind;

    explicit Norm(const BlockConfig& config);
    Tensor operator()(const Tensor& x) const;  // (..., d_model) -> (..., d_model)
    Parameters parameters() const;             // gamma, beta (of LayerNorm)
};

// Given (given/parts.cpp) · The feed-forward network that a config asks for, hidden layer and output apart.
struct FeedForwardNetwork {
    std::variant<FeedForward, SwiGLU> kind;

    FeedForwardNetwork(const BlockConfig& config, Rng& rng);
    Tensor hidden(const Tensor& x) const;       // (..., d_model) -> (..., d_ff)
    Tensor output(const Tensor& hidden) const;  // (..., d_ff) -> (..., d_model)
    Parameters parameters() const;              // up.weight, …: those of FeedForward or SwiGLU
};

// Given (given/parts.cpp) · Multi-head attention without the biases that a config leaves out.
[[nodiscard]] MultiHeadAttention make_attention(const BlockConfig& config, Rng& rng);

// Given (given/parts.cpp) · The sublayer in its place: pre_norm_residual or post_norm_residual (steps 6.3, 6.4).
[[nodiscard]] Tensor norm_and_add(NormPosition position, const Norm& norm, const Tensor& x,
                                  const Sublayer& sublayer, double p, Rng* rng);

// Step 7.1 · Multi-head self-attention with rotary positions (Su et al. 2021, eq. 16, in the block of LLaMA): queries and
// keys are split into heads, then turned (step 3.5); values are not. Dropout on the weights as in step 6.5.
//   x (batch, seq, d_model) · mask: true = may attend, broadcastable to (batch, heads, query, key)
// Returns the output (batch, seq, d_model) and the weights (batch, heads, query, key) that were used.
// Throws ShapeError where the axes disagree; ValueError where the sequence is longer than the table of `rotary`, or p is
// not in [0, 1).
AttentionOutput rotary_multi_head_attention(const MultiHeadAttention& attention, const Tensor& x,
                                            const RotaryEmbedding& rotary, RotaryLayout layout,
                                            const std::optional<Mask>& mask = std::nullopt, double p = 0.0,
                                            Rng* rng = nullptr);

// Step 7.2 · The first half of a block, self-attention in its place (Vaswani et al. 2017, section 3.1; Xiong et al. 2020):
//   pre:  x + dropout(attention(norm(x)))        post: norm(x + dropout(attention(x)))
// where queries, keys and values are all made of the one tensor that attention gets. The norm is computed once.
// With rotary positions where the config has them (step 7.1), else attention_with_dropout (step 6.5).
struct AttentionSublayer {
    Norm norm;
    MultiHeadAttention attention;
    std::optional<RotaryEmbedding> rotary;
    RotaryLayout layout;
    NormPosition position;
    double dropout;

    // Draws the weights of w_q, w_k, w_v, w_o. ValueError, which lists all problems, where the config doesn't fit.
    AttentionSublayer(const BlockConfig& config, Rng& rng);

    // x (batch, seq, d_model) -> output (batch, seq, d_model), weights (batch, heads, query, key)
    //   mask: true = may attend, broadcastable to (batch, heads, query, key) · rng: null in evaluation
    AttentionOutput operator()(const Tensor& x, const std::optional<Mask>& mask = std::nullopt,
                               Rng* rng = nullptr) const;
    Parameters parameters() const;  // w_q.weight, …, w_o.bias, norm.gamma, norm.beta
};

// Step 7.3 · The second half, the feed-forward network in its place, as above. In training dropout also falls on the hidden
// layer, between the activation and the second product, as in PyTorch's layer and in the notes.
struct FeedForwardSublayer {
    Norm norm;
    FeedForwardNetwork network;
    NormPosition position;
    double dropout;

    FeedForwardSublayer(const BlockConfig& config, Rng& rng);      // draws the network's weights; as above
    Tensor operator()(const Tensor& x, Rng* rng = nullptr) const;  // (batch, seq, d_model) -> the same
    Parameters parameters() const;  // up.weight, …, down.bias, norm.gamma, norm.beta
};

// Step 7.4 · The block: the one half after the other. Equal to torch.nn.TransformerEncoderLayer (norm_first = pre) with the
// same weights.
struct TransformerBlock {
    BlockConfig config;
    AttentionSublayer attention;
    FeedForwardSublayer feed_forward;

    // Draws the weights of attention, then those of feed_forward. ValueError, which lists all problems.
    TransformerBlock(const BlockConfig& config, Rng& rng);

    // x (batch, seq, d_model) -> output (batch, seq, d_model), weights (batch, heads, query, key)
    //   mask and rng as above. ShapeError where the width of x is not d_model, or the mask does not broadcast.
    AttentionOutput operator()(const Tensor& x, const std::optional<Mask>& mask = std::nullopt,
                               Rng* rng = nullptr) const;
    Parameters parameters() const;  // attention.w_q.weight, …, feed_forward.norm.beta
};

// Step 7.5 · The parameters of a block by formula, without making one. Equal to count_parameters(block.parameters()).
struct BlockParameters {
    std::size_t attention = 0;     // 4 d_model^2, and d_model for each bias
    std::size_t feed_forward = 0;  // 2 d_model d_ff + d_ff + d_model, or 3 d_model d_ff for SwiGLU
    std::size_t norm = 0;          // of ONE norm: 2 d_model, or d_model for RMSNorm

    std::size_t total() const { return attention + feed_forward + 2 * norm; }
};
[[nodiscard]] BlockParameters block_parameters(const BlockConfig& config);

// Step 7.6 · The floating-point operations of one forward pass, an addition and a multiplication being two; only products
// of matrices count, all of them in full, also where a mask hides half of the scores.
struct AttentionFlops {
    std::size_t projections = 0;   // q, o: for each query; k, v: for each key
    std::size_t scores = 0;        // q kᵀ of all heads
    std::size_t weighted_sum = 0;  // weights v of all heads

    std::size_t total() const { return projections + scores + weighted_sum; }
};
[[nodiscard]] AttentionFlops attention_flops(const BlockConfig& config, std::size_t batch, std::size_t query,
                                             std::size_t key);
[[nodiscard]] std::size_t feed_forward_flops(const BlockConfig& config, std::size_t batch, std::size_t seq);

// Step 7.7 · The floats that a forward pass keeps for the backward pass: the results of the operations, each once, without
// dropout, where a norm, attention and an activation are one operation each (as in the fast solutions). Only the weights
// grow with seq^2. All the others have batch * seq rows; those of
//   attention, d_model wide each: norm · q, k, v · q, k, v by head · with rotary positions the turned q and k ·
//              the heads' sums · merged · projected · added: 11, or 13 with rotary positions
//   network:   norm, output, sum, d_model wide each · hidden layer before and after the activation (SwiGLU: gate, up and
//              their product), d_ff wide each
struct BlockActivations {
    std::size_t attention = 0;
    std::size_t weights = 0;  // batch * heads * seq * seq
    std::size_t feed_forward = 0;

    std::size_t total() const { return attention + weights + feed_forward; }
};
[[nodiscard]] BlockActivations block_activations(const BlockConfig& config, std::size_t batch,
                                                 std::size_t seq);

// Given (given/costs.cpp) · The parts of a block in the order of the data flow, for print_summary(): each with the shape of
// its result, its parameters, its FLOPs and the bytes it keeps (those of step 7.7).
// An attention half (cross-attention has other keys than queries) and a feed-forward half, whose parts are named
// "PREFIX.norm", "PREFIX.w_q" …, and both, "PREFIX.attention.norm" … An empty prefix leaves out its dot.
[[nodiscard]] std::vector<PartCost> attention_costs(const BlockConfig& config, const std::string& prefix,
                                                    std::size_t batch, std::size_t query, std::size_t key);
[[nodiscard]] std::vector<PartCost> feed_forward_costs(const BlockConfig& config, const std::string& prefix,
                                                       std::size_t batch, std::size_t seq);
[[nodiscard]] std::vector<PartCost> block_costs(const BlockConfig& config, const std::string& prefix,
                                                std::size_t batch, std::size_t seq);
// One norm of the config's kind by itself, under the name PATH: the last one of a stack, or that of an embedding.
[[nodiscard]] PartCost norm_cost(const BlockConfig& config, const std::string& path, std::size_t batch,
                                 std::size_t seq);
// The bytes that the tape keeps of one attention beyond step 7.7: where a split or a merge of heads is a reshape and a
// transpose, it has two results in place of one. Measured on such tensors.
[[nodiscard]] std::size_t copies_of_reshape(const BlockConfig& config, std::size_t batch, std::size_t query,
                                            std::size_t key);

}  // namespace tfs
