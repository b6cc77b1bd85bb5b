// tests/common/kernels_test.cpp · the row kernels: accuracy, extremes, and the same numbers as PyTorch; products
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "common/base/parallel.hpp"
#include "common/base/rng.hpp"
#include "common/kernels/exp.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/row_kernels.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

constexpr float smallest_normal = std::numeric_limits<float>::min();
constexpr float smallest_subnormal = std::numeric_limits<float>::denorm_min();

std::span<float> span_of(Array& x) { return {x.data(), x.size()}; }

TEST(exp, relative_error_over_a_sweep_of_floats) {
    // Every 1009th float, by its bits; the bound over all of them was measured once (common/kernels/exp.hpp).
    double worst = 0.0, worst_below_normal = 0.0;
    float worst_at = 0.0f;
    for (std::uint64_t bits = 0; bits <= 0xFFFFFFFFu; bits += 1009) {
        const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        const double exact = std::exp(static_cast<double>(x));
        const bool overflows = !(exact <= static_cast<double>(std::numeric_limits<float>::max()));
        if (overflows) continue;  // infinity and NaN: the tests below
        const double error = std::abs(static_cast<double>(kernels::exp(x)) - exact);
        const double exact_or_zero = x < -87.33f ? 0.0 : exact;
        const double other = std::abs(static_cast<double>(kernels::exp_or_zero(x)) - exact_or_zero);
        ASSERT_TRUE(x > 88.0f || other <= 8.6e-8 * exact_or_zero) << x;
        if (exact < static_cast<double>(smallest_normal)) {
            worst_below_normal =
                std::max(worst_below_normal, error / static_cast<double>(smallest_subnormal));
        } else if (error / exact > worst) {
            worst = error / exact;
            worst_at = x;
        }
    }
    EXPECT_LT(worst, 8.6e-8) << "at " << worst_at;
    EXPECT_LT(worst_below_normal, 0.76);
}

TEST(exp, both_ends) {
    EXPECT_EQ(kernels::exp(-0.0f), 1.0f);
    EXPECT_EQ(kernels::exp(infinity), infinity);
    EXPECT_EQ(kernels::exp(-infinity), 0.0f);
    EXPECT_EQ(kernels::exp(std::numeric_limits<float>::max()), infinity);
    EXPECT_EQ(kernels::exp(std::numeric_limits<float>::lowest()), 0.0f);
    EXPECT_TRUE(std::isfinite(kernels::exp(88.7228f)));
    EXPECT_EQ(kernels::exp(88.7229f), infinity);
    EXPECT_EQ(kernels::exp(-103.0f), smallest_subnormal);
    EXPECT_EQ(kernels::exp(-104.0f), 0.0f);
    for (const float none : {nan, -nan, std::bit_cast<float>(0x7FFFFFFFu), std::bit_cast<float>(0xFFFFFFFFu)})
        EXPECT_TRUE(std::isnan(kernels::exp(none)) && std::isnan(kernels::exp_or_zero(none)));
}

TEST(exp, the_vector_loop_treats_extremes_like_the_scalar) {
    std::vector<float> x(100, 1.0f), y(100);  // extremes in the body of the loop and in its tail
    for (const std::size_t at : {std::size_t{3}, std::size_t{98}}) {
        x[at - 2] = nan;
        x[at - 1] = -infinity;
        x[at] = infinity;
        x[at + 1] = -100.0f;
    }
    kernels::exp(x, y);
    for (const std::size_t at : {std::size_t{3}, std::size_t{98}}) {
        EXPECT_TRUE(std::isnan(y[at - 2]));
        EXPECT_EQ(y[at - 1], 0.0f);
        EXPECT_EQ(y[at], infinity);
        EXPECT_EQ(y[at + 1], kernels::exp(-100.0f));
    }
}

TEST(sigmoid, both_ends) {
    EXPECT_EQ(kernels::sigmoid(0.0f), 0.5f);
    EXPECT_EQ(kernels::sigmoid(infinity), 1.0f);
    EXPECT_EQ(kernels::sigmoid(-infinity), 0.0f);
    EXPECT_TRUE(std::isnan(kernels::sigmoid(nan)));
}

