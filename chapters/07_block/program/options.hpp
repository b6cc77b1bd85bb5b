// chapters/07_block/program/options.hpp · what several sections of chapter 07 share: options, and figures of the data flow
#pragma once

#include "chapters/07_block/block.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const TextOption text = sentence();
inline const CountOption heads = number_of_heads(), d_model = model_width(2, 256);

}  // namespace options

// A pre-norm block of the width and the heads that are asked for, with LayerNorm and GELU. Reads --heads and --d-model.
[[nodiscard]] BlockConfig sentence_config(const Request& request);

// The data flow through a pre-norm block, a post-norm block of the same sizes, and a block of LLaMA's kind; and which head of
// queries uses which keys, ungrouped and grouped.
[[nodiscard]] PlaneFigure flow_figure(const Request& request);
[[nodiscard]] PlaneFigure pass_figure();
[[nodiscard]] PlaneFigure grouped_figure();

}  // namespace tfs
