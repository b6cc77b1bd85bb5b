// chapters/07_block/block.hpp · what chapter 07 builds: the Transformer block. What it costs: cost.hpp beside this file
//
// Sources: Vaswani et al. 2017 (arXiv:1706.03762), section 3.1, for the block; Xiong et al. 2020 (arXiv:2002.04745) for
// the place of the norm; Su et al. 2021 (arXiv:2104.09864) and Touvron et al. 2023 (arXiv:2302.13971) for the rotary one.
// Everything in it is a part of chapters 01 to 06. Axes: batch · seq, query, key (positions) · heads · d_model · d_ff.
// Training or evaluation: as in chapter 06, a null Rng is evaluation.
// Attention returns its weights where `pass.keep_weights` asks for them. They are recorded like the output: a gradient can be sent
// back through them, too.
// Read the lesson in README.md beside this file; write your steps in exercises/07_block/.
#pragma once

#include <functional>
#include <variant>

#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/04_normalization/normalization.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

enum class NormPosition { pre, post };
enum class NormKind { layer_norm, rms_norm };
enum class FeedForwardKind { feed_forward, swiglu };
enum class AttentionBias { none, qkv, all };  // on no projection (LLaMA), on q, k and v (Qwen), on all four

// How a model knows the order of its tokens (chapter 03): one of these, with its own settings. A block works with rotary
// positions and ALiBi only. Sinusoids and learned rows are added to the embeddings, before the first block (chapter 09).
struct NoPositions {};
struct Sinusoids {};
struct LearnedPositions {};
struct Rotary {
    double theta = 10000.0;
    RotaryLayout layout = RotaryLayout::half_split;
};
struct Alibi {};  // the slopes of alibi_slopes
using PositionChoice = std::variant<NoPositions, Sinusoids, LearnedPositions, Rotary, Alibi>;

// The choices in which blocks differ. The defaults are a layer of GPT-2 (Radford et al. 2019), with the exact GELU and
// without its dropout of 0.1.
struct BlockConfig {
    std::size_t d_model = 768;
    std::size_t num_heads = 12;
    // Heads of the keys and values: as many as num_heads unless set. Fewer (grouped queries, Ainslie et al. 2023) divide
    // num_heads, and are for blocks with rotary positions.
    std::optional<std::size_t> num_kv_heads = std::nullopt;
    std::size_t d_ff = 3072;  // of the hidden layer, also SwiGLU's: the caller applies swiglu_hidden_size
    NormPosition norm_position = NormPosition::pre;
    NormKind norm = NormKind::layer_norm;
    float norm_eps = 1e-5f;
    FeedForwardKind feed_forward = FeedForwardKind::feed_forward;
    Activation activation = Activation::gelu;  // of FeedForward; SwiGLU has its own
    AttentionBias attention_bias = AttentionBias::all;
    Bias feed_forward_bias = Bias::yes;  // of FeedForward; SwiGLU has none
    double dropout = 0.0;                // on the weights, the hidden layer and what a sublayer adds
    PositionChoice positions = NoPositions{};
    std::size_t max_len = 2048;  // the longest sequence of the model, and so the rows of a table of positions

    [[nodiscard]] std::size_t kv_heads() const { return num_kv_heads.value_or(num_heads); }
    // uses<Alibi>(): whether `positions` is this choice. rotary(): the settings of rotary positions, or null for others.
    template <class Choice>
    [[nodiscard]] bool uses() const {
        return std::holds_alternative<Choice>(positions);
    }
    [[nodiscard]] const Rotary* rotary() const { return std::get_if<Rotary>(&positions); }
    [[nodiscard]] bool grouped() const { return kv_heads() != num_heads; }
    // The width of all keys, or of all values, of one position.
    [[nodiscard]] std::size_t d_kv() const { return d_model / num_heads * kv_heads(); }
};

