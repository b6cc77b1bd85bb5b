// chapters/08_encoder_decoder/encoder_decoder.hpp · what chapter 08 builds: encoder, decoder, and both
//
// Sources: Vaswani et al. 2017 (arXiv:1706.03762), sections 3.1 and 3.2.3, for encoder, decoder and
// cross-attention; Devlin et al. 2019 (arXiv:1810.04805) for the encoder alone; Radford et al. 2018 and 2019
// for the decoder alone; Raffel et al. 2020 (arXiv:1910.10683) for the three kinds beside each other. Axes as
// before; source (positions of the encoder's input) and target (positions of the decoder's). `memory` is the
// encoder's output, (batch, source, d_model).
// Training or evaluation: as in chapter 06, a null Rng is evaluation. Every mask is a padding mask, true = may
// attend, as padding_mask (step 2.1) gives it: (batch, 1, 1, seq), or (1, 1, 1, seq) where all sequences are
// padded alike. Any other shape is a ShapeError: a causal mask is made by the blocks that need one, and a mask
// (batch, seq) would pass for one of (query, key) where both are equal.
// Read the lesson in README.md beside this file; write your steps in exercises/08_encoder_decoder/.
#pragma once

#include "chapters/07_block/block.hpp"

namespace tfs {

// Step 8.1 · The encoder's block (BERT's kind): every position looks at every real one, before and after it.
// It IS the block of chapter 07, with a padding mask or none.
struct EncoderBlock {
    TransformerBlock block;

    EncoderBlock(const BlockConfig& config, Rng& rng);

    // x (batch, seq, d_model) · padding: true = a real token, (batch, 1, 1, seq), as padding_mask gives it
    // Returns the output (batch, seq, d_model) and the weights (batch, heads, query, key).
    // Throws ShapeError where x or the padding is not of these shapes.
    AttentionOutput operator()(const Tensor& x, const std::optional<Mask>& padding = std::nullopt,
                               Rng* rng = nullptr) const;
    Parameters parameters() const;  // those of the block, no prefix
};

// Step 8.2 · The decoder's block (GPT's kind): the same block, and a causal mask that it makes itself, so
// that nobody can forget it. No position looks at a later one.
struct DecoderBlock {
    TransformerBlock block;

    DecoderBlock(const BlockConfig& config, Rng& rng);

    // As above; `padding` and the causal mask hold together.
    AttentionOutput operator()(const Tensor& x, const std::optional<Mask>& padding = std::nullopt,
                               Rng* rng = nullptr) const;
    Parameters parameters() const;  // those of the block, no prefix
};

// Step 8.3 · Cross-attention in its place (Vaswani et al. 2017, section 3.2.3): queries from the decoder,
// keys and values from the encoder.
//   pre:  x + dropout(attention(norm(x), memory, memory))
//   post: norm(x + dropout(attention(x, memory, memory)))
// The sublayer's norm is for x alone: memory has been normed by the encoder's last norm. No rotary positions:
// source and target count from different beginnings. Dropout on the weights too, as in step 6.5.
//   x (batch, target, d_model) · memory (batch, source, d_model) · source_padding (batch, 1, 1, source)
// Returns the output (batch, target, d_model) and the weights (batch, heads, target, source).
// Throws ShapeError where the batches of x and memory differ (it names both sizes; a batch of 1 does not
// broadcast), a width is not d_model, or source_padding is not one of the memory's positions.
AttentionOutput cross_attention(const AttentionSublayer& sublayer, const Tensor& x, const Tensor& memory,
                                const std::optional<Mask>& source_padding = std::nullopt, Rng* rng = nullptr);

// What a block of the encoder-decoder gives back.
struct CrossBlockOutput {
    Tensor output;         // (batch, target, d_model)
    Tensor self_weights;   // (batch, heads, target, target)
    Tensor cross_weights;  // (batch, heads, target, source)
};

// Step 8.4 · The decoder's block in an encoder-decoder (the original Transformer, T5): causal self-attention,
// then cross-attention, then the feed-forward network. Three sublayers, three norms.
struct EncoderDecoderBlock {
    AttentionSublayer self_attention;
    AttentionSublayer cross;
    FeedForwardSublayer feed_forward;

    // Draws the weights in this order. ValueError, which lists all problems, where the config doesn't fit.
    EncoderDecoderBlock(const BlockConfig& config, Rng& rng);

