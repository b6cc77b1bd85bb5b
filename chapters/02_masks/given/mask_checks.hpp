// chapters/02_masks/given/mask_checks.hpp · the checks of chapter 02, given
#pragma once

#include <string_view>

#include "common/tensor.hpp"

namespace tfs {

// ids (batch, seq) with at least one sequence and one position.
void require_sequences(std::string_view operation, const Ids& ids);

// At least one position.
void require_seq(std::string_view operation, std::size_t seq);

// At least one query, and a key for each of them after the first `offset` keys.
void require_causal_sizes(std::size_t queries, std::size_t keys, std::size_t offset);

}  // namespace tfs
