// tests/11_generation/story.hpp · what generate does, told line by line by a model
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "chapters/11_generation/generation.hpp"

namespace tfs::test {

using Story = std::vector<std::string>;

// This model keeps the tokens that it reads, with their positions. Its logits are drawn anew for each text that a position sees, so
// nothing but the right tokens at the right positions gives the right text. A position sees the newest `window` tokens up to itself.
// Each pass adds its lines to `story`, if there is one: 5@2 is token 5 at position 2.
LanguageModel telling_model(std::size_t max_len, std::optional<std::size_t> window = std::nullopt,
                            Story* story = nullptr);

// What generate is asked, and what the story tells besides the passes.
struct Task {
    std::vector<TokenIds> prompts;
    std::size_t new_tokens = 6;
    std::optional<std::int64_t> end_id = std::nullopt;
    std::optional<std::size_t> window = std::nullopt;
    Sampling sampling = {};
    std::size_t max_len = 24;
    bool rule = false;   // rule 1 forbids the last token, rule 2 the one before; each tells the text
    bool tells = false;  // on_token tells each token
    std::optional<std::int64_t> stop = std::nullopt;  // on_token says false after this token
};

// "end_id", "count", "full" or "stopped".
std::string in_words(Ended ended);

// Whether all passes, tokens and texts, and the next number of each Rng, are those that come from a pass over the whole text for
// each token, without a cache. A failure tells the first line that differs.
testing::AssertionResult does_it_right(const Task& task);

}  // namespace tfs::test
