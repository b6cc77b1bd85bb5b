// chapters/07_block/program/sentence.hpp · three blocks on a sentence: their steps, their attention, their data flow
#pragma once

#include "chapters/07_block/block.hpp"
#include "common/program.hpp"

namespace tfs {

struct Example {
    Tokens tokens;
    Tensor words;        // (1, seq, d_model): the embeddings alone, for rotary positions
    Tensor x;            // (1, seq, d_model): with a position added to each
    BlockConfig pre;     // LayerNorm, GELU
    BlockConfig post;    // the same parts
    BlockConfig llama;   // RMSNorm, SwiGLU, rotary positions, no biases
    std::uint64_t seed;  // of everything random
};

// Embeddings are random, nothing is trained.
Example make_example(const Tokens& tokens, std::size_t d_model, std::size_t heads, std::uint64_t seed);

// The block of a config, its weights drawn from the example's seed: those of pre and post are the same.
TransformerBlock make_block(const Example& example, const BlockConfig& config);

// Every step of a block with its shape; in the end the block itself, which must give the same.
void trace_pre_norm(Trace& trace, const Example& example);
void trace_post_norm(Trace& trace, const Example& example);
void trace_llama(Trace& trace, const Example& example);

// The weights of all heads, a row for each block. Prints the first head of the first.
HeatMapFigure draw_attention(std::ostream& out, const Example& example, bool ascii);

// The data flow with its shapes: pre-norm beside post-norm, and LLaMA's block.
FlowFigure draw_flow(const Example& example);
FlowFigure draw_llama_flow(const Example& example);

}  // namespace tfs
