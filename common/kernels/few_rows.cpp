// common/kernels/few_rows.cpp · dot products with the rows of B, or weighted sums of them, at the speed of memory
#include "common/kernels/few_rows.hpp"

#include <algorithm>

#include <omp.h>

#include "common/base/parallel.hpp"
#include "common/kernels/lane_sums.hpp"

namespace tfs::kernels {

namespace {

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

}  // namespace

bool is_of_few_rows(const Gemm& g) {
    return g.k > 0 && g.m <= most_few_rows && (!g.transpose_a || (g.m == 1 && g.lda == 1));
}

void few_rows(const Gemm& g, const float* a, const float* b, float* c) {
    if (g.transpose_b) {
        products_with_rows(g, a, b, c);
    } else {
        weighted_rows(g, a, b, c);
    }
}

}  // namespace tfs::kernels
