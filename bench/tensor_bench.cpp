// bench/tensor_bench.cpp · matmul beside OpenBLAS's own sgemm
#include "bench/table.hpp"
#include "common/tensor.hpp"

// Declared here, as CBLAS fixes it, because <cblas.h> and the headers of xtensor-blas don't compile in one file and have
// different places from one system to the next. Its enumerations are ints: 101 is row-major, 111 is not transposed.
extern "C" void cblas_sgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                            const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc);

namespace tfs::bench {

void add_tensor_lines(Table& table) {
    Rng rng(0);
    const Tensor a(rng.normal_array({1024, 1024})), b(rng.normal_array({1024, 1024}));
    const double flops = 2.0 * 1024 * 1024 * 1024;
    table.add({.name = sgemm, .amount = flops}, [a, b, c = std::vector<float>(1024 * 1024)]() mutable {
        cblas_sgemm(101, 111, 111, 1024, 1024, 1024, 1.0f, a.values().data(), 1024, b.values().data(), 1024,
                    0.0f, c.data(), 1024);
        keep(c.data());
    });
    table.add({.name = "matmul 1024 x 1024", .amount = flops, .baseline = sgemm, .goal = 0.95},
              [a, b] { keep(matmul(a, b).values().data()); });

    const Tensor as(rng.normal_array({32, 256, 64})), bs(rng.normal_array({32, 64, 256}));
    table.add({.name = "matmul 32 of 256 x 64 x 256",
               .amount = 32 * 2.0 * 256 * 64 * 256,
               .baseline = sgemm,
               .goal = 0.85},
              [as, bs] { keep(matmul(as, bs).values().data()); });
}

}  // namespace tfs::bench
