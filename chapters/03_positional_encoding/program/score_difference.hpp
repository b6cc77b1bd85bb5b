// chapters/03_positional_encoding/program/score_difference.hpp · what the measurements of rotary positions and ALiBi share
#pragma once

#include "common/show/measure.hpp"
#include "common/tensor/ops.hpp"

namespace tfs {

inline constexpr std::size_t d_k = 64;  // of the heads that are measured

inline Tensor scores_of(const Tensor& q, const Tensor& k) { return matmul(q, k, Transpose::b); }

inline double difference(const Tensor& a, const Tensor& b) {
    return largest_difference(a.array(), b.array());
}

}  // namespace tfs
