// chapters/07_block/models/it_reader.hpp · the blocks of trained models, and an encoder that is asked at "it" which animal that is
//
// The encoder is a stack of this chapter's blocks. Chapter 10 trains it; chapters 07 and 08 draw its maps.
#pragma once

#include <string>
#include <vector>

#include "chapters/07_block/block.hpp"
#include "common/io/trained_model.hpp"

namespace tfs {

// Blocks of GPT-2's kind in the sizes of a trained model, with its positions.
[[nodiscard]] BlockConfig block_config(const ModelConfig& model);

constexpr std::int64_t it_padding = 0;  // the id of the padding
constexpr std::size_t it_longest = 32;  // words: no sentence has more

// The files of its weights, such as weights/it.safetensors; and the sizes of the one that chapter 10 trains.
[[nodiscard]] const ModelKind& it_reader_kind();
[[nodiscard]] ModelConfig it_reader_config();

struct ItReader {
    ModelConfig config;
    Tokenizer tokenizer;  // all words that it knows, and the padding
    Embedding embedding;  // (words, d_model)
    SinusoidalPositionalEncoding positions;
    std::vector<TransformerBlock> blocks;
    Norm final_norm;
    Linear output;  // d_model -> words

    ItReader(const Tokenizer& words, const ModelConfig& sizes, Rng& rng);

    // What enters the first block: ids (batch, seq) -> (batch, seq, d_model)
    [[nodiscard]] Tensor embed(const Ids& ids) const;
    // logits (batch, seq, words), and the weights of each layer, (batch, heads, query, key).
    struct Reading {
        Tensor logits;
        std::vector<Tensor> weights;
    };
    // embedded (batch, seq, d_model), as `embed` gives it · visible (batch, 1, 1, seq): the words that others may look at
    // pass: whether the weights come back
    [[nodiscard]] Reading read(const Tensor& embedded, const std::optional<Mask>& visible = std::nullopt,
                               const Pass& pass = {}) const;
    // The logits of padded sentences: ids (batch, seq) -> (batch, seq, words)
    [[nodiscard]] Tensor logits(const Ids& ids) const;

    // The ids of these words, (1, seq). ValueError for a word that it doesn't know, and for more words than it has positions
    // for.
    [[nodiscard]] Ids encode(const Tokens& sentence) const {
        return tokenizer.encode(sentence, config.max_len);
    }
    [[nodiscard]] Parameters parameters() const;  // embedding.weight, encoder.blocks.0.…, output.bias
};

// The position of "it". ValueError if there is none.
[[nodiscard]] std::size_t place_of_it(const std::vector<std::string>& sentence);

}  // namespace tfs
