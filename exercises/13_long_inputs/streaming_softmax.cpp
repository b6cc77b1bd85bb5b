// Step 13.1 · streaming_softmax · ●●○ · 20 min
// exercises/13_long_inputs/streaming_softmax.cpp · check yours with ./tutorial check 13.1
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "chapters/13_long_inputs/given/tiles.hpp"
#include "chapters/13_long_inputs/long_inputs.hpp"

namespace tfs {

void add_key(Partial& partial, float score, std::span<const float> value) {
    require_same_width("add_key", partial.weighted.size(), value.size());
    // TODO 13.1: The weight of this key is exp(score - largest). Where the score is the new largest, `sum` and `weighted` were made with
    // another one. A hidden key has the score -inf, and it may come first.
    throw NotImplemented("13.1 streaming_softmax");
}

std::vector<float> result_of(const Partial& partial) {
    // TODO 13.1: The division, once. Zeros where no key was seen.
    throw NotImplemented("13.1 streaming_softmax");
}

}  // namespace tfs