// Given (given/block_checks.cpp) · Everything that doesn't fit in a config, one sentence each; empty if all fits. require_valid
// throws all of them in one ValueError: "TransformerBlock: 5 heads don't divide d_model = 768; dropout is 1.5, …".
[[nodiscard]] std::vector<std::string> problems(const BlockConfig& config);
const BlockConfig& require_valid(const std::string& who, const BlockConfig& config);

// Given (given/block.cpp) · The blocks of well-known models (the sizes of their published configurations) …
//   original: Vaswani et al. 2017, base: 512, 8 heads, 2048, post, ReLU, dropout 0.1; no biases on the projections
//   bert:     Devlin et al. 2019, base: post, GELU, eps 1e-12, dropout 0.1
//   gpt2:     Radford et al. 2019, small: pre, tanh GELU, dropout 0.1
//   llama:    Touvron et al. 2023, 7B: pre, RMSNorm, SwiGLU 11008, rotary, no biases
//   qwen:     Bai et al. 2023, 7B: as LLaMA's, with biases on q, k and v
//   llama3:   Meta 2024, Llama 3 8B: as LLaMA's, 14336, 8 heads of keys and values for 32 of queries, theta 500000
//   tinyllama: Zhang et al. 2024, 1.1B: 2048, 32 heads and 4, 5632
// In training these blocks also drop units of the hidden layer, where BERT, GPT-2 and the paper of 2017 have no dropout.
[[nodiscard]] BlockConfig original_block();
[[nodiscard]] BlockConfig bert_block();
[[nodiscard]] BlockConfig gpt2_block();
[[nodiscard]] BlockConfig llama_block();
[[nodiscard]] BlockConfig llama_block(std::size_t d_model, std::size_t num_heads, std::size_t d_ff,
                                      std::size_t max_len);  // of other sizes
[[nodiscard]] BlockConfig qwen_block();
[[nodiscard]] BlockConfig llama3_block();
[[nodiscard]] BlockConfig tinyllama_block();
// … and blocks of any size for experiments (num_heads must divide d_model):
// post-norm with LayerNorm, GELU and dropout 0.1: (768, 12) is a layer of BERT-base with another eps.
[[nodiscard]] BlockConfig post_norm_gelu_block(std::size_t d_model, std::size_t num_heads,
                                               std::size_t multiplier = 4);

// Given (given/block.cpp) · The norm that a config asks for.
struct Norm {
    std::variant<LayerNorm, RMSNorm> kind;

    explicit Norm(const BlockConfig& config);
    Tensor operator()(const Tensor& x) const;  // (..., d_model) -> (..., d_model)
    Parameters parameters() const;             // gamma, beta (of LayerNorm)
};

// Given (given/block.cpp) · The feed-forward network that a config asks for, hidden layer and output apart.
struct FeedForwardNetwork {
    std::variant<FeedForward, SwiGLU> kind;

    FeedForwardNetwork(const BlockConfig& config, Rng& rng);
    Tensor hidden(const Tensor& x) const;       // (..., d_model) -> (..., d_ff)
    Tensor output(const Tensor& hidden) const;  // (..., d_ff) -> (..., d_model)
    Parameters parameters() const;              // up.weight, …: those of FeedForward or SwiGLU
};

// Given (given/block.cpp) · The four projections of a block's attention, without the biases that a config leaves out. With as
// many heads of keys and values as of queries they are those of MultiHeadAttention (chapter 01).
struct Projections {
    std::size_t num_heads;
    Linear w_q;       // d_model -> d_model
    Linear w_k, w_v;  // d_model -> d_kv: the keys and values of config.kv_heads() heads
    Linear w_o;       // d_model -> d_model

    Projections(const BlockConfig& config, Rng& rng);  // draws w_q, w_k, w_v, w_o
    Parameters parameters() const;                     // w_q.weight, w_q.bias, …, w_o.bias
};

// Given (given/block.cpp) · The angles of rotary positions, for max_len of them; none where positions are others.
[[nodiscard]] std::optional<RotaryEmbedding> rotary_of(const BlockConfig& config);

