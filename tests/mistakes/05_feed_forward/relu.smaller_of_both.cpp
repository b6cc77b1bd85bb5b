// tests/mistakes/05_feed_forward/relu.smaller_of_both.cpp · step 5.1 done wrong: the minimum
// The checklist must say: "it must be the larger"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor relu(const Tensor& x) { return -maximum(-x, 0.0f); }

}  // namespace tfs
