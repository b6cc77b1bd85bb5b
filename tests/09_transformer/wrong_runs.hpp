// tests/09_transformer/wrong_runs.hpp · a model put together from chapter 08, with one thing done wrong
#pragma once

#include "tests/09_transformer/checklist.hpp"

namespace tfs::test {

// What a model of one sequence gives in place of the logits, or of the hidden states.
std::vector<Suspect> one_sequence_suspects(const Transformer& m, const Ids& ids,
                                           const std::optional<Ids>& kinds, bool hidden);

// How an encoder-decoder runs. `paddings`: of the encoder, of the memory's keys, of the target.
struct Run {
    Ids source, target;
    std::vector<std::optional<Mask>> paddings;
    Wrong of_source = Wrong::nothing, of_target = Wrong::nothing;
    bool encoded = true, decoded = true;
    std::size_t target_begins = 0;  // at this position
};

// Each padding in its place.
Run right_run(const Transformer& m, const Ids& source, const Ids& target);

// The hidden states of the decoder, from chapter 08.
Tensor reference_decoded(const Transformer& m, const Run& run);

// What an encoder-decoder gives in place of the logits, or of the hidden states.
std::vector<Suspect> two_sequence_suspects(const Transformer& m, const Ids& source, const Ids& target,
                                           bool hidden = false);

}  // namespace tfs::test
