// chapters/07_block/program/sentence_blocks.hpp · the sentence, and the untrained blocks that it goes through
#pragma once

#include "chapters/07_block/block.hpp"
#include "common/program.hpp"

namespace tfs {

struct Sentence {
    Tensor words;  // (1, seq, d_model): the embeddings alone, for rotary positions
    Tensor x;      // (1, seq, d_model): with a position added to each
};

// Random embeddings of the tokens. Prints the section "The sentence".
Sentence embed_sentence(Show& show);

// A block of the width and the heads that the options ask for, with LayerNorm and GELU.
BlockConfig sentence_config(const Show& show, NormPosition position);

// A block of the same width with RMSNorm, SwiGLU, rotary positions and no biases.
BlockConfig llama_sentence_config(const Show& show);

// The block of a config, its weights drawn from the seed: they are the same for pre- and post-norm.
TransformerBlock sentence_block(const Show& show, const BlockConfig& config);

}  // namespace tfs
