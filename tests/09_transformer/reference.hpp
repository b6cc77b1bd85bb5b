// tests/09_transformer/reference.hpp · what the steps of chapter 09 should give, and what they give with one thing done wrong
//
// Put together from the operations of the tensor layer and from chapter 08.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "chapters/09_transformer/given/ids_and_masks.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

// One thing done wrong in embed, or after it.
enum class Wrong {
    nothing,
    // the scale of the tokens
    other_scale,
    divided,
    times_d_model,
    cut_root,
    root_of_d_k,
    root_of_vocab,
    root_of_max_len,
    root_of_length,
    // what is added too early, twice, or from a wrong place
    added_first,
    segments_first,
    norm_first,
    norm_before_segments,
    added_once_more,
    positions_twice,
    positions_from_1,
    segments_of_tokens,
    positions_across_the_batch,
    new_norm,
    // what is forgotten
    no_positions,
    no_segments,
    one_segment,
    no_norm,
    padding_is_zero,
    table_only,
    // after embed
    no_padding,
    zero_is_padding,
    no_causal_mask,
    no_final_norm,
    second_final_norm,
    no_stack
};

// What embed gives, from the operations of the tensor layer.
Tensor embedded(const Transformer& m, const Ids& ids, const std::optional<Ids>& kinds = std::nullopt,
                Wrong wrong = Wrong::nothing);

// The hidden states of a model of one sequence, from chapter 08.
Tensor reference_hidden(const Transformer& m, const Ids& ids, const std::optional<Ids>& kinds = std::nullopt,
                        Wrong wrong = Wrong::nothing);

Tensor reference_logits(const Transformer& m, const Tensor& hidden);

// What is given in place of these logits.
std::vector<Suspect> logits_suspects(const Transformer& m, const std::function<Tensor()>& logits);

// The first one with the largest score at the last position, of scores (1, seq, vocab).
std::int64_t token_of_largest(const Tensor& scores);

}  // namespace tfs::test
