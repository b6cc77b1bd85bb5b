// tests/mistakes/05_feed_forward/silu.gelu_sigmoid.cpp · step 5.4 done wrong: a factor of gelu_sigmoid
// The checklist must say: "belongs to gelu_sigmoid, not to silu"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor silu(const Tensor& x) { return x * sigmoid(1.702f * x); }

}  // namespace tfs