TEST(erf, error_over_a_sweep_of_floats) {
    // Every 1009th float; the bounds over all of them were measured once (common/kernels/exp.hpp).
    double worst = 0.0, worst_relative = 0.0;
    float worst_at = 0.0f;
    for (std::uint64_t bits = 0; bits <= 0xFFFFFFFFu; bits += 1009) {
        const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        if (std::isnan(x)) continue;
        const double exact = std::erf(static_cast<double>(x)), error = std::abs(kernels::erf(x) - exact);
        if (std::abs(x) >= smallest_normal)
            worst_relative = std::max(worst_relative, error / std::abs(exact));
        if (error > worst) worst = error, worst_at = x;
    }
    EXPECT_LT(worst, 7.8e-8) << "at " << worst_at;
    EXPECT_LT(worst_relative, 1.1e-7);
}

TEST(erf, both_ends) {
    EXPECT_EQ(kernels::erf(0.0f), 0.0f);
    EXPECT_TRUE(std::signbit(kernels::erf(-0.0f)));
    EXPECT_EQ(kernels::erf(infinity), 1.0f);
    EXPECT_EQ(kernels::erf(-infinity), -1.0f);
    EXPECT_EQ(kernels::erf(3.0f), -kernels::erf(-3.0f));
    EXPECT_TRUE(std::isnan(kernels::erf(nan)));
    EXPECT_TRUE(std::isnan(kernels::erf(-nan)));
}

TEST(softmax_rows, equals_pytorch_for_each_scale) {
    const Tensor x = golden()["softmax_rows.x"];
    const std::vector<std::pair<std::string, float>> scales{
        {"one", 1.0f}, {"quarter", 0.25f}, {"negative", -2.0f}};
    for (const auto& [name, scale] : scales) {
        const std::string prefix = "softmax_rows." + name + ".";
        Array y = Array::from_shape(x.shape());
        kernels::softmax_rows(x.values(), span_of(y), x.size(-1), scale);
        EXPECT_TRUE(close(y, golden()[prefix + "output"].array())) << name;

        Array dx = golden()[prefix + "grad_weights"].array();  // in place: dy and dx are the same memory
        kernels::softmax_rows_backward({y.data(), y.size()}, span_of(dx), span_of(dx), x.size(-1), scale);
        EXPECT_TRUE(close(dx, golden()[prefix + "grad_x"].array())) << name;
    }
}

TEST(softmax_rows, the_scale_comes_after_the_maximum_is_subtracted) {
    // The maximum of 0.35 x is rounded, a product inside of an fma is not: their difference would be an exponent of thousands.
    std::vector<float> x(40), y(40);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1e12f + 1e9f * static_cast<float>(i);
    for (const float scale : {0.35f, -0.35f}) {
        kernels::softmax_rows(x, y, x.size(), scale);
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_EQ(y[i], i == (scale > 0.0f ? x.size() - 1 : 0) ? 1.0f : 0.0f) << scale << " at " << i;
        }
    }
}

TEST(softmax_rows, of_large_infinite_and_absent_entries) {
    std::vector<float> x{1e4f, 1e4f,      -1e4f, 3e38f,     -3e38f,    0.0f,
                         0.0f, -infinity, 0.0f,  -infinity, -infinity, -infinity};
    kernels::softmax_rows(x, x, 3);  // in place
    EXPECT_EQ(x,
              (std::vector<float>{0.5f, 0.5f, 0.0f, 1.0f, 0.0f, 0.0f, 0.5f, 0.0f, 0.5f, 0.0f, 0.0f, 0.0f}));
    std::vector<float> dx{1.0f, 2.0f, 3.0f};  // an empty row sends no gradient
    kernels::softmax_rows_backward(std::vector<float>(3, 0.0f), dx, dx, 3);
    EXPECT_EQ(dx, std::vector<float>(3, 0.0f));
    std::vector<float> hidden{0.0f, nan, 0.0f}, nothing;
    kernels::softmax_rows(hidden, hidden, 3);
    for (const float y : hidden) EXPECT_TRUE(std::isnan(y));
    kernels::softmax_rows(nothing, nothing, 3);
    kernels::softmax_rows(nothing, nothing, 0);
    kernels::softmax_rows_backward(nothing, nothing, nothing, 0);
}

TEST(fill_rows, makes_every_row_this_one) {
    std::vector<float> y{1, 2, 3, 4, 5, 6};
    kernels::fill_rows(y, std::vector<float>{10, 20, 30});
    EXPECT_EQ(y, (std::vector<float>{10, 20, 30, 10, 20, 30}));
    kernels::fill_rows({}, {});
}

