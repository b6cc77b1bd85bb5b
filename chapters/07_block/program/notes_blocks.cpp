// chapters/07_block/program/notes_blocks.cpp · the blocks of the source notes: what each holds, computes and keeps
#include "chapters/07_block/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/07_block/cost.hpp"

namespace tfs {

namespace {

void print_costs(std::ostream& out, const char* name, const BlockConfig& config) {
    const TotalCost cost = total(block_costs(config, "", 1, 128));
    fmt::print(out, "  {:<30}{:>6}{:>13}{:>14}{:>14}{:>12g}\n", name, config.d_ff,
               with_separators(cost.parameters), in_flops(static_cast<double>(cost.flops)),
               in_bytes(static_cast<double>(cost.bytes)), config.norm_eps);
}

}  // namespace

void compare_notes_blocks(Show& show) {
    fmt::print(show.out, "  {:<30}{:>6}{:>13}{:>14}{:>14}{:>12}\n", "d_model 768, 12 heads, seq 128", "d_ff",
               "parameters", "FLOPs", "kept bytes", "norm eps");
    print_costs(show.out, "PreLNBlock", pre_norm_block(768, 12, 3072));
    print_costs(show.out, "PostLNBlock", post_norm_block(768, 12, 3072));
    print_costs(show.out, "TransformerBlock, use_swiglu", rms_swiglu_block(768, 12));
    print_costs(show.out, "TransformerBlock, without", rms_swiglu_block(768, 12, false));
    print_costs(show.out, "TransformerEncoderBlock", post_norm_gelu_block(768, 12));
    print_costs(show.out, "a layer of BERT-base", bert_block());
    const BlockConfig llama = llama_block();
    fmt::print(show.out, "  two thirds of 4 d_model: {} of 4 * 768, and {} of 4 * 4096, where LLaMA has {}\n",
               swiglu_hidden_size(4 * 768), swiglu_hidden_size(4 * 4096), llama.d_ff);
    BlockConfig shrunk = llama;
    shrunk.d_ff = swiglu_hidden_size(llama.d_ff);
    fmt::print(show.out,
               "  d_ff = {} handed to 2.3.7 becomes {}: a block of {} parameters, where LLaMA's has {}\n",
               llama.d_ff, shrunk.d_ff, with_separators(block_parameters(shrunk).total()),
               with_separators(block_parameters(llama).total()));
}

}  // namespace tfs
