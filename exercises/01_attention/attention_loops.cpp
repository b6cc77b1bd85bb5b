// Step 1.1 · attention_loops · ●○○ · 15 min
// exercises/01_attention/attention_loops.cpp · check yours with ./tutorial check 1.1
#include <cmath>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

AttentionRows attention_loops(const Rows& queries, const Rows& keys, const Rows& values) {
    const std::size_t d_v = values[0].size();
    Rows weights(queries.size(), std::vector<float>(keys.size(), 0.0f));  // (query, key): zeros
    Rows output(queries.size(), std::vector<float>(d_v, 0.0f));           // (query, d_v): zeros
    // TODO 1.1: Fill in both: for each query the weights of all keys, then the mean of the values with these weights.
    throw NotImplemented("1.1 attention_loops");
    return {output, weights};
}

}  // namespace tfs
