// chapters/07_block/program/options.hpp · what several sections of chapter 07 share: options, the sentence, its untrained blocks
#pragma once

#include <fmt/ranges.h>

#include "chapters/07_block/block.hpp"
#include "chapters/07_block/models/published_models.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const TextOption text = sentence();
inline const CountOption heads = number_of_heads(), d_model = model_width(2, 256);
inline const FlagOption untrained{"--untrained", "draw the attention of untrained blocks"};
inline const TextOption model{
    "--model", "", fmt::format("what a published model costs: {}", fmt::join(published_model_names(), ", ")),
    0, published_model_names()};
inline const CountOption seq{"--seq", 1024, 1, 1'000'000, "with --model: positions of the sequence"};

}  // namespace options

struct Sentence {
    Tokens tokens;
    Tensor words;  // (1, seq, d_model): random embeddings alone, for rotary positions
    Tensor x;      // (1, seq, d_model): with a position added to each
};

// Reads --text, --d-model and --seed.
[[nodiscard]] Sentence embed_sentence(const Request& request);

// A block of the width and the heads that are asked for, with LayerNorm and GELU. Reads --heads and --d-model.
[[nodiscard]] BlockConfig sentence_config(const Request& request, NormPosition position);

// A block of the same width with RMSNorm, SwiGLU, rotary positions and no biases. Reads --text, too.
[[nodiscard]] BlockConfig llama_sentence_config(const Request& request);

// The block of a config, its weights drawn from --seed: they are the same for pre- and post-norm.
[[nodiscard]] TransformerBlock sentence_block(const Request& request, const BlockConfig& config);

// The data flow through a pre-norm block, a post-norm block of the same sizes, and a block of LLaMA's kind; and which head of
// queries uses which keys, ungrouped and grouped.
[[nodiscard]] PlaneFigure flow_figure(const Request& request);
[[nodiscard]] PlaneFigure pass_figure();
[[nodiscard]] PlaneFigure grouped_figure();

}  // namespace tfs
