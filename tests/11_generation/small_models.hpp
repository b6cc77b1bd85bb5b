// tests/11_generation/small_models.hpp · models without weights, that show what they were given
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "chapters/11_generation/generation.hpp"

namespace tfs::test {

// The logits of the token after a text.
using LogitsAfter = std::function<std::vector<float>(std::span<const std::int64_t> text)>;

// After each text others, between 0 and `largest`, as if drawn.
LogitsAfter scattered_logits(std::size_t vocab, std::uint64_t key = 1, float largest = 3.0f);

// A model with these logits. It knows the earlier tokens only from the keys of the pass: a cache that keeps wrong rows, or a wrong
// offset, gives other logits.
LanguageModel small_model(std::size_t vocab, std::size_t max_len, const LogitsAfter& logits_after);

// What one pass read, and of what it was told.
struct ReadPass {
    TokenIds tokens = {};                  // of the first row of the batch
    std::size_t rows = 1;                  // of the batch
    std::optional<std::size_t> kept = {};  // positions in the cache before it; none without a cache
    std::size_t offset = 0;

    bool operator==(const ReadPass&) const = default;
};

// The same model, which notes its passes in `passes`; that must live as long.
LanguageModel watched(const LanguageModel& model, std::vector<ReadPass>& passes);

}  // namespace tfs::test
