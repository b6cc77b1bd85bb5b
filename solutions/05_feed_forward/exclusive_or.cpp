// Step 5.5 · exclusive_or · ●●○ · 10 min
// solutions/05_feed_forward/exclusive_or.cpp
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "common/nn/parameters.hpp"

namespace tfs {

FeedForward exclusive_or() {
    Rng unused(0);  // the random weights are all replaced
    FeedForward network(2, 2, unused, Activation::relu);
    // begin: Puzzle: write the weight and the bias of network.up and the weight of network.down, so that feature 0 of the result
    // says whether exactly one of the two features of x is 1. The bias of network.down is 0; it may be another. (Another
    // network.activation is allowed.)
    network.up.weight = parameter(Tensor::from({2, 2}, {1, 1, 1, 1}));  // both units add the two features
    network.up.bias = parameter(Tensor::from({2}, {0, -1}));  // the second one only fires for two ones
    network.down.weight = parameter(Tensor::from({2, 2}, {1, -2, 0, 0}));  // row 0 makes feature 0
    // end
    return network;
}

}  // namespace tfs
