// Step 11.1 · sample · ●●○ · 25 min
// exercises/11_generation/sample.cpp · check yours with ./tutorial check 11.1
#include <cmath>

#include "chapters/11_generation/generation.hpp"
#include "chapters/11_generation/given/generation.hpp"

namespace tfs {

std::vector<double> token_probabilities(std::span<const float> logits, const Sampling& sampling) {
    require_sampling("token_probabilities", logits, sampling);
    std::vector<double> p(logits.size(), 0.0);
    const std::vector<std::size_t> order =
        largest_first(logits);  // ids; of equal logits the smaller id first
    // TODO 11.1: Temperature, then top-k, top-p and min-p, each on what is left, divided by its sum. `divide_by_sum(p)` divides.
    // top_k may be larger than the vocabulary: its default is.
    throw NotImplemented("11.1 sample");
}

std::int64_t sample(std::span<const double> probabilities, Rng& rng) {
    require_probabilities("sample", probabilities);
    // TODO 11.1: One draw, and the token on whose part of the line from 0 to 1 it falls.
    throw NotImplemented("11.1 sample");
}

}  // namespace tfs
