// Step 9.2 · decoder_block · ●●● · 25 min
// exercises/09_transformer/decoder_block.cpp · check yours with ./tutorial check 9.2
#include <fmt/format.h>

#include <string>
#include <vector>

#include "chapters/01_attention/attention.hpp"
#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/07_block/block.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/whole_model.hpp"
#include "common/nn/layers.hpp"

namespace tfs {

Tensor Gpt::block(std::size_t i, Tensor x) const {
    require_hidden("block", config, x);
    const std::string attention = fmt::format("blocks.{}.attention.", i);  // as in attention + "w_q"
    const std::string network = fmt::format("blocks.{}.feed_forward.", i);
    // TODO 9.2: Both halves of the block, with the functions of chapters 00 to 05. The contract, chapters/09_transformer/whole_model.hpp,
    // names the weights.
    throw NotImplemented("9.2 decoder_block");
}

std::vector<Tensor> Gpt::operator()(const Ids& ids) const {
    // TODO 9.2: The stages: rows, each block, logits.
    throw NotImplemented("9.2 decoder_block");
}

}  // namespace tfs
