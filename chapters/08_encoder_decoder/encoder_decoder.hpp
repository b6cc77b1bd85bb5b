// chapters/08_encoder_decoder/encoder_decoder.hpp · what chapter 08 builds: encoder, decoder, and both
//
// Sources: Vaswani et al. 2017 (arXiv:1706.03762), sections 3.1 and 3.2.3, for encoder, decoder and
// cross-attention; Devlin et al. 2019 (arXiv:1810.04805) for the encoder alone; Radford et al. 2018 and 2019
// for the decoder alone; Raffel et al. 2020 (arXiv:1910.10683) for a comparison of the three kinds. Axes as in chapter
// 07; source (positions of the encoder's input) and target (positions of the decoder's).
// The memory is the encoder's output. Each cross-attention makes keys and values of it, once for a source, which are the argument
// `keys_values`; the struct Memory holds those of all blocks.
// A Pass holds what belongs to one call, as in chapter 07. Every mask that you pass in is a padding mask, true = may attend,
// as padding_mask (chapter 02) gives it: (batch, 1, 1, seq), or (1, 1, 1, seq) where all sequences have the same padding. Where a
// pass has a cache, the mask covers all keys. Any other shape is a ShapeError: a stack makes its causal
// mask itself, and a mask (batch, seq) could be taken for one of (query, key).
// Attention returns its weights where `pass.keep_weights` asks for them, recorded like the output, as in chapter 07. Without it, the
// weights of a layer may be a tensor without entries.
// Read the lesson in README.md beside this file; write your steps in exercises/08_encoder_decoder/.
#pragma once

#include "chapters/07_block/block.hpp"

namespace tfs {

// The two kinds of stack. Both are made of the block of chapter 07; their masks differ.
enum class StackKind {
    encoder,  // BERT's kind: every position looks at every real one, before and after it
    decoder,  // GPT's kind: no position looks at a later one
};

// Given (given/stacks.cpp) · The mask of self-attention in such a stack, for `seq` positions. A decoder has a causal
// mask.
//   padding (batch, 1, 1, key): true = a real token. In a decoder both masks hold together.
// Returns for an encoder the padding as it is, for a decoder (1, 1, query, key), or with padding (batch, 1, query, key).
// There are `pass.keys(seq)` keys: more keys than queries, where the pass has a cache. The queries are
// the last positions of the keys, whatever pass.offset is.
[[nodiscard]] std::optional<Mask> self_attention_mask(StackKind kind, std::size_t seq,
                                                      const std::optional<Mask>& padding = std::nullopt,
                                                      const Pass& pass = {});

// A stack: `num_layers` blocks of one config, and a norm at the end.
struct StackConfig {
    BlockConfig block;
    std::size_t num_layers = 6;
    bool final_norm = true;  // needed with pre-norm; BERT, which is post-norm, has none
};

// Given (given/stacks.cpp) · All errors in a config and in that of its block, one sentence each; and the
// same as a ValueError that lists them all.
[[nodiscard]] std::vector<std::string> problems(const StackConfig& config);
const StackConfig& require_valid(const std::string& who, const StackConfig& config);

struct StackOutput {
    Tensor output;                // (batch, seq, d_model)
    std::vector<Tensor> weights;  // one for each layer: (batch, heads, query, key)
};

// Step stack · Blocks one after the other, all under one mask, then the final norm. An encoder or a decoder.
struct Stack {
    StackKind kind;
    std::vector<TransformerBlock> blocks;
    std::optional<Norm> final_norm;

    // ValueError, which lists all problems: those of the block, and 0 layers.
    Stack(StackKind kind, const StackConfig& config, Rng& rng);

    // x (batch, seq, d_model) · padding (batch, 1, 1, key): true = a real token
    // Returns the output (batch, seq, d_model) and the weights of every layer.
    // Throws ShapeError if x or the padding is not of these shapes.
    StackOutput operator()(const Tensor& x, const std::optional<Mask>& padding = std::nullopt,
                           const Pass& pass = {}) const;
    Parameters parameters() const;  // blocks.0.attention.w_q.weight, …, final_norm.gamma, final_norm.beta
};

// Step cross_attention_block · Cross-attention in its place (Vaswani et al. 2017, section 3.2.3): queries from the
// decoder, keys and values from the memory.
//   pre:  x + dropout(attend(norm(x), keys_values))   post: norm(x + dropout(attend(x, keys_values)))
// The sublayer's norm is for x alone. It has neither rotary positions nor ALiBi: source and target each have their own
// position 0. Dropout falls on the weights, too, as in attention_with_dropout (chapter 06).
//   x (batch, target, d_model) · source_padding (batch, 1, 1, source) · pass: the target's
//   keys_values: what sublayer.keys_values makes of the memory, the encoder's output
// Returns the output (batch, target, d_model) and the weights (batch, heads, target, source).
// Throws ShapeError if the batches of x and keys_values differ (it names both sizes; a batch of 1 does not broadcast), the
// width of x is not d_model, or source_padding is not one of the memory's positions.
AttentionOutput cross_attention(const AttentionSublayer& sublayer, const Tensor& x,
                                const KeysValues& keys_values,
                                const std::optional<Mask>& source_padding = std::nullopt,
                                const Pass& pass = {});

// What the decoder's block of an encoder-decoder returns.
struct CrossBlockOutput {
    Tensor output;         // (batch, target, d_model)
    Tensor self_weights;   // (batch, heads, target, target)
    Tensor cross_weights;  // (batch, heads, target, source)
};

// And the decoder's block in an encoder-decoder (the original Transformer, T5): causal self-attention, then
// cross-attention, then the feed-forward network. Three sublayers, three norms.
struct EncoderDecoderBlock {
    AttentionSublayer self_attention;
    AttentionSublayer cross;
    FeedForwardSublayer feed_forward;

