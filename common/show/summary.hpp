// common/show/summary.hpp · the table of a whole model: what each part computes, holds and costs
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
//     the weights as float32: 7.64 MiB
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "common/nn/cost.hpp"

namespace tfs {

// Prints the table, at most 110 columns wide. A part's name is its path: "blocks.attention.weights" stands, indented,
// below "blocks" and "attention", which need no line of their own. The line shows one of the parts that are repeated;
// the total counts all. A count of 0 is a dash. A note follows below its part. In the end the size of the weights as
// float32. Throws ValueError if there is no part, ShapeError if a part has not one name for each axis.
void print_summary(std::ostream& out, const std::vector<PartCost>& parts);

// "109,482,240"
std::string with_separators(std::size_t number);

// In thousands, with two decimals: "1.23 G" of 1.23e9; below a thousand "512". The unit is left to the reader.
std::string in_flops(double number);

// "4.56 MiB" of 4.56 * 1024 * 1024; below a KiB "512 B".
std::string in_bytes(double bytes);

}  // namespace tfs
