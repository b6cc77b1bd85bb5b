// Step 12.3 · lookup_draft · ●●○ · 25 min
// solutions/12_many_texts/lookup_draft.cpp
#include <algorithm>
#include <vector>

#include "chapters/12_many_texts/given/many_texts.hpp"
#include "chapters/12_many_texts/many_texts.hpp"

namespace tfs {

std::vector<double> lookup_draft(std::span<const std::int64_t> text, std::size_t vocab_size) {
    require_lookup(text, vocab_size);
    // begin: Where stood the newest tokens before, and what followed them there? How many tokens must agree, and which place counts if
    // there are several, is your choice. Return {} where the text says nothing.
    constexpr std::size_t longest_match = 8, shortest_match = 2;
    for (std::size_t n = std::min(longest_match, text.size() - 1); n >= shortest_match; --n) {
        const auto newest = text.last(n);
        for (std::size_t begin = text.size() - n; begin-- > 0;) {  // the latest place first
            if (!std::ranges::equal(text.subspan(begin, n), newest)) continue;
            std::vector<double> q(vocab_size, 0.0);
            q[static_cast<std::size_t>(text[begin + n])] = 1.0;
            return q;
        }
    }
    return {};
    // end
}

}  // namespace tfs
