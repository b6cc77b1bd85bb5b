// tests/mistakes/05_feed_forward/relu.leaky.cpp · step 5.1 done wrong: negative entries pass with a slope
// The checklist must say: "that is a leaky ReLU"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor relu(const Tensor& x) { return maximum(x, 0.0f) - 0.01f * maximum(-x, 0.0f); }

}  // namespace tfs
