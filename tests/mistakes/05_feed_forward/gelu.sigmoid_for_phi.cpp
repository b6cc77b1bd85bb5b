// tests/mistakes/05_feed_forward/gelu.sigmoid_for_phi.cpp · step 5.2 done wrong: logistic, not normal
// The checklist must say: "x sigmoid(x) is silu"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor gelu(const Tensor& x) { return x * sigmoid(x); }

}  // namespace tfs
