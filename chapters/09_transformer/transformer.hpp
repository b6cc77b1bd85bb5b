// chapters/09_transformer/transformer.hpp · what chapter 09 builds: the whole model, from ids to logits
//
// Sources: Vaswani et al. 2017 (arXiv:1706.03762), sections 3.1, 3.4 and 3.5, for embedding, scale and the
// tied output; Press and Wolf 2017 (arXiv:1608.05859) for tying; Devlin et al. 2019 (arXiv:1810.04805) for
// segments and pooler; Radford et al. 2019 and Touvron et al. 2023 (arXiv:2302.13971) for the decoders. Axes
// as before; vocab (token ids). Read the lesson in README.md beside this file; write your steps in
// exercises/09_transformer/.
#pragma once

#include <filesystem>
#include <functional>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

enum class Architecture { encoder_only, decoder_only, encoder_decoder };

// Every choice that makes one model differ from another. The defaults are a decoder with the sizes of Vaswani's base model, but pre-norm.
struct TransformerConfig {
    Architecture architecture = Architecture::decoder_only;
    std::size_t vocab_size = 32000;
    std::size_t num_layers = 6;  // in an encoder-decoder: on each side
    // The positions of the model are its `positions`, and `max_len` of them.
    BlockConfig block = {
        .d_model = 512, .num_heads = 8, .d_ff = 2048, .positions = Sinusoids{}, .max_len = 512};
    bool scale_embedding = true;  // by sqrt(d_model) (Vaswani et al. 2017, section 3.4)
    bool tied_output = true;      // the logits use the table of the embedding
    bool final_norm = true;
    bool embedding_norm = false;   // BERT: a norm on the sum of embeddings
    std::size_t num_segments = 0;  // BERT: 2, a row for sentence A and one for sentence B
    bool pooler = false;           // BERT: tanh(W x_0 + b) of the first position
    std::optional<std::int64_t> pad_id = std::nullopt;  // this id is padding: no query sees it

    [[nodiscard]] std::size_t max_len() const { return block.max_len; }
};

// Given (given/transformer.cpp) · All errors in a config, those of its block included; and the same as a ValueError that lists
// them.
[[nodiscard]] std::vector<std::string> problems(const TransformerConfig& config);
const TransformerConfig& require_valid(const std::string& who, const TransformerConfig& config);

// Given (given/presets.cpp) · Published models: bert-base, gpt2, llama-7b, qwen-7b, llama3-8b, tinyllama-1.1b,
// original (Vaswani's base, 37,000 tokens) … and small ones that run at once: tiny-encoder, tiny-decoder, tiny-llama,
// tiny-encoder-decoder, textbook (as original, but small). ValueError, which lists the names, where there is none of that name.
[[nodiscard]] TransformerConfig preset(const std::string& name);
[[nodiscard]] std::vector<std::string> preset_names();

struct TransformerOutput {
    Tensor logits;  // (batch, seq, vocab): position t scores each token, before any softmax
    Tensor hidden;  // (batch, seq, d_model): what leaves the stack, after the final norm
    // One for each layer: (batch, heads, query, key) of the one stack, or of the decoder in an encoder-decoder. Without
    // entries where the pass does not ask for weights.
    std::vector<Tensor> self_weights;
    std::vector<Tensor> cross_weights;  // (batch, heads, target, source), of an encoder-decoder only
};

struct Transformer {
    TransformerConfig config;
    Embedding embedding;                                    // (vocab, d_model); source and target share it
    std::optional<SinusoidalPositionalEncoding> sinusoids;  // at most one of these two
    std::optional<LearnedPositionalEmbedding> learned_positions;
    std::optional<Embedding> segments;
    std::optional<Norm> embedding_norm;
    std::variant<Stack, EncoderDecoder> stack;
    std::optional<Linear> pooler;
    std::optional<Linear> output;  // (vocab, d_model), no bias; none where it is tied

    // Given (models/model.cpp): draws the weights in the order of the members, the rows of the tables so that
    // what enters the first block has the size that the architecture is used to: 1 where the embedding is
    // scaled, else 0.02. ValueError, which lists all problems, where the config doesn't fit.
    Transformer(const TransformerConfig& config, Rng& rng);
    // embedding.weight, positions.embedding.weight, segments.weight, … , those of the stack, pooler.…, output.weight.
    // A tied output is not listed again.
    Parameters parameters() const;

    // Step one_sequence · A model of one sequence, of any config. What enters the first block (Vaswani et al. 2017, sections 3.4, 3.5 and 5.4):
    //   dropout(norm(embedding(ids) * sqrt(d_model) + positions + segments))
    // without the factor where scale_embedding is false, and each part only where the config has it.
    //   ids (batch, seq), the first of them at position pass.offset
    //   segment_ids (batch, seq): without them all positions are in segment 0
    //   -> (batch, seq, d_model)
    // ValueError if offset + seq > max_len, an id is outside of the table, or segments are given that the model has not;
    // ShapeError if ids is not (batch, seq), or segment_ids has another shape.
    Tensor embed(const Ids& ids, const Pass& pass = {},
                 const std::optional<Ids>& segment_ids = std::nullopt) const;

    // The scores of all tokens: hidden Eᵀ with the table E of the embedding (Press and Wolf 2017), not scaled again; with the
    // output's own table where it is not tied.
    //   hidden (batch, seq, d_model) -> (batch, seq, vocab)
    Tensor logits(const Tensor& hidden) const;
    // And all of it: embed, the stack (with the padding of pad_id hidden), logits.
    //   ids (batch, seq). Throws as embed; ValueError if the model is an encoder-decoder.
    TransformerOutput operator()(const Ids& ids, const Pass& pass = {},
                                 const std::optional<Ids>& segment_ids = std::nullopt) const;