    // x (batch, target, d_model) · memory (batch, source, d_model)
    //   source_padding (batch, 1, 1, source) hides keys of cross-attention, target_padding
    //   (batch, 1, 1, target) keys of self-attention; the causal mask falls on self-attention only.
    // Throws as cross_attention, and ShapeError where target_padding is not one of x's positions.
    CrossBlockOutput operator()(const Tensor& x, const Tensor& memory,
                                const std::optional<Mask>& source_padding = std::nullopt,
                                const std::optional<Mask>& target_padding = std::nullopt,
                                Rng* rng = nullptr) const;
    Parameters parameters() const;  // self_attention.w_q.weight, …, cross.…, feed_forward.…
};

// A stack: so many equal blocks, and a norm at the end where blocks are pre-norm, whose sum nobody has normed
// yet.
struct StackConfig {
    BlockConfig block;
    std::size_t num_layers = 6;
    bool final_norm = true;  // torch.nn.Transformer has one with post-norm too; BERT has none
};

// Given (given/checks.cpp) · Everything in a config that doesn't fit, that of its block included, and the
// same as a ValueError that lists them all.
[[nodiscard]] std::vector<std::string> problems(const StackConfig& config);
const StackConfig& require_valid(const std::string& who, const StackConfig& config);

struct StackOutput {
    Tensor output;                // (batch, seq, d_model)
    std::vector<Tensor> weights;  // one for each layer: (batch, heads, query, key)
};

// Step 8.5 · Encoder blocks one after the other, then the final norm.
struct Encoder {
    std::vector<EncoderBlock> blocks;
    std::optional<Norm> final_norm;

    // ValueError, which lists all problems: those of the block, and 0 layers.
    Encoder(const StackConfig& config, Rng& rng);

    StackOutput operator()(const Tensor& x, const std::optional<Mask>& padding = std::nullopt,
                           Rng* rng = nullptr) const;
    Parameters parameters() const;  // blocks.0.attention.w_q.weight, …, final_norm.gamma, final_norm.beta
};

// Step 8.6 · Decoder blocks one after the other, then the final norm.
struct Decoder {
    std::vector<DecoderBlock> blocks;
    std::optional<Norm> final_norm;

    Decoder(const StackConfig& config, Rng& rng);  // as above

    StackOutput operator()(const Tensor& x, const std::optional<Mask>& padding = std::nullopt,
                           Rng* rng = nullptr) const;
    Parameters parameters() const;  // as above
};

struct CrossStackOutput {
    Tensor output;                                    // (batch, target, d_model)
    std::vector<Tensor> self_weights, cross_weights;  // one of each for each layer
};

// Step 8.7 · Both (Vaswani et al. 2017, figure 1). The encoder runs once for a source; what it gives is used
// by every block of the decoder, and again for every token that is generated.
struct EncoderDecoder {
    Encoder encoder;
    std::vector<EncoderDecoderBlock> blocks;  // the decoder's
    std::optional<Norm> final_norm;           // the decoder's

    // As many layers on both sides. Draws the encoder's weights, then the decoder's. ValueError as Encoder.
    EncoderDecoder(const StackConfig& config, Rng& rng);

    // source (batch, source, d_model) -> memory, the encoder's output
    StackOutput encode(const Tensor& source, const std::optional<Mask>& source_padding = std::nullopt,
                       Rng* rng = nullptr) const;
    // target (batch, target, d_model), memory (batch, source, d_model) -> output (batch, target, d_model)
    CrossStackOutput decode(const Tensor& target, const Tensor& memory,
                            const std::optional<Mask>& source_padding = std::nullopt,
                            const std::optional<Mask>& target_padding = std::nullopt,
                            Rng* rng = nullptr) const;
    // decode(target, encode(source)): ShapeError where the batches differ, before the encoder runs.
    CrossStackOutput operator()(const Tensor& source, const Tensor& target,
                                const std::optional<Mask>& source_padding = std::nullopt,
                                const std::optional<Mask>& target_padding = std::nullopt,
                                Rng* rng = nullptr) const;
    // encoder.blocks.0.…, encoder.final_norm.…, decoder.blocks.0.self_attention.…, decoder.final_norm.…
    Parameters parameters() const;
};

// Given (given/costs.cpp) · The parts of a stack in the order of the data flow, for print_summary(): one
// block, repeated num_layers times, and the final norm. Names are paths that begin with `prefix`: "encoder"
// gives "encoder.blocks.attention.norm". An encoder and a decoder cost the same: the mask is the difference.
[[nodiscard]] std::vector<PartCost> stack_costs(const StackConfig& config, const std::string& prefix,
                                                std::size_t batch, std::size_t seq);
// The decoder of an encoder-decoder alone: `target` positions, and a memory of `source`.
[[nodiscard]] std::vector<PartCost> cross_stack_costs(const StackConfig& config, const std::string& prefix,
                                                      std::size_t batch, std::size_t source,
                                                      std::size_t target);
// Both: "encoder.…", "decoder.…".
[[nodiscard]] std::vector<PartCost> encoder_decoder_costs(const StackConfig& config, std::size_t batch,
                                                          std::size_t source, std::size_t target);

}  // namespace tfs
