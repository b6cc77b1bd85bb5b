// chapters/07_block/given/it_reader.hpp · an encoder that is asked at "it" which animal that is, given
//
// A stack of this chapter's blocks. Chapter 10 trains it; chapters 07 and 08 draw its maps.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "chapters/07_block/block.hpp"

namespace tfs {

constexpr std::int64_t it_padding = 0;  // the id of the padding
constexpr std::size_t it_longest = 32;  // words: no sentence has more

struct ItReader {
    std::vector<std::string> words;  // words[id]: all that it knows; word 0 is the padding
    Embedding embedding;             // (words, d_model)
    SinusoidalPositionalEncoding positions;
    std::vector<TransformerBlock> blocks;
    Norm final_norm;
    Linear output;  // d_model -> words

    struct Sizes {
        std::size_t d_model = 96, heads = 4, d_ff = 192, layers = 2;
    };
    ItReader(std::vector<std::string> vocabulary, const Sizes& sizes, Rng& rng);

    // What enters the first block: ids (batch, seq) -> (batch, seq, d_model)
    [[nodiscard]] Tensor embed(const Ids& ids) const;
    // logits (batch, seq, words), and the weights of each layer, (batch, heads, query, key).
    struct Reading {
        Tensor logits;
        std::vector<Tensor> weights;
    };
    // embedded (batch, seq, d_model), as `embed` gives it · visible (batch, 1, 1, seq): the words that others may look at
    [[nodiscard]] Reading read(const Tensor& embedded,
                               const std::optional<Mask>& visible = std::nullopt) const;
    // The logits of padded sentences: ids (batch, seq) -> (batch, seq, words)
    [[nodiscard]] Tensor logits(const Ids& ids) const;

    // The ids of these words (1, seq). ValueError, which names it, for a word that it doesn't know, and for more words than
    // it has positions for.
    [[nodiscard]] Ids ids_of(const std::vector<std::string>& sentence) const;
    [[nodiscard]] Parameters parameters() const;  // embedding.weight, encoder.blocks.0.…, output.bias
};

// The weights as a safetensors file of 16-bit numbers, with words, sizes and `metadata` beside them; and a model from such a
// file. FileError if it is none.
void save_it_reader(const ItReader& model, const std::filesystem::path& file,
                    std::map<std::string, std::string> metadata = {});
[[nodiscard]] ItReader load_it_reader(const std::filesystem::path& file);

}  // namespace tfs
