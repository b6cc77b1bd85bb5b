// Step 13.1 · streaming_softmax · ●●○ · 20 min
// solutions/13_long_inputs/streaming_softmax.cpp
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "chapters/13_long_inputs/given/tiles.hpp"
#include "chapters/13_long_inputs/long_inputs.hpp"

namespace tfs {

void add_key(Partial& partial, float score, std::span<const float> value) {
    require_same_width("add_key", partial.weighted.size(), value.size());
    // begin: The weight of this key is exp(score - largest). Where the score is the new largest, `sum` and `weighted` were made with
    // another one. A hidden key has the score -inf, and it may come first.
    if (score == -std::numeric_limits<float>::infinity()) return;
    const float largest = std::max(partial.largest, score);
    const float factor = std::exp(partial.largest - largest);  // of all earlier weights
    const float weight = std::exp(score - largest);
    partial.sum = partial.sum * factor + weight;
    for (std::size_t c = 0; c < value.size(); ++c)
        partial.weighted[c] = partial.weighted[c] * factor + weight * value[c];
    partial.largest = largest;
    // end
}

std::vector<float> result_of(const Partial& partial) {
    // begin: The division, once. Zeros where no key was seen.
    std::vector<float> mean = partial.weighted;
    for (float& number : mean) number = partial.sum == 0.0f ? 0.0f : number / partial.sum;
    return mean;
    // end
}

}  // namespace tfs
