// tests/09_transformer/greedy_suspects.hpp · the greedy loops from the parts of the model, with one thing done wrong
#pragma once

#include "tests/09_transformer/checklist.hpp"

namespace tfs::test {

// Eight tokens after the prompt, and after start_id.
std::vector<std::int64_t> right_text(const Transformer& m, const Ids& prompt);
std::vector<std::int64_t> right_translation(const Transformer& m, const Ids& source, std::int64_t start);

// What is wrong with eight generated tokens, where greedy_token is right; and with eight translated ones, where start_id is 1.
std::string cause_of_tokens(const Transformer& m, const Ids& prompt, const std::vector<std::int64_t>& found);
std::string cause_of_translation(const Transformer& m, const Ids& source,
                                 const std::vector<std::int64_t>& found);

}  // namespace tfs::test
