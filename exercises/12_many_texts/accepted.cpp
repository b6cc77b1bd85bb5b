// Step 12.2 · accepted · ●●● · 25 min
// exercises/12_many_texts/accepted.cpp · check yours with ./tutorial check 12.2
#include <algorithm>
#include <vector>

#include "chapters/11_generation/generation.hpp"
#include "chapters/12_many_texts/given/many_texts.hpp"
#include "chapters/12_many_texts/many_texts.hpp"

namespace tfs {

TokenIds accepted(const TokenIds& drafted, const std::vector<std::vector<double>>& q,
                  const std::vector<std::vector<double>>& p, Rng& rng) {
    require_drafted("accepted", drafted, q, p);
    // TODO 12.2: The tokens that stay, then one more. `divide_by_sum` divides.
    throw NotImplemented("12.2 accepted");
}

}  // namespace tfs
