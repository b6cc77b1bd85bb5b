// chapters/09_transformer/given/ids_and_masks.hpp · small things that the steps of chapter 09 are given
#pragma once

#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

// What a model of this config hands to the stacks of chapter 08.
[[nodiscard]] StackConfig stack_config(const TransformerConfig& config);

// A segment for each id, all of them 0: one sentence alone.
[[nodiscard]] Ids all_in_segment_0(const Ids& ids);

// The padding_mask (chapter 02) of the ids where the config has a pad_id, else none: (batch, 1, 1, seq). Where the pass
// brings keys of earlier positions, their ids are not among these: then it is pass.padding, or, where that is not given, what is
// kept beside these keys. It also hides the columns in which a row of the batch with fewer keys has none.
[[nodiscard]] std::optional<Mask> padding_of(const TransformerConfig& config, const Ids& ids,
                                             const Pass& pass = {});

// One sequence of one token: (1, 1).
[[nodiscard]] Ids one_token(std::int64_t token);

// The sequence, and a token more: (1, seq) -> (1, seq + 1).
[[nodiscard]] Ids appended(const Ids& ids, std::int64_t token);

}  // namespace tfs
