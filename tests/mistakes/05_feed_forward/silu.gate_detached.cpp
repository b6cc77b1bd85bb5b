// tests/mistakes/05_feed_forward/silu.gate_detached.cpp · step 5.4 done wrong: half of the gradient
// The checklist must say: "none may be detached"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor silu(const Tensor& x) { return x * sigmoid(x).detach(); }

}  // namespace tfs
