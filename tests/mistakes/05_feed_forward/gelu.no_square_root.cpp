// tests/mistakes/05_feed_forward/gelu.no_square_root.cpp · step 5.2 done wrong: erf of x itself
// The checklist must say: "not divided by sqrt(2) before erf"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor gelu(const Tensor& x) { return 0.5f * x * (1.0f + erf(x)); }

}  // namespace tfs