    // Given (models/two_sequences.cpp) · A model of two sequences, in two halves, so that the encoder runs once for any
    // number of targets.
    //   source (batch, source) -> the memory, with the encoder's weights and the source's padding
    //   pass: the source's, or the target's, of which pass.of_source() is used
    Memory encode(const Ids& source, const Pass& pass = {}) const;
    //   target (batch, target), the first of it at position pass.offset
    //   memory: of as many sources, from encode. ShapeError if the batches differ or its width is not d_model.
    TransformerOutput decode(const Ids& target, const Memory& memory, const Pass& pass = {}) const;
    //   both. Throws ShapeError if source and target differ in batch; ValueError if the model is no
    //   encoder-decoder. The pass is the target's; the encoder gets `pass.of_source()`.
    TransformerOutput operator()(const Ids& source, const Ids& target, const Pass& pass = {}) const;

    // Given: tanh(pooler(hidden at the first position)): (batch, seq, d_model) -> (batch, d_model).
    // ValueError without pooler, ShapeError if hidden is not (batch, seq, d_model).
    Tensor pooled(const Tensor& hidden) const;
};

// Step greedy · The token with the largest logit at the LAST position, of equal ones that with the smallest id.
//   logits (1, seq, vocab). ShapeError if they are not those of one sequence of at least one token;
//   ValueError if one of the last position is NaN: no token has the largest then.
[[nodiscard]] std::int64_t greedy_token(const Tensor& logits);
// Any model that continues a text: from the ids so far (1, seq) to logits (1, seq, vocab).
using NextLogits = std::function<Tensor(const Ids&)>;
// Greedy generation: again and again the greedy token is added, until `end_id` was added or there are `new_tokens` more.
//   prompt (1, seq) -> (1, seq + as many as were generated)
// ShapeError if the prompt is not one sequence; where the text becomes too long for the model, it throws as the model.
[[nodiscard]] Ids generate_greedy(const NextLogits& model, const Ids& prompt, std::size_t new_tokens,
                                  std::optional<std::int64_t> end_id = std::nullopt);

// Given (models/model.cpp) · With a decoder. ValueError if it is none, there is no room in max_len, or end_id is no token.
[[nodiscard]] Ids generate_greedy(const Transformer& model, const Ids& prompt, std::size_t new_tokens,
                                  std::optional<std::int64_t> end_id = std::nullopt);

// Given (models/two_sequences.cpp) · And with an encoder-decoder: the encoder runs once, the decoder begins with start_id.
//   source (1, source), one sequence -> the target (1, 1 + as many as were generated), start_id first
// ValueError if the model is no encoder-decoder, start_id or end_id is no token, or 1 + new_tokens > max_len.
[[nodiscard]] Ids translate_greedy(const Transformer& model, const Ids& source, std::int64_t start_id,
                                   std::size_t new_tokens, std::optional<std::int64_t> end_id = std::nullopt);

// Step induction_head · Puzzle: an induction head, whose weights you write by hand. A decoder with two layers of attention
// and nothing else (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"): no norms, no feed-forward
// network, one head in each layer. A vector has 64 columns in three parts:
//     columns 0 … 15     the token, one 1 and else 0 (16 tokens; token 0, <start>, begins every text)
//     columns 16 … 31    free: all 0
//     columns 32 … 63    the position, a row of SinusoidalPositionalEncoding(32, …)
// Each layer adds softmax(q kᵀ / sqrt(64), causal) v to x, with q = x w_qᵀ, k = x w_kᵀ, v = x w_vᵀ. The logits are the
// columns 0 … 15 of the result: the table of the embedding is used again. So the logit of the current token begins at 1.
struct HandMadeLayer {
    Array w_q, w_k, w_v;  // (64, 64) each: w(row, column) brings the column of x to the row of q, k or v
};
struct InductionModel {
    static constexpr std::size_t vocab_size = 16, d_position = 32, d_model = 2 * vocab_size + d_position;
    static constexpr std::size_t max_len = 64;
    static constexpr std::int64_t start = 0;
    HandMadeLayer first, second;

    InductionModel();  // given: all weights 0
};
// After "A B" and later "A" again, the model must say B. So from a prompt of <start>, a sequence of different tokens, and
// its first token once more, greedy generation must repeat the sequence, up to max_len tokens.
[[nodiscard]] InductionModel induction_head();

// Given (given/presets.cpp) · The model at work, for ids (1, seq). ValueError if there are more than max_len ids or
// one is no token, ShapeError if a weight is not (64, 64).
struct InductionRun {
    Tensor logits;         // (1, seq, vocab)
    Array after_first;     // (seq, d_model): x after the first layer has added its output
    Array first_weights;   // (query, key)
    Array second_weights;  // (query, key)
};
[[nodiscard]] InductionRun run_induction(const InductionModel& model, const Ids& ids);

// Given (models/model.cpp) · The weights as a safetensors file, and back. Loading checks all names and shapes
// before it changes anything; a FileError lists what is missing, unexpected or of another shape.
void save_weights(const Transformer& model, const std::filesystem::path& path);
void load_weights(Transformer& model, const std::filesystem::path& path);

}  // namespace tfs
