// Step 9.5 · transformer_parameters · ●●○ · 10 min
// exercises/09_transformer/transformer_parameters.cpp · check yours with ./tutorial check 9.5
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/cost.hpp"
#include "chapters/09_transformer/cost.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

TransformerParameters transformer_parameters(const TransformerConfig& config) {
    require_valid("transformer_parameters", config);
    TransformerParameters count;
    // TODO 9.5: Each part of `count`, from the config. `block_parameters` (chapter 07) counts what is in a block.
    throw NotImplemented("9.5 transformer_parameters");
    return count;
}

}  // namespace tfs