TEST(sum_over_rows, is_the_gradient_of_a_row_that_was_added_to_each) {
    std::vector<float> sums(3, -1.0f);
    kernels::sum_over_rows(std::vector<float>{11, 22, 33, 14, 25, 36}, sums);
    EXPECT_EQ(sums, (std::vector<float>{25, 47, 69}));
    kernels::sum_over_rows(std::span<const float>(), sums);
    EXPECT_EQ(sums, (std::vector<float>{0, 0, 0}));
}

// C before and after a product, and the matrices that it reads. Rows are longer than they need be.
struct Product {
    kernels::Gemm g;
    std::vector<float> a, b, before, c;

    Product(const kernels::Gemm& sizes, Rng& rng) : g(sizes) {
        g.lda = (g.transpose_a ? g.m : g.k) + 1;
        g.ldb = (g.transpose_b ? g.k : g.n) + 3;
        g.ldc = g.n + 2;
        a = random((g.transpose_a ? g.k : g.m) * g.lda, rng);
        b = random((g.transpose_b ? g.n : g.k) * g.ldb, rng);
        before = random(g.m * g.ldc, rng);
    }

    static std::vector<float> random(std::size_t size, Rng& rng) {
        const Array x = rng.uniform_array({size}, -1.0, 1.0);
        return {x.begin(), x.end()};
    }

    const std::vector<float>& run(int threads) {
        const Threads so_many(threads);
        c = before;
        kernels::gemm(g, a.data(), b.data(), c.data());
        return c;
    }

    // Of entry (i, j): what is wrong, as a multiple of what all of its terms are without their signs.
    double error(std::size_t i, std::size_t j) const {
        const double old = static_cast<double>(g.beta) * static_cast<double>(before[i * g.ldc + j]);
        double sum = 0.0, sizes = 0.0;
        for (std::size_t p = 0; p < g.k; ++p) {
            const double term = static_cast<double>(a[g.transpose_a ? p * g.lda + i : i * g.lda + p]) *
                                static_cast<double>(b[g.transpose_b ? j * g.ldb + p : p * g.ldb + j]);
            sum += term;
            sizes += std::abs(term);
        }
        const double alpha = static_cast<double>(g.alpha);
        return std::abs(static_cast<double>(c[i * g.ldc + j]) - alpha * sum - old) /
               (std::abs(alpha) * sizes + std::abs(old));
    }
};

// Each entry is the sum of the definition, and what stands behind a row stays.
void expect_product(const kernels::Gemm& sizes, Rng& rng) {
    Product product(sizes, rng);
    product.run(2);
    const kernels::Gemm& g = product.g;
    for (std::size_t i = 0; i < g.m; ++i)
        for (std::size_t j = 0; j < g.ldc; ++j) {
            const bool right = j < g.n ? product.error(i, j) < 1e-6
                                       : product.c[i * g.ldc + j] == product.before[i * g.ldc + j];
            ASSERT_TRUE(right) << "at " << i << ", " << j << " of " << g.m << " x " << g.n << ", k = " << g.k
                               << ", alpha " << g.alpha << ", beta " << g.beta << ", transposed "
                               << g.transpose_a << g.transpose_b;
        }
}

// Products of this size are cut into pieces, a thread for each, with rows that the threads don't divide.
TEST(gemm, in_pieces_is_the_whole_product) {
    Rng rng(3);
    for (const auto& [ta, tb] : {std::pair{false, false}, {true, false}, {false, true}, {true, true}})
        expect_product({.m = 261, .n = 67, .k = 83, .transpose_a = ta, .transpose_b = tb, .beta = 0.5f}, rng);
}

TEST(gemm, of_one_row_is_the_product) {
    Rng rng(5);
    const std::vector<std::size_t> sizes{1, 3, 15, 16, 17, 64, 255, 768, 3072};
    for (const bool transpose_b : {true, false})
        for (const std::size_t n : sizes)
            for (const std::size_t k : sizes)
                expect_product({.m = 1, .n = n, .k = k, .transpose_b = transpose_b}, rng);
}

