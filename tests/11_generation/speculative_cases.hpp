// tests/11_generation/speculative_cases.hpp · drafts that are right, wrong or anything; and whether the loop does well with them
#pragma once

#include "tests/11_generation/speculative_suspects.hpp"

namespace tfs::test {

// All tokens alike; each text other ones; always the token of `text` that comes next (a perfect draft of this text); always the
// one after that, which is wrong.
Draft uniform_draft(std::size_t vocab);
Draft scattered_draft(std::size_t vocab, std::uint64_t key = 2);
Draft draft_of(const TokenIds& text, std::size_t vocab);
Draft wrong_draft_of(const TokenIds& text, std::size_t vocab);

// Whether generate_speculatively does in each of these cases what the test's own loop does: text, end, numbers, passes of the model,
// texts of the draft, draws. A failure tells the first that differs, and the likely cause.
testing::AssertionResult speculates_rightly(const std::vector<SpeculativeCase>& cases);

// Else the loop can't be checked.
testing::AssertionResult accepted_is_right();

}  // namespace tfs::test
