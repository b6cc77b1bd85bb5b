// common/kernels/gemm.hpp · one product of two row-major matrices, and batches of them
#pragma once

#include <cstddef>
#include <functional>

namespace tfs::kernels {

// C = alpha op(A) op(B) + beta C, with op(A) (m, k), op(B) (k, n), C (m, n); all row-major.
// ld* is the distance in floats from one row to the next of the matrix as stored (before op). BLAS counts in int: no
// size may be beyond INT_MAX, which matmul and linear check.
struct Gemm {
    std::size_t m = 0, n = 0, k = 0;
    bool transpose_a = false, transpose_b = false;
    std::size_t lda = 0, ldb = 0, ldc = 0;
    float alpha = 1.0f, beta = 0.0f;
};

// The product by the gemm of xtensor-blas, which calls OpenBLAS. Big products use all of its threads. Those of one row, as while
// a model writes, or of a few, take two to three times as long there as it takes to read B: gemm.cpp has loops of its own for them.
void gemm(const Gemm& g, const float* a, const float* b, float* c);

// Calls body(i) for i in 0 … count-1 in parallel, with a single-threaded BLAS inside. `body` may call gemm and must
// not throw. `work` is the number of multiply-adds of one call: where all together are few, it runs in this thread.
// With the pthread build of OpenBLAS, whose number of threads is one for the whole program, call this from one thread
// at a time; the OpenMP build has no such limit.
void parallel_products(std::size_t count, std::size_t work, const std::function<void(std::size_t)>& body);

}  // namespace tfs::kernels
