// tests/mistakes/05_feed_forward/gelu.tanh_form.cpp · step 5.2 done wrong: an approximation instead
// The checklist must say: "this is the tanh approximation of step 5.3"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor gelu(const Tensor& x) { return 0.5f * x * (1.0f + tanh(0.79788456f * (x + 0.044715f * x * x * x))); }

}  // namespace tfs
