// tests/11_generation/checklist.hpp · what the checks of several steps of chapter 11 share
#pragma once

#include <string>
#include <vector>

#include "chapters/11_generation/generation.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

// A decoder whose weights are large enough that its choices differ, with this choice of positions.
TransformerConfig writer_config(const PositionChoice& positions);
// One with each choice of positions, and LLaMA's kind with 2 heads of keys for 4 of queries.
std::vector<Transformer> writers();

// The logits of the whole text, computed anew: (seq, vocab).
Tensor logits_of(const LanguageModel& model, const TokenIds& text);

// The text that `generate` must write, each token from a pass over all that stands before it.
TokenIds written_without_cache(const LanguageModel& model, const TokenIds& prompt,
                               const GenerationOptions& options, Rng rng);

}  // namespace tfs::test
