// tests/mistakes/05_feed_forward/silu.sigmoid_alone.cpp · step 5.4 done wrong: without the factor x
// The checklist must say: "the factor x is missing"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor silu(const Tensor& x) { return sigmoid(x); }

}  // namespace tfs
