// tests/11_generation/checklist.hpp · what the tests of chapter 11 share: models that write, and their texts without a cache
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chapters/11_generation/generation.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

// --- models of chapter 09

// A small decoder with this choice of positions.
TransformerConfig writer_config(const PositionChoice& positions);
// One with each choice of positions, and LLaMA's kind with 2 heads of keys for 4 of queries. Their weights are large enough that their
// choices differ.
std::vector<Transformer> writers();
// An encoder-decoder of the same sizes.
Transformer translator();
// Both, the translator after it has read a source.
std::vector<LanguageModel> language_models();

// The logits of the whole text, computed anew: (seq, vocab).
Tensor logits_of(const LanguageModel& model, const TokenIds& text);

// The text that `generate` must write, each token from a pass over all that stands before it.
TokenIds written_without_cache(const LanguageModel& model, const TokenIds& prompt,
                               const GenerationOptions& options, Rng rng);

// --- models without weights

// The logits of the token after a text.
using LogitsAfter = std::function<std::vector<float>(std::span<const std::int64_t> text)>;

// After each text others, between 0 and `largest`, as if drawn.
LogitsAfter scattered_logits(std::size_t vocab, std::uint64_t key = 1, float largest = 3.0f);

// What happens, line by line.
using Story = std::vector<std::string>;
// "ended by new_tokens"
std::string in_words(Ended ended);

// A model with these logits. It knows the earlier tokens and their positions only from the keys of the pass: where a cache keeps wrong
// rows, or there is a gap between positions, it gives other logits. Each pass adds its line to `story`, if there is one.
LanguageModel small_model(std::size_t vocab, std::size_t max_len, const LogitsAfter& logits_after,
                          Story* story = nullptr);

// The line of a pass that reads `seq` tokens of each text from `begin` on, or the last one of each. A position sees the newest `window`.
//     the model reads 4@2 behind 3@0 1@1 | 6@2 behind 9@0 2@1      two texts; 4@2 is token 4 at position 2
std::string pass_line(const std::vector<TokenIds>& texts, std::optional<std::size_t> begin, std::size_t seq,
                      std::size_t window = std::numeric_limits<std::size_t>::max());

// Whether the story is as it must be. A failure tells the first line that differs, after those before it.
testing::AssertionResult is_told(Story story, Story expected);

}  // namespace tfs::test
