// Step 7.5 · block_parameters · ●●○ · 15 min
// exercises/07_block/block_parameters.cpp · check yours with ./tutorial check 7.5
#include "chapters/07_block/cost.hpp"

namespace tfs {

BlockParameters block_parameters(const BlockConfig& config) {
    require_valid("block_parameters", config);
    // TODO 7.5: Count, from the sizes alone, with d for d_model. Attention: four matrices (d, d), and d for each bias: on
    // none of them, on three or on four. Feed-forward network: two matrices between d and d_ff, and their biases where it
    // has some; SwiGLU three matrices and no bias. A norm: gamma, and for LayerNorm beta.
    throw NotImplemented("7.5 block_parameters");
}

}  // namespace tfs
