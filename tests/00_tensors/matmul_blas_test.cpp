// tests/00_tensors/matmul_blas_test.cpp · step matmul_blas: PyTorch's values, values worked out by hand, diagnosis
#include "tests/00_tensors/checklist.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

// Only the first product of the batch.
Tensor first_product(const Array& a, const Array& b) {
    Array c = product(a, b);
    std::fill(c.data() + a.shape(1) * b.shape(2), c.data() + c.size(), 0.0f);
    return Tensor(c);
}

// The products b a of the same floats read as (n, k) and (k, m).
Tensor products_exchanged(const Array& a, const Array& b) {
    const std::size_t batch = a.shape(0), m = a.shape(1), k = a.shape(2), n = b.shape(2);
    const Tensor left = reshape(Tensor(b), {batch, n, k}), right = reshape(Tensor(a), {batch, k, m});
    return reshape(matmul(left, right), {batch, m, n});
}

std::vector<Suspect> blas_suspects(const Array& a, const Array& b) {
    std::vector<Suspect> suspects = product_suspects(a, b, "multiplied transposed");
    suspects.insert(
        suspects.end(),
        {{"nothing was written: BLAS refused the call (it prints which parameter), or was not called. "
          "transpose_a and transpose_b stay false, and a leading dimension is the length of a row: lda = k, "
          "ldb = n, ldc = n (for row-major matrices; manuals of BLAS are column-major)",
          [=] {
              return Tensor::zeros({a.shape(0), a.shape(1), b.shape(2)});
          }},
         {"only the first batch element was computed; call gemm once for each, with all three pointers moved "
          "on",
          [=] { return first_product(a, b); }},
         {"a and b are exchanged, as for a column-major BLAS; kernels::gemm is row-major: a, b, c with m, n, "
          "k as they are",
          [=] { return products_exchanged(a, b); }}});
    return suspects;
}

TEST(matmul_blas, equals_pytorch) {
    const Array a = golden_array("bmm.a"), b = golden_array("bmm.b");
    EXPECT_TRUE(matches(matmul_blas(a, b), golden_array("bmm.output"), blas_suspects(a, b)));
}

// Here the matrices of a are the largest: what is read of them at a wrong offset lies within the batch.
TEST(matmul_blas, gives_each_batch_element_its_own_product) {
    const Array a = array({2, 3, 2}, {1, 2, 3, 4, 5, 6, 1, 0, 0, 2, 1, 1}),
                b = array({2, 2, 2}, {1, 1, 0, 1, 5, 6, 7, 8});
    EXPECT_TRUE(matches(matmul_blas(a, b), array({2, 3, 2}, {1, 3, 3, 7, 5, 11, 5, 6, 14, 16, 12, 14}),
                        blas_suspects(a, b)));
}

TEST(matmul_blas, multiplies_two_small_matrices) {
    const Array a = array({1, 2, 3}, {1, 2, 3, 4, 5, 6}), b = array({1, 3, 2}, {7, 8, 9, 10, 11, 12});
    EXPECT_TRUE(matches(matmul_blas(a, b), array({1, 2, 2}, {58, 64, 139, 154}), blas_suspects(a, b)));
}

TEST(matmul_blas, steps_from_row_to_row_by_the_length_of_a_row) {
    // With a wrong leading dimension every row but the first begins at a wrong place. Only element 0 is
    // looked at: what a wrong step finds there is still within the buffers.
    for (const auto& [k, n] : {std::pair<std::size_t, std::size_t>{6, 8}, {8, 6}}) {
        const Array a = normal_array({2, 4, k}, 5), b = normal_array({2, k, n}, 6);
        const auto element_0 = [](const Array& c) { return slice(Tensor(c), 0, 0, 1); };
        const auto a_by_n = [](const Sizes& z, std::size_t, std::size_t i, std::size_t p) {
            return i * z.n + p;
        };
        const auto b_by_k = [](const Sizes& z, std::size_t, std::size_t p, std::size_t j) {
            return p * z.k + j;
        };
        const std::vector<Suspect> suspects = {{"lda is the length of a row of a, which is k",
                                                [&] { return element_0(product(a, b, a_by_n, offset_b)); }},
                                               {"ldb is the length of a row of b, which is n",
                                                [&] { return element_0(product(a, b, offset_a, b_by_k)); }}};
        EXPECT_TRUE(close(element_0(matmul_blas(a, b)), element_0(product(a, b)), {1e-5, 1e-5}, suspects));
    }
}

TEST(matmul_blas, is_zero_where_k_is_0) {
    EXPECT_TRUE(matches(matmul_blas(Array::from_shape({1, 2, 0}), Array::from_shape({1, 0, 3})),
                        Tensor::zeros({1, 2, 3}).array()));
}

TEST(matmul_blas, refuses_only_shapes_that_do_not_fit) {
    matmul_blas(normal_array({2, 2, 3}, 1), normal_array({2, 3, 2}, 2));
    EXPECT_THROW(matmul_blas(normal_array({1, 2, 3}, 1), normal_array({1, 2, 3}, 2)), ShapeError);
    EXPECT_THROW(matmul_blas(normal_array({2, 2, 3}, 1), normal_array({1, 3, 2}, 2)), ShapeError);
    EXPECT_THROW(matmul_blas(normal_array({2, 3}, 1), normal_array({3, 2}, 2)), ShapeError);
}

}  // namespace
}  // namespace tfs::test
