// Step 12.2 · accepted · ●●● · 25 min
// solutions/12_many_texts/accepted.cpp
#include <algorithm>
#include <vector>

#include "chapters/11_generation/generation.hpp"
#include "chapters/12_many_texts/given/many_texts.hpp"
#include "chapters/12_many_texts/many_texts.hpp"

namespace tfs {

TokenIds accepted(const TokenIds& drafted, const std::vector<std::vector<double>>& q,
                  const std::vector<std::vector<double>>& p, Rng& rng) {
    require_drafted("accepted", drafted, q, p);
    // begin: The tokens that stay, then one more. `divide_by_sum` divides.
    TokenIds result;
    for (std::size_t i = 0; i < drafted.size(); ++i) {
        const auto token = static_cast<std::size_t>(drafted[i]);
        if (rng.uniform() * q[i][token] >= p[i][token]) {  // it goes
            std::vector<double> rest(p[i].size());
            for (std::size_t j = 0; j < rest.size(); ++j) rest[j] = std::max(0.0, p[i][j] - q[i][j]);
            const bool nothing = std::all_of(rest.begin(), rest.end(), [](double r) { return r == 0.0; });
            if (nothing) rest = p[i];
            divide_by_sum(rest);
            result.push_back(sample(rest, rng));
            return result;
        }
        result.push_back(drafted[i]);
    }
    result.push_back(sample(p.back(), rng));
    return result;
    // end
}

}  // namespace tfs
