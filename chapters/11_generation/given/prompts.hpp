// chapters/11_generation/given/prompts.hpp · prompts as a batch, and logits of its rows
#pragma once

#include "chapters/11_generation/generation.hpp"

namespace tfs {

// The longest one.
[[nodiscard]] std::size_t longest(const std::vector<TokenIds>& prompts);

// Columns begin … end - 1 of all prompts, as one batch (prompts, end - begin). A shorter prompt is filled up at its end with token 0:
// no token before it sees that.
[[nodiscard]] Ids columns(const std::vector<TokenIds>& prompts, std::size_t begin, std::size_t end);

// One token for each row: (rows, 1).
[[nodiscard]] Ids one_each(const TokenIds& tokens);

// Logits (batch, seq, vocab) at a position of a row: (vocab), a copy. ValueError if there is no such one.
[[nodiscard]] std::vector<float> logits_at(const Tensor& logits, std::size_t row, std::size_t position);

}  // namespace tfs