    // Draws the weights in this order. ValueError, which lists all problems, where the config doesn't fit.
    EncoderDecoderBlock(const BlockConfig& config, Rng& rng);

    // x (batch, target, d_model) · keys_values: what cross.keys_values makes of the memory
    //   source_padding (batch, 1, 1, source) hides keys of cross-attention, target_padding (batch, 1, 1, target) keys of
    //   self-attention. The causal mask is for self-attention only.
    // Throws as cross_attention, and ShapeError if target_padding is not one of x's positions.
    CrossBlockOutput operator()(const Tensor& x, const KeysValues& keys_values,
                                const std::optional<Mask>& source_padding = std::nullopt,
                                const std::optional<Mask>& target_padding = std::nullopt,
                                const Pass& pass = {}) const;
    Parameters parameters() const;  // self_attention.w_q.weight, …, cross.…, feed_forward.…
};

// The memory is the encoder's output. With it what a decoder needs of a source, made once for any number of targets.
struct Memory {
    Tensor output;                               // of the encoder: (batch, source, d_model)
    std::optional<Mask> padding = std::nullopt;  // of the source: (batch, 1, 1, source)
    std::vector<KeysValues> layers = {};         // what the cross-attention of each block makes of the output
    std::vector<Tensor> weights = {};            // of the encoder, one for each of its layers
};

struct CrossStackOutput {
    Tensor output;                                    // (batch, target, d_model)
    std::vector<Tensor> self_weights, cross_weights;  // one of each for each layer
};

// Step encoder_decoder · Both (Vaswani et al. 2017, figure 1). The encoder runs once for a source. Every block of the
// decoder uses its output, for every token that is generated.
struct EncoderDecoder {
    Stack encoder;
    std::vector<EncoderDecoderBlock> blocks;  // the decoder's
    std::optional<Norm> final_norm;           // the decoder's

    // As many layers on both sides. Draws the encoder's weights, then the decoder's. ValueError as Stack.
    EncoderDecoder(const StackConfig& config, Rng& rng);

    // source (batch, source, d_model) -> the memory, which holds the source's padding, too.
    //   pass: the source's own; of a target's pass it is `pass.of_source()`
    Memory encode(const Tensor& source, const std::optional<Mask>& source_padding = std::nullopt,
                  const Pass& pass = {}) const;
    // The memory of any encoder output (batch, source, d_model): its keys and values for each block.
    Memory memory_of(const Tensor& output, const std::optional<Mask>& source_padding = std::nullopt) const;
    // target (batch, target, d_model) -> output (batch, target, d_model)
    CrossStackOutput decode(const Tensor& target, const Memory& memory,
                            const std::optional<Mask>& target_padding = std::nullopt,
                            const Pass& pass = {}) const;
    // decode(target, encode(source)): ShapeError if the batches differ, before the encoder runs. The pass is the
    // target's; the encoder gets `pass.of_source()`.
    CrossStackOutput operator()(const Tensor& source, const Tensor& target,
                                const std::optional<Mask>& source_padding = std::nullopt,
                                const std::optional<Mask>& target_padding = std::nullopt,
                                const Pass& pass = {}) const;
    // encoder.blocks.0.…, encoder.final_norm.…, decoder.blocks.0.self_attention.…, decoder.final_norm.…
    Parameters parameters() const;
};

// Step backwards_head · Puzzle: a head of cross-attention that reads a source of n positions backwards. Write its
// weights by hand.
//   x = the rows 0 … n - 1 of SinusoidalPositionalEncoding(32, …), no words; the decoder's x and the memory are both x
//   q = x w_qᵀ · k = x w_kᵀ · d_k is yours to choose · weights = softmax(q kᵀ / sqrt(d_k)): (target, source), no mask
// Target t attends to source n - 1 - t with at least 0.9, for t = 0 … n - 1 and for each n from 1 to 32. The weights may
// depend on n. PositionHead is that of the puzzle of chapter 03; weights_among_positions(backwards_head(n), n) gives
// the map.
[[nodiscard]] PositionHead backwards_head(std::size_t n);

}  // namespace tfs
