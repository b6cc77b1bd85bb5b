// chapters/10_training/models/insides.hpp · what a trained decoder of characters has inside: blocks, heads, parts of its stream
#pragma once

#include <string>
#include <vector>

#include "chapters/09_transformer/models/reading.hpp"
#include "chapters/10_training/models/corpus.hpp"

namespace tfs {

// How well the first `count` held-out characters are guessed, in bits a character, if the final norm and the logits read what enters
// the first block, and what leaves each one (the "logit lens" of nostalgebraist, 2020). The last number is that of the model.
[[nodiscard]] std::vector<double> bits_after_each_block(const TextTransformer& model, const Corpus& corpus,
                                                        std::size_t count);

// What leaving a head out costs: bits a character without it (its columns of w_o are 0), less those of the whole model. For each
// block, for each head. The weights are as before afterwards.
[[nodiscard]] std::vector<std::vector<double>> cost_of_each_head(const TextTransformer& model,
                                                                 const Corpus& corpus, std::size_t count);

// What a part of the model adds to the stream at the last position of the text (1, seq) that was read. The parts sum to what leaves
// the last block.
struct StreamPart {
    std::string name;  // "embedding", "block 1, attention", "block 1, feed-forward", …
    std::vector<double> values;
};
[[nodiscard]] std::vector<StreamPart> parts_of_stream(const Reading& reading);

// A context counts only from this position of its window on: at the beginning the model guesses blindly.
inline constexpr std::size_t least_before = 16;

// The strengths of all units of a block, whose first half gave `half`: (batch, seq, d_ff).
[[nodiscard]] Tensor strengths_of_units(const TransformerBlock& block, const Tensor& half);
// The `length` characters that end at a place of windows (batch, seq), or as many as its row has.
[[nodiscard]] std::string text_before(const Tokenizer& tokenizer, const Ids& windows, std::size_t place,
                                      std::size_t length);

}  // namespace tfs
