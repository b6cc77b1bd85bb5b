// common/report/cost_table.hpp · the table of a whole model: what each part computes, holds and costs
//
//     part               output                                parameters      FLOPs        bytes
//     embedding
//       token            (batch 1, seq 10, d_model 64)          1,953,408          -     2.50 KiB
//     blocks
//       attention
//         w_o      x 12  (batch 1, seq 10, d_model 64)              4,160    81.92 k     2.50 KiB
//         weights  x 12  (batch 1, heads 4, query 10, key 10)           -    12.80 k     1.56 KiB
//     logits             (batch 1, seq 10, vocab 30522)                 -    39.07 M     1.16 MiB
//                        tied: the table of the tokens
//     -------------------------------------------------------------------------------------------
//     total                                                     2,003,328    40.20 M     1.21 MiB
#pragma once

#include <vector>

#include "common/nn/cost.hpp"
#include "common/report/report.hpp"

namespace tfs {

// A part's name is its path: "blocks.attention.weights" stands, indented, below "blocks" and "attention", which need no line
// of their own. The line shows one of the parts that are repeated; the total counts all. A count of 0 is a dash. A note follows
// below its part. Throws ValueError if there is no part, ShapeError if a part has not one name for each axis.
[[nodiscard]] Table cost_table(const std::vector<PartCost>& parts);

// "the weights as float32: 7.64 MiB"
[[nodiscard]] std::string size_of_weights(const std::vector<PartCost>& parts);

}  // namespace tfs
