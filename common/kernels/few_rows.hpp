// common/kernels/few_rows.hpp · products of one row, or of a few, which take as long as it takes to read B
#pragma once

#include <cstddef>

#include "common/kernels/gemm.hpp"

namespace tfs::kernels {

// One row takes 0.4 to 0.5 of OpenBLAS's time, eight take 0.8 to 1.
inline constexpr std::size_t most_few_rows = 8;

// Whether few_rows computes this product: at most `most_few_rows` rows, k > 0, and the rows of A contiguous.
bool is_of_few_rows(const Gemm& g);

// gemm for such a product. Each entry of C is summed by one thread, in an order that depends on k alone: not on the number of
// threads, nor on the width of vectors, nor on the rows beside it. (The last digits differ where a processor has no fused
// multiply-add.)
void few_rows(const Gemm& g, const float* a, const float* b, float* c);

}  // namespace tfs::kernels
