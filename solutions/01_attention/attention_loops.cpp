// Step 1.1 · attention_loops · ●○○ · 15 min
// solutions/01_attention/attention_loops.cpp
#include <cmath>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

AttentionRows attention_loops(const Rows& queries, const Rows& keys, const Rows& values) {
    const std::size_t d_v = values[0].size();
    Rows weights(queries.size(), std::vector<float>(keys.size(), 0.0f));  // (query, key): zeros
    Rows output(queries.size(), std::vector<float>(d_v, 0.0f));           // (query, d_v): zeros
    // begin: Fill in both: for each query the weights of all keys, then the mean of the values with these weights.
    const std::size_t d_k = keys[0].size();
    const float root = std::sqrt(static_cast<float>(d_k));
    for (std::size_t i = 0; i < queries.size(); ++i) {
        float total = 0.0f;
        for (std::size_t j = 0; j < keys.size(); ++j) {
            float score = 0.0f;
            for (std::size_t c = 0; c < d_k; ++c) score += queries[i][c] * keys[j][c];
            weights[i][j] = std::exp(score / root);
            total += weights[i][j];
        }
        for (std::size_t j = 0; j < keys.size(); ++j) {
            weights[i][j] /= total;
            for (std::size_t c = 0; c < d_v; ++c) output[i][c] += weights[i][j] * values[j][c];
        }
    }
    // end
    return {output, weights};
}

}  // namespace tfs
