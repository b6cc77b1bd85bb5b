// Step 7.7 · block_activations · ●●● · 20 min
// exercises/07_block/block_activations.cpp · check yours with ./tutorial check 7.7
#include "chapters/07_block/block.hpp"

namespace tfs {

BlockActivations block_activations(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("block_activations", config);
    // TODO 7.7: Walk through the forward pass and count the floats of each result. Attention, each d wide: the norm; q, k
    // and v; the same by head; with rotary positions the turned q and k; the heads' sums; merged; projected; added. The
    // weights apart: for every head one number for each pair of positions. Feed-forward network: norm, output and sum are d
    // wide, the hidden layer before and after its activation d_ff; with SwiGLU that are gate, up and their product.
    throw NotImplemented("7.7 block_activations");
}

}  // namespace tfs
