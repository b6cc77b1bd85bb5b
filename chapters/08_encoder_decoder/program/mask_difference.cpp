// chapters/08_encoder_decoder/program/mask_difference.cpp · one block under the masks of encoder and decoder
#include "chapters/08_encoder_decoder/program/sections.hpp"

#include <fmt/ostream.h>

namespace tfs {

void measure_mask_difference(Show& show, const ThreeModels& models) {
    const Tensor& x = models.source;
    const auto run = [&](const Stack& stack, StackKind kind) {
        return stack.blocks[0](x, self_attention_mask(kind, x.size(1))).output.array();
    };
    const Array looks_back = run(models.decoder, StackKind::decoder);
    fmt::print(show.out,
               "  blocks of seed {}, equal parameters; largest difference to a block of a decoder:\n",
               show.options.seed);
    fmt::print(show.out, "    encoder's block                       {:.3f}\n",
               largest_difference(run(models.encoder, StackKind::encoder), looks_back));
    fmt::print(show.out, "    encoder's block under a causal mask   {:.3f}\n",
               largest_difference(run(models.encoder, StackKind::decoder), looks_back));
}

}  // namespace tfs
