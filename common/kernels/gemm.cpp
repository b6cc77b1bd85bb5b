// common/kernels/gemm.cpp · the only file that includes a BLAS
#include "common/kernels/gemm.hpp"

#include <algorithm>
#include <complex>

#include <xtensor-blas/xblas_config.hpp>

#include <xflens/cxxblas/cxxblas.cxx>

#include <omp.h>

#include "common/base/parallel.hpp"
#include "common/kernels/lane_sums.hpp"

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

// ---- products of few rows, which take as long as it takes to read B -------------------------------------------------

// One row takes 0.4 to 0.5 of OpenBLAS's time, eight take 0.8 to 1.
constexpr std::size_t most_few_rows = 8;

// A processor fetches ahead of a few streams of addresses, each within its page of 4 KiB: four that lie far from each other are
// read a fifth faster than one. Four sums at once also hide how long an addition takes.
constexpr std::size_t streams = 4;

// Of C, where alpha A B is `product`. Where beta is 0, what is there is not read.
void write(const Gemm& g, float product, float& c) {
    c = g.beta == 0.0f ? g.alpha * product : g.alpha * product + g.beta * c;
}

// Calls body(begin, end) on pieces of 0 … count - 1, on all cores where that is worth it. The last pieces are small against the
// whole, and each thread takes one when it is free: a core may be busy with something else.
template <class Body>
void for_each_piece(const Gemm& g, std::size_t count, std::size_t piece, const Body& body) {
    const std::size_t pieces = (count + piece - 1) / piece;
    const auto one = [&](std::size_t i) { body(i * piece, std::min((i + 1) * piece, count)); };
    if (pieces == 1 || g.m * g.n * g.k < min_parallel_elements || omp_in_parallel()) {
        for (std::size_t i = 0; i < pieces; ++i) one(i);
        return;
    }
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < pieces; ++i) one(i);
}

// The dot products of x with `count` rows, which are `distance` floats apart. Each is lane_sum's: the term p goes to the partial
// sum p mod 16.
template <std::size_t count>
void dot_products(const float* x, const float* rows, std::size_t distance, std::size_t k,
                  float (&products)[count]) {
    float sums[count][lanes] = {};
    const std::size_t whole = k / lanes * lanes;
    for (std::size_t p = 0; p < whole; p += lanes) {
        for (std::size_t r = 0; r < count; ++r) {
#pragma omp simd
            for (std::size_t lane = 0; lane < lanes; ++lane)
                sums[r][lane] += x[p + lane] * rows[r * distance + p + lane];
        }
    }
    for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t p = whole; p < k; ++p) sums[r][p - whole] += x[p] * rows[r * distance + p];
        products[r] = added_in_halves(sums[r]);
    }
}

// C = A Bᵀ: each entry is a dot product of a row of A with one of B.
void products_with_rows(const Gemm& g, const float* a, const float* b, float* c) {
    constexpr std::size_t floats_of_a_stream = 8192;
    const std::size_t rows_of_a_stream = (floats_of_a_stream + g.k - 1) / g.k;
    for_each_piece(g, g.n, streams * rows_of_a_stream, [&](std::size_t begin, std::size_t end) {
        const std::size_t apart = (end - begin) / streams;  // rows from one stream to the next
        for (std::size_t i = 0; i < g.m; ++i) {  // from the second on, these rows of B are in the cache
            const float* x = a + i * g.lda;
            float* y = c + i * g.ldc;
            for (std::size_t j = begin; j < begin + apart; ++j) {
                float products[streams];
                dot_products(x, b + j * g.ldb, apart * g.ldb, g.k, products);
                for (std::size_t s = 0; s < streams; ++s) write(g, products[s], y[j + s * apart]);
            }
            for (std::size_t j = begin + streams * apart; j < end; ++j) {
                float product[1];
                dot_products(x, b + j * g.ldb, 0, g.k, product);
                write(g, product[0], y[j]);
            }
        }
    });
}

// sums[j] += the sum over r of weights[r] rows[r][j], in the order of r
template <std::size_t count>
void add_weighted(const float* weights, const float* rows, std::size_t distance, std::size_t columns,
                  float* sums) {
#pragma omp simd
    for (std::size_t j = 0; j < columns; ++j) {
        float sum = sums[j];
        for (std::size_t r = 0; r < count; ++r) sum += weights[r] * rows[r * distance + j];
        sums[j] = sum;
    }
}

// C = A B: each row of C is the sum of B's rows, with the entries of a row of A as weights. The threads share the columns.
void weighted_rows(const Gemm& g, const float* a, const float* b, float* c) {
    constexpr std::size_t columns = 128;
    for_each_piece(g, g.n, columns, [&](std::size_t begin, std::size_t end) {
        float sums[most_few_rows][columns] = {};
        const std::size_t whole = g.k / streams * streams, width = end - begin;
        for (std::size_t p = 0; p < whole; p += streams) {
            for (std::size_t i = 0; i < g.m; ++i)
                add_weighted<streams>(a + i * g.lda + p, b + p * g.ldb + begin, g.ldb, width, sums[i]);
        }
        for (std::size_t p = whole; p < g.k; ++p) {
            for (std::size_t i = 0; i < g.m; ++i)
                add_weighted<1>(a + i * g.lda + p, b + p * g.ldb + begin, 0, width, sums[i]);
        }
        for (std::size_t i = 0; i < g.m; ++i) {
            for (std::size_t j = begin; j < end; ++j) write(g, sums[i][j - begin], c[i * g.ldc + j]);
        }
    });
}

// Whether few_rows computes this product: the rows of A must be contiguous.
bool is_of_few_rows(const Gemm& g) {
    return g.k > 0 && g.m <= most_few_rows && (!g.transpose_a || (g.m == 1 && g.lda == 1));
}

// gemm for such a product. Each entry of C is summed by one thread, in an order that depends on k alone: not on the number of
// threads, nor on the width of vectors, nor on the rows beside it. (The last digits differ where a processor has no fused
// multiply-add.)
void few_rows(const Gemm& g, const float* a, const float* b, float* c) {
    if (g.transpose_b) {
        products_with_rows(g, a, b, c);
    } else {
        weighted_rows(g, a, b, c);
    }
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
