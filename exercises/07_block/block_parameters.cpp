// Step 7.4 · block_parameters · ●●○ · 15 min
// exercises/07_block/block_parameters.cpp · check yours with ./tutorial check 7.4
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/cost.hpp"
#include "common/nn/layers.hpp"

namespace tfs {

BlockParameters block_parameters(const BlockConfig& config) {
    require_valid("block_parameters", config);
    // TODO 7.4: The parameters of attention, of the network and of one norm, from the sizes alone.
    throw NotImplemented("7.4 block_parameters");
}

}  // namespace tfs