// Given (given/block.cpp) · The sublayer in its place: pre_norm_residual or post_norm_residual (step residual).
[[nodiscard]] Tensor norm_and_add(NormPosition position, const Norm& norm, const Tensor& x,
                                  const Sublayer& sublayer, double p, Rng* rng);
// The same for a sublayer that attends: its output is added, its weights come back beside the result.
using AttendingSublayer = std::function<AttentionOutput(const Tensor&)>;
[[nodiscard]] AttentionOutput norm_and_add(NormPosition position, const Norm& norm, const Tensor& x,
                                           const AttendingSublayer& sublayer, double p, Rng* rng);

// What belongs to one call. Without it a call is evaluation of a whole sequence.
//     block(x, mask, {.rng = &rng})                // training
//     block(x, mask, {.keep_weights = Weights::keep})   // evaluation, and the weights of attention are returned
//     block(x, mask, {.offset = 3})                // x begins at position 3 of its sequence
// Hand the whole `pass` on to what takes a Pass. A new one with `pass.rng` alone loses the rest.
struct Pass {
    Rng* rng = nullptr;  // for dropout in training; null in evaluation
    Offset offset = 0;   // the position of the first row of x: one number, or one for each row of the batch
    Weights keep_weights = Weights::none;  // whether the caller looks at the weights of attention
    // The cache: keys and values of earlier positions, which the caller keeps. Null: there is none, and x attends to itself alone.
    // Where rows of the batch have different numbers of them, the mask must hide the columns before a row's first key, as
    // padding_of (chapter 09) does.
    EarlierKeysValues* earlier = nullptr;
    std::size_t layer = 0;  // the number of the block in its stack
    // With `earlier`: the padding of all keys, (batch, 1, 1, key), where there is any. Only whole models (chapter 09) read it;
    // blocks and stacks get masks and paddings as arguments.
    std::optional<Mask> padding = std::nullopt;

    // The same pass, in the block of this number.
    [[nodiscard]] Pass in_layer(std::size_t number) const;
    // The pass of the encoder, where this one is the target's: the same rng and weights, but position 0 and no cache.
    [[nodiscard]] Pass of_source() const { return {.rng = rng, .keep_weights = keep_weights}; }
    // All keys and values that x attends to: those of the cache, then its own, which are appended to it. Without it, its
    // own alone. ValueError if its own need a gradient and `earlier` keeps rows, which have no tape.
    [[nodiscard]] KeysValues all(const KeysValues& own) const;
    // The number of all keys, where x has `seq` positions. Where rows of the batch have different numbers, the largest.
    [[nodiscard]] std::size_t keys(std::size_t seq) const {
        return (earlier ? earlier->lengths(layer).largest() : 0) + seq;
    }
};

// In evaluation, for a caller who looks at the weights of attention.
inline const Pass with_weights{.keep_weights = Weights::keep};

// Given (given/block.cpp) · Each head `times` times, its copies side by side: heads a b become a a b b.
//   x (batch, heads, seq, d) -> (batch, heads * times, seq, d)
// ShapeError if x does not have four axes, or times is 0.
[[nodiscard]] Tensor repeat_heads(const Tensor& x, std::size_t times);

// The first sublayer of a block, self-attention in its place (Vaswani et al. 2017; Xiong et al. 2020):
//   pre:  x + dropout(attention(norm(x)))        post: norm(x + dropout(attention(x)))
// Attention has two parts: the keys and values of a tensor, and attending to given keys and values. operator() does the
// first, then the second. With keys and values of another tensor, `attend` alone is cross-attention.
struct AttentionSublayer {
    Norm norm;
    Projections attention;
    std::size_t kv_heads;                   // divides attention.num_heads
    std::optional<RotaryEmbedding> rotary;  // the angles, where positions are rotary
    RotaryLayout layout;                    // of these
    bool alibi;                             // whether positions are those of ALiBi
    NormPosition position;
    double dropout;

