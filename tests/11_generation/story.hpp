// tests/11_generation/story.hpp · what generate does, told line by line
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/11_generation/telling_model.hpp"

namespace tfs::test {

// What generate is asked, and what the story tells besides the passes.
struct Task {
    std::vector<TokenIds> prompts;
    std::size_t new_tokens = 6;
    std::optional<std::int64_t> end_id = std::nullopt;
    std::optional<std::size_t> window = std::nullopt;
    Sampling sampling = {};
    std::size_t max_len = 24;
    bool rule = false;   // a rule forbids the last two tokens of a text, and tells the text
    bool tells = false;  // on_token tells each token
    std::optional<std::int64_t> stop = std::nullopt;  // on_token says false after this token
};

using Generate = std::function<std::vector<Generated>(const LanguageModel&, const std::vector<TokenIds>&,
                                                      const GenerationOptions&, std::vector<Rng>&)>;

// All passes, tokens and texts, and the next number of each Rng. The last line is an error, where one came.
Story story_of(const Task& task, const Generate& generate);
// The same from a pass over the whole text for each token, without a cache.
Story expected_story(const Task& task);

// Whether generate does what it should. A failure tells the first line that differs, and what is done wrong, where one wrong thing
// explains the whole story.
testing::AssertionResult does_it_right(const Task& task);

}  // namespace tfs::test
