// Step 5.4 · silu · ●○○ · 5 min
// solutions/05_feed_forward/silu.cpp
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor silu(const Tensor& x) {
    // begin: x times its own sigmoid: x decides by itself how much of it may pass.
    return x * sigmoid(x);
    // end
}

}  // namespace tfs