    // Draws the weights of w_q, w_k, w_v, w_o. ValueError, which lists all problems, where the config doesn't fit.
    AttentionSublayer(const BlockConfig& config, Rng& rng);

    // Step attend · The two parts of multi-head attention (MultiHeadAttention of chapter 01), with rotary positions where the
    // config has them (Su et al. 2021): queries and keys are split into heads, then turned; values are not.
    //   x (batch, key, d_model), its first row at position `offset`
    // Returns keys and values of kv_heads heads.
    // ShapeError if x is not of this shape; ValueError if the table of `rotary` ends before offset + key.
    KeysValues keys_values(const Tensor& x, const Offset& offset = 0) const;
    //   x (batch, query, d_model), its first row at position pass.offset · given: keys and values of any positions
    //   mask: true = may attend, broadcastable to (batch, heads, query, key)
    // The bias of the scores is bias_of(query, given).
    // Head h of the queries attends to head h / (heads / kv_heads) of the keys and values: neighbours share one
    // (repeat_heads). In training (pass.rng) dropout falls on the weights, as in attention_with_dropout. Returns the
    // output (batch, query, d_model), projected by w_o, and the weights (batch, heads, query, key) that were used, as
    // attention_with_dropout returns them for pass.keep_weights. Errors as above, and ShapeError if `given` or the mask does not fit.
    AttentionOutput attend(const Tensor& x, const KeysValues& given,
                           const std::optional<Mask>& mask = std::nullopt, const Pass& pass = {}) const;
    // Given (given/block.cpp) · What ALiBi (chapter 03) adds to the scores of `queries` queries, whose positions are the last of
    // these keys: (1, heads, query, key). Without ALiBi there is no bias.
    std::optional<Tensor> bias_of(std::size_t queries, const KeysValues& given) const;

    // Step block_forward · The sublayer: both parts work on the one tensor that the norm leaves, which is computed
    // once.
    //   x (batch, seq, d_model) -> output (batch, seq, d_model), weights (batch, heads, query, key)
    //   mask: true = may attend, broadcastable to (batch, heads, query, key); with pass.earlier `key` counts all keys
    AttentionOutput operator()(const Tensor& x, const std::optional<Mask>& mask = std::nullopt,
                               const Pass& pass = {}) const;
    Parameters parameters() const;  // w_q.weight, …, w_o.bias, norm.gamma, norm.beta
};

// Step block_forward · The second sublayer, the feed-forward network in its place, as above. In training dropout also falls on
// the hidden layer, between the activation and the second product, as in PyTorch's layer.
struct FeedForwardSublayer {
    Norm norm;
    FeedForwardNetwork network;
    NormPosition position;
    double dropout;

    FeedForwardSublayer(const BlockConfig& config, Rng& rng);         // draws the network's weights; as above
    Tensor operator()(const Tensor& x, const Pass& pass = {}) const;  // (batch, seq, d_model) -> the same
    Parameters parameters() const;  // up.weight, …, down.bias, norm.gamma, norm.beta
};

// Step block_forward · The block: the one sublayer after the other. Equal to torch.nn.TransformerEncoderLayer (norm_first =
// pre) with the same weights.
struct TransformerBlock {
    BlockConfig config;
    AttentionSublayer attention;
    FeedForwardSublayer feed_forward;

    // Draws the weights of attention, then those of feed_forward. ValueError, which lists all problems.
    TransformerBlock(const BlockConfig& config, Rng& rng);

    // x (batch, seq, d_model) -> output (batch, seq, d_model), weights (batch, heads, query, key)
    //   mask and pass as above. ShapeError if the width of x is not d_model, or the mask does not broadcast.
    AttentionOutput operator()(const Tensor& x, const std::optional<Mask>& mask = std::nullopt,
                               const Pass& pass = {}) const;
    Parameters parameters() const;  // attention.w_q.weight, …, feed_forward.norm.beta
};

}  // namespace tfs
