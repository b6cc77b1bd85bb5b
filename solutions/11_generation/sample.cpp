// Step 11.1 · sample · ●●○ · 25 min
// solutions/11_generation/sample.cpp
#include <cmath>

#include "chapters/11_generation/generation.hpp"
#include "chapters/11_generation/given/generation.hpp"

namespace tfs {

std::vector<double> token_probabilities(std::span<const float> logits, const Sampling& sampling) {
    require_sampling("token_probabilities", logits, sampling);
    std::vector<double> p(logits.size(), 0.0);
    const std::vector<std::size_t> order =
        largest_first(logits);  // ids; of equal logits the smaller id first
    // begin: Temperature, then top-k, top-p and min-p, each on what is left, divided by its sum. `divide_by_sum(p)` divides.
    // top_k may be larger than the vocabulary: its default is.
    if (sampling.temperature == 0.0) {
        p[order[0]] = 1.0;
        return p;
    }
    const double largest = logits[order[0]];
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = std::exp((logits[i] - largest) / sampling.temperature);
    for (std::size_t rank = sampling.top_k; rank < p.size(); ++rank) p[order[rank]] = 0.0;
    divide_by_sum(p);

    double sum = 0.0;  // of the tokens before this one
    for (const std::size_t id : order) {
        const bool reached = sampling.top_p < 1.0 && sum >= sampling.top_p;
        sum += p[id];
        if (reached) p[id] = 0.0;
    }
    divide_by_sum(p);

    const double least = sampling.min_p * p[order[0]];
    for (double& one : p)
        if (one < least) one = 0.0;
    divide_by_sum(p);
    return p;
    // end
}

std::int64_t sample(std::span<const double> probabilities, Rng& rng) {
    require_probabilities("sample", probabilities);
    // begin: One draw, and the token on whose part of the line from 0 to 1 it falls.
    const double u = rng.uniform();
    double sum = 0.0;
    std::size_t last = 0;  // the last token that is not 0
    for (std::size_t id = 0; id < probabilities.size(); ++id) {
        if (probabilities[id] == 0.0) continue;
        sum += probabilities[id];
        last = id;
        if (u < sum) break;
    }
    return static_cast<std::int64_t>(last);
    // end
}

}  // namespace tfs
