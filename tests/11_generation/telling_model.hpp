// tests/11_generation/telling_model.hpp · a model that tells what it reads, for stories
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chapters/11_generation/generation.hpp"

namespace tfs::test {

// Tokens with their positions, oldest first.
struct Seen {
    TokenIds tokens = {};
    std::vector<std::size_t> positions = {};
};

// The line of a row of a pass, which reads the last `seq` of these.
std::string read_line(const Seen& seen, std::size_t seq);

using Story = std::vector<std::string>;

// This model keeps the ids that it reads as keys, and their positions as values. Its logits are drawn anew for each text that a
// position sees, so nothing but the right tokens at the right positions gives the right text. It tells a line for each row of a pass.
// Without a cache in the pass, a position sees the newest `window` tokens up to itself. Lines are added to `story`, if there is one.
LanguageModel telling_model(std::size_t max_len, std::optional<std::size_t> window = std::nullopt,
                            Story* story = nullptr);

}  // namespace tfs::test
