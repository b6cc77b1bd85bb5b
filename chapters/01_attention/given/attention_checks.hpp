// chapters/01_attention/given/attention_checks.hpp · the shape checks of chapter 01, given: ShapeError with the likely cause
#pragma once

#include "common/tensor.hpp"

namespace tfs {

// q (…, query, d_k) and k (…, key, d_k) with equal leading axes, at least one key; and v (…, key, d_v) with the same.
void require_attention_shapes(const Tensor& q, const Tensor& k);
void require_attention_shapes(const Tensor& q, const Tensor& k, const Tensor& v);

// x (batch, seq, width), a width that num_heads divides.
void require_splittable(const Tensor& x, std::size_t num_heads);

// x (batch, heads, seq, d).
void require_split(const Tensor& x);

}  // namespace tfs
