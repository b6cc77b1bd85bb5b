// tests/09_transformer/one_sequence_suspects.hpp · a model put together from chapter 08, with one thing done wrong
#pragma once

#include "tests/09_transformer/checklist.hpp"

namespace tfs::test {

// What a model of one sequence gives in place of the logits, or of the hidden states.
std::vector<Suspect> one_sequence_suspects(const Transformer& m, const Ids& ids,
                                           const std::optional<Ids>& kinds, bool hidden);

}  // namespace tfs::test
