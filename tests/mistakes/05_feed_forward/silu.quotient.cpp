// tests/mistakes/05_feed_forward/silu.quotient.cpp · step 5.4 done wrong: the gradient overflows far from 0
// The checklist must say: "exp(-x) overflows for x = -100 and the gradient becomes infinity times 0"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor silu(const Tensor& x) { return x / (1.0f + exp(-x)); }

}  // namespace tfs