TEST(gemm, of_few_rows_scales_and_adds) {
    Rng rng(6);
    for (const bool tb : {true, false})
        for (const std::size_t m : {1U, 2U, 3U, 4U, 5U, 8U, 9U})
            for (const std::size_t k : {7U, 300U})
                for (const auto& [alpha, beta] : {std::pair{1.0f, 0.0f}, {2.0f, 0.0f}, {-0.5f, 3.0f}})
                    expect_product(
                        {.m = m, .n = 131, .k = k, .transpose_b = tb, .alpha = alpha, .beta = beta}, rng);
}

TEST(gemm, of_few_rows_does_not_read_what_is_there_where_beta_is_0) {
    Rng rng(7);
    for (const bool transpose_b : {true, false}) {
        Product product({.m = 2, .n = 20, .k = 20, .transpose_b = transpose_b}, rng);
        std::fill(product.before.begin(), product.before.end(), nan);
        product.run(1);
        for (std::size_t j = 0; j < 20; ++j) EXPECT_TRUE(std::isfinite(product.c[j])) << j;
    }
}

// A column of A, stored as one: rows and columns of it are the same.
TEST(gemm, of_one_row_that_is_stored_as_a_column) {
    const std::vector<float> a{1, 2, 3}, b{1, 0, 0, 1, 1, 1}, spread{1, 9, 2, 9, 3, 9};
    std::vector<float> c(2), of_spread(2);
    kernels::Gemm g{.m = 1, .n = 2, .k = 3, .transpose_a = true, .lda = 1, .ldb = 2, .ldc = 2};
    kernels::gemm(g, a.data(), b.data(), c.data());
    EXPECT_EQ(c, (std::vector<float>{4, 5}));
    g.lda = 2;
    kernels::gemm(g, spread.data(), b.data(), of_spread.data());
    EXPECT_EQ(of_spread, c);
}

TEST(gemm, of_few_rows_has_the_same_bits_with_any_number_of_threads) {
    Rng rng(8);
    for (const bool transpose_b : {true, false}) {
        for (const std::size_t m : {1U, 4U, 8U}) {
            for (const auto& [n, k] : {std::pair{768u, 768u}, {1000u, 333u}, {64u, 3072u}, {3072u, 64u}}) {
                Product product(
                    {.m = m, .n = n, .k = k, .transpose_b = transpose_b, .alpha = 0.7f, .beta = 0.3f}, rng);
                const std::vector<float> alone = product.run(1);
                EXPECT_EQ(product.run(2), alone) << n << " columns, k = " << k;
                EXPECT_EQ(product.run(4), alone) << n << " columns, k = " << k;
            }
        }
    }
}

TEST(gemm, of_few_rows_has_the_same_bits_for_each_row_by_itself) {
    Rng rng(9);
    for (const bool transpose_b : {true, false}) {
        Product product({.m = 8, .n = 131, .k = 300, .transpose_b = transpose_b, .alpha = 0.7f, .beta = 0.3f},
                        rng);
        const std::vector<float> together = product.run(2);
        std::vector<float> c = product.before;
        kernels::Gemm row = product.g;
        row.m = 1;
        for (std::size_t i = 0; i < 8; ++i)
            kernels::gemm(row, product.a.data() + i * row.lda, product.b.data(), c.data() + i * row.ldc);
        EXPECT_EQ(c, together);
    }
}

TEST(gemm, over_nothing_is_zero_or_what_was_there_and_of_no_rows_or_columns_writes_nothing) {
    std::vector<float> c{nan, nan, 5, 6};  // beta = 0 must not read what is there
    kernels::gemm({.m = 1, .n = 2, .k = 0, .ldc = 2}, nullptr, nullptr, c.data());
    EXPECT_EQ(c[0], 0.0f);
    kernels::gemm({.m = 1, .n = 2, .k = 0, .ldc = 2, .beta = 2.0f}, nullptr, nullptr, c.data() + 2);
    EXPECT_EQ(c, (std::vector<float>{0, 0, 10, 12}));
    kernels::gemm({.m = 0, .n = 2, .k = 2, .lda = 2, .ldb = 2, .ldc = 2}, nullptr, nullptr, c.data());
    kernels::gemm({.m = 2, .n = 0, .k = 2, .lda = 2, .ldb = 0, .ldc = 0}, nullptr, nullptr, c.data());
    EXPECT_EQ(c, (std::vector<float>{0, 0, 10, 12}));
}

}  // namespace
}  // namespace tfs::test
