// common/kernels/gemm.cpp · the only file that includes a BLAS
#include "common/kernels/gemm.hpp"

#include <algorithm>
#include <complex>

#include <xtensor-blas/xblas_config.hpp>

#include <xflens/cxxblas/cxxblas.cxx>

#include <omp.h>

#include "common/kernels/few_rows.hpp"

// OpenBLAS's own controls, absent (null) with another BLAS.
extern "C" {
__attribute__((weak)) int openblas_get_parallel(void);
__attribute__((weak)) int openblas_get_num_threads(void);
__attribute__((weak)) void openblas_set_num_threads(int);
}

namespace tfs::kernels {

namespace {

// The pthread build of OpenBLAS does not see that it is called inside an OpenMP loop and would start its own threads
// in each. Its OpenMP build sees it by itself, and openblas_set_num_threads(1) there would stop our loops as well.
class SingleThreadedBlas {
  public:
    SingleThreadedBlas() {
        constexpr int pthread_build = 1;
        if (openblas_get_parallel && openblas_get_parallel() == pthread_build && !omp_in_parallel()) {
            threads_ = openblas_get_num_threads();
            openblas_set_num_threads(1);
        }
    }
    ~SingleThreadedBlas() {
        if (threads_ > 0) openblas_set_num_threads(threads_);
    }
    SingleThreadedBlas(const SingleThreadedBlas&) = delete;
    SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

  private:
    int threads_ = 0;
};

void one_product(const Gemm& g, const float* a, const float* b, float* c) {
    using cxxblas::NoTrans, cxxblas::Trans;
    cxxblas::gemm(cxxblas::RowMajor, g.transpose_a ? Trans : NoTrans, g.transpose_b ? Trans : NoTrans,
                  static_cast<int>(g.m), static_cast<int>(g.n), static_cast<int>(g.k), g.alpha, a,
                  static_cast<int>(g.lda), b, static_cast<int>(g.ldb), g.beta, c, static_cast<int>(g.ldc));
}

// Into how many pieces the rows of C are cut, a thread for each. In products of this size OpenBLAS's threads wait for
// each other so often that pieces by themselves are a fifth to a half faster (1024 x 128 x 128 on two threads: 240 in
// place of 166 GFLOP/s; from 1024 x 1024 x 256 on there is no difference). 1 where the product stays whole.
std::size_t worthwhile_pieces(const Gemm& g) {
    constexpr std::size_t smallest = 1 << 20, largest = 1 << 28, fewest_rows = 64;  // multiplications; rows
    const std::size_t work = g.m * g.n * g.k, threads = static_cast<std::size_t>(omp_get_max_threads());
    if (omp_in_parallel() || work < smallest || work >= largest) return 1;
    return std::max<std::size_t>(std::min(threads, g.m / fewest_rows), 1);
}

}  // namespace

void gemm(const Gemm& g, const float* a, const float* b, float* c) {
    if (g.m == 0 || g.n == 0) return;
    if (g.k == 0) {  // a sum over nothing; BLAS would refuse leading dimensions of 0
        for (std::size_t i = 0; i < g.m; ++i) {
            for (std::size_t j = 0; j < g.n; ++j)
                c[i * g.ldc + j] = g.beta == 0.0f ? 0.0f : g.beta * c[i * g.ldc + j];
        }
        return;
    }
    if (is_of_few_rows(g)) return few_rows(g, a, b, c);
    const std::size_t pieces = worthwhile_pieces(g);
    if (pieces == 1) return one_product(g, a, b, c);
    const std::size_t rows = (g.m + pieces - 1) / pieces;
    const SingleThreadedBlas guard;
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < pieces; ++i) {
        const std::size_t begin = i * rows;
        Gemm piece = g;
        piece.m = std::min(rows, g.m - begin);
        one_product(piece, a + (g.transpose_a ? begin : begin * g.lda), b, c + begin * g.ldc);
    }
}

void parallel_products(std::size_t count, std::size_t work, const std::function<void(std::size_t)>& body) {
    constexpr std::size_t min_parallel_work = 1 << 18;
    if (count < 2 || count * work < min_parallel_work) {
        for (std::size_t i = 0; i < count; ++i) body(i);
        return;
    }
    const SingleThreadedBlas guard;
    // Dynamic: calls may differ in work (causal blocks), and a core may be busy with something else. Each call computes
    // the same whichever thread takes it.
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < count; ++i) body(i);
}

}  // namespace tfs::kernels
