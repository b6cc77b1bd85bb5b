// tests/00_tensors_test.cpp · the checklist of chapter 00: each step by PyTorch's values, by values worked
// out by hand, by properties, by diagnosis
//
// Run it on your steps with ./tutorial check 0. The golden values are made by tests/golden/make_golden.py.
// No check of one step uses another step.
#include "chapters/00_tensors/tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

Array golden(const std::string& name) {
    static const Golden file("00_tensors.safetensors");
    return file[name].array();
}

Array array(const Shape& shape, std::vector<float> values) {
    return Tensor::from(shape, std::move(values)).array();
}

Array normal(const Shape& shape, std::uint64_t seed) {
    Rng rng(seed);
    return rng.normal_array(shape);
}

// Not named `equal`: xtensor has one, and would be found first (argument-dependent lookup).
testing::AssertionResult matches(const Array& actual, const Array& expected,
                                 const std::vector<Suspect>& suspects = {},
                                 Tolerance tolerance = {1e-5, 1e-5}) {
    return close(Tensor(actual), Tensor(expected), tolerance, suspects);
}

// --- 0.1 add_bias ----------------------------------------------------------------------------------------

// x plus, at offset i, the entry that `which` names; no entry where that is n or more.
template <class Which>
Suspect wrong_bias(const std::string& message, const Array& x, const Array& bias, const Which& which) {
    return {message, [=] {
                Array y = x;
                for (std::size_t i = 0; i < x.size(); ++i) {
                    const std::size_t entry = which(i, bias.size());
                    if (entry < bias.size()) y.data()[i] += bias.data()[entry];
                }
                return Tensor(y);
            }};
}

std::vector<Suspect> bias_suspects(const Array& x, const Array& bias) {
    using Size = std::size_t;
    return {
        wrong_bias(
            "the bias was added down the rows (axis 0); it belongs to the columns: row * n + column is the "
            "offset, so the column is the offset % n",
            x, bias, [](Size i, Size n) { return i / n % n; }),
        wrong_bias("only the first row got the bias; it is repeated for every row", x, bias,
                   [](Size i, Size) { return i; }),
        wrong_bias("only the first entry of the bias was used; each column has its own", x, bias,
                   [](Size, Size) { return Size{0}; }),
        wrong_bias("the bias was not added", x, bias, [](Size, Size n) { return n; })};
}

TEST(Step_0_1_add_bias, equals_pytorch) {
    const Array x = golden("add_bias.x"), bias = golden("add_bias.bias");
    EXPECT_TRUE(matches(add_bias(x, bias), golden("add_bias.output"), bias_suspects(x, bias)));
}

TEST(Step_0_1_add_bias, adds_one_entry_to_each_column) {
    const Array x = array({2, 3}, {1, 2, 3, 4, 5, 6}), bias = array({3}, {10, 20, 30});
    EXPECT_TRUE(matches(add_bias(x, bias), array({2, 3}, {11, 22, 33, 14, 25, 36}), bias_suspects(x, bias)));
}

TEST(Step_0_1_add_bias, goes_along_the_last_axis_of_a_square_matrix) {
    const Array x = array({3, 3}, {0, 0, 0, 1, 1, 1, 2, 2, 2}), bias = array({3}, {0.5f, -1, 4});
    EXPECT_TRUE(matches(add_bias(x, bias), array({3, 3}, {0.5f, -1, 4, 1.5f, 0, 5, 2.5f, 1, 6}),
                        bias_suspects(x, bias)));
}

TEST(Step_0_1_add_bias, takes_a_single_row) {
    EXPECT_TRUE(matches(add_bias(array({3}, {1, 2, 3}), array({3}, {10, 20, 30})), array({3}, {11, 22, 33})));
}

TEST(Step_0_1_add_bias, accepts_a_tensor_without_rows) {
    EXPECT_TRUE(
        matches(add_bias(Array::from_shape({0, 3}), array({3}, {1, 2, 3})), Array::from_shape({0, 3})));
}

TEST(Step_0_1_add_bias, refuses_only_a_bias_of_another_size) {
    add_bias(normal({2, 3}, 1), normal({3}, 2));
    EXPECT_THROW(add_bias(normal({2, 3}, 1), normal({2}, 2)), ShapeError);
    EXPECT_THROW(add_bias(normal({3, 3}, 1), normal({3, 1}, 2)), ShapeError);
}

// --- 0.2 matmul_loops and 0.3 matmul_blas ----------------------------------------------------------------

// The products in double. `read_a` and `read_b` give the offset of an element within the whole buffer.
struct Sizes {
    std::size_t batch, m, k, n;
};
using Offset = std::function<std::size_t(const Sizes&, std::size_t s, std::size_t row, std::size_t column)>;

std::size_t offset_a(const Sizes& z, std::size_t s, std::size_t i, std::size_t p) {
    return (s * z.m + i) * z.k + p;
}
std::size_t offset_b(const Sizes& z, std::size_t s, std::size_t p, std::size_t j) {
    return (s * z.k + p) * z.n + j;
}

Array product(const Array& a, const Array& b, const Offset& read_a = offset_a,
              const Offset& read_b = offset_b) {
    const Sizes z{a.shape(0), a.shape(1), a.shape(2), b.shape(2)};
    Array c = Array::from_shape(Shape{z.batch, z.m, z.n});
    for (std::size_t s = 0; s < z.batch; ++s) {
        for (std::size_t i = 0; i < z.m; ++i) {
            for (std::size_t j = 0; j < z.n; ++j) {
                double sum = 0.0;
                for (std::size_t p = 0; p < z.k; ++p) {
                    sum += static_cast<double>(a.data()[read_a(z, s, i, p)]) * b.data()[read_b(z, s, p, j)];
                }
                c.data()[(s * z.m + i) * z.n + j] = static_cast<float>(sum);
            }
        }
    }
    return c;
}

// What both steps may get wrong in reading their operands.
std::vector<Suspect> reading_suspects(const Array& a, const Array& b, const std::string& transposed) {
    const auto first_a = [](const Sizes& z, std::size_t, std::size_t i, std::size_t p) {
        return i * z.k + p;
    };
    const auto first_b = [](const Sizes& z, std::size_t, std::size_t p, std::size_t j) {
        return p * z.n + j;
    };
    const auto a_across = [](const Sizes& z, std::size_t s, std::size_t i, std::size_t p) {
        return s * z.m * z.k + p * z.m + i;
    };
    const auto b_across = [](const Sizes& z, std::size_t s, std::size_t p, std::size_t j) {
        return s * z.k * z.n + j * z.k + p;
    };
    return {{"b was " + transposed + ": its rows have n entries, element (p, j) lies at p * n + j",
             [=] { return Tensor(product(a, b, offset_a, b_across)); }},
            {"a was " + transposed + ": its rows have k entries, element (i, p) lies at i * k + p",
             [=] { return Tensor(product(a, b, a_across, offset_b)); }},
            {"every batch element was multiplied by the first matrix of b; matrix s begins at s * k * n",
             [=] { return Tensor(product(a, b, offset_a, first_b)); }},
            {"every batch element took the first matrix of a; matrix s begins at s * m * k",
             [=] { return Tensor(product(a, b, first_a, offset_b)); }},
            {"nothing was added up: all entries are 0", [=] {
                 return Tensor::zeros({a.shape(0), a.shape(1), b.shape(2)});
             }}};
}

// Running sums of the right products: a sum that is set to 0 only every `period` elements of the result.
Tensor running_sums(const Array& a, const Array& b, std::size_t period) {
    Array c = product(a, b);
    for (std::size_t i = 1; i < c.size(); ++i) {
        if (i % period != 0) c.data()[i] += c.data()[i - 1];
    }
    return Tensor(c);
}

// Only the last of the k products.
Tensor last_products(const Array& a, const Array& b) {
    Array a_last = a;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (i % a.shape(2) + 1 != a.shape(2)) a_last.data()[i] = 0.0f;
    }
    return Tensor(product(a_last, b));
}

std::vector<Suspect> loops_suspects(const Array& a, const Array& b) {
    std::vector<Suspect> suspects = reading_suspects(a, b, "read transposed");
    const std::size_t m = a.shape(1), n = b.shape(2);
    for (const std::size_t period : {n, m * n, a.shape(0) * m * n}) {
        suspects.push_back(
            {fmt::format("the sum was not set back to 0 for each element of the result (it runs on over {})",
                         period == n       ? "a row"
                         : period == m * n ? "a matrix"
                                           : "the whole batch"),
             [=] { return running_sums(a, b, period); }});
    }
    suspects.push_back({"only the last product of each sum is left: it needs +=, not =",
                        [=] { return last_products(a, b); }});
    return suspects;
}

TEST(Step_0_2_matmul_loops, equals_pytorch) {
    const Array a = golden("bmm.a"), b = golden("bmm.b");
    EXPECT_TRUE(matches(matmul_loops(a, b), golden("bmm.output"), loops_suspects(a, b)));
}

TEST(Step_0_2_matmul_loops, multiplies_two_small_matrices) {
    const Array a = array({1, 2, 3}, {1, 2, 3, 4, 5, 6}), b = array({1, 3, 2}, {7, 8, 9, 10, 11, 12});
    EXPECT_TRUE(matches(matmul_loops(a, b), array({1, 2, 2}, {58, 64, 139, 154}), loops_suspects(a, b)));
}

TEST(Step_0_2_matmul_loops, gives_each_batch_element_its_own_product) {
    const Array a = array({2, 2, 2}, {1, 2, 3, 4, 1, 0, 0, 2}),
                b = array({2, 2, 2}, {1, 1, 0, 1, 5, 6, 7, 8});
    EXPECT_TRUE(
        matches(matmul_loops(a, b), array({2, 2, 2}, {1, 3, 3, 7, 5, 6, 14, 16}), loops_suspects(a, b)));
}

TEST(Step_0_2_matmul_loops, is_zero_where_there_is_nothing_to_sum) {
    EXPECT_TRUE(matches(matmul_loops(Array::from_shape({1, 2, 0}), Array::from_shape({1, 0, 3})),
                        Tensor::zeros({1, 2, 3}).array()));
}

TEST(Step_0_2_matmul_loops, refuses_only_shapes_that_do_not_fit) {
    matmul_loops(normal({2, 2, 3}, 1), normal({2, 3, 2}, 2));
    EXPECT_THROW(matmul_loops(normal({1, 2, 3}, 1), normal({1, 2, 3}, 2)), ShapeError);
    EXPECT_THROW(matmul_loops(normal({2, 2, 3}, 1), normal({1, 3, 2}, 2)), ShapeError);
    EXPECT_THROW(matmul_loops(normal({2, 3}, 1), normal({3, 2}, 2)), ShapeError);
}

// Only the first product of the batch.
Tensor first_product(const Array& a, const Array& b) {
    Array c = product(a, b);
    std::fill(c.data() + a.shape(1) * b.shape(2), c.data() + c.size(), 0.0f);
    return Tensor(c);
}

std::vector<Suspect> blas_suspects(const Array& a, const Array& b) {
    std::vector<Suspect> suspects = reading_suspects(a, b, "multiplied transposed");
    suspects.back().message =
        "nothing was written: BLAS refused the call (it prints which parameter), or was not called. A "
        "leading dimension is "
        "at least the length of a row: lda = k, ldb = n, ldc = n (for row-major matrices; manuals of BLAS "
        "are column-major)";
    suspects.push_back(
        {"only the first batch element was computed; call gemm once for each, with all three pointers moved "
         "on",
         [=] { return first_product(a, b); }});
    return suspects;
}

TEST(Step_0_3_matmul_blas, equals_pytorch) {
    const Array a = golden("bmm.a"), b = golden("bmm.b");
    EXPECT_TRUE(matches(matmul_blas(a, b), golden("bmm.output"), blas_suspects(a, b)));
}

TEST(Step_0_3_matmul_blas, multiplies_two_small_matrices) {
    const Array a = array({1, 2, 3}, {1, 2, 3, 4, 5, 6}), b = array({1, 3, 2}, {7, 8, 9, 10, 11, 12});
    EXPECT_TRUE(matches(matmul_blas(a, b), array({1, 2, 2}, {58, 64, 139, 154}), blas_suspects(a, b)));
}

TEST(Step_0_3_matmul_blas, gives_each_batch_element_its_own_product) {
    const Array a = array({2, 2, 2}, {1, 2, 3, 4, 1, 0, 0, 2}),
                b = array({2, 2, 2}, {1, 1, 0, 1, 5, 6, 7, 8});
    EXPECT_TRUE(
        matches(matmul_blas(a, b), array({2, 2, 2}, {1, 3, 3, 7, 5, 6, 14, 16}), blas_suspects(a, b)));
}

TEST(Step_0_3_matmul_blas, steps_from_row_to_row_by_the_length_of_a_row) {
    // With a wrong leading dimension every row but the first begins at a wrong place. Only element 0 is
    // looked at: what a wrong step finds there is still within the buffers.
    for (const auto& [k, n] : {std::pair<std::size_t, std::size_t>{6, 8}, {8, 6}}) {
        const Array a = normal({2, 4, k}, 5), b = normal({2, k, n}, 6);
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

TEST(Step_0_3_matmul_blas, is_zero_where_there_is_nothing_to_sum) {
    EXPECT_TRUE(matches(matmul_blas(Array::from_shape({1, 2, 0}), Array::from_shape({1, 0, 3})),
                        Tensor::zeros({1, 2, 3}).array()));
}

TEST(Step_0_3_matmul_blas, refuses_only_shapes_that_do_not_fit) {
    matmul_blas(normal({2, 2, 3}, 1), normal({2, 3, 2}, 2));
    EXPECT_THROW(matmul_blas(normal({1, 2, 3}, 1), normal({1, 2, 3}, 2)), ShapeError);
    EXPECT_THROW(matmul_blas(normal({2, 2, 3}, 1), normal({1, 3, 2}, 2)), ShapeError);
    EXPECT_THROW(matmul_blas(normal({2, 3}, 1), normal({3, 2}, 2)), ShapeError);
}

// --- 0.4 row_statistics ----------------------------------------------------------------------------------

std::vector<Suspect> variance_suspects(const Array& x) {
    const Tensor input(x);
    const auto n = static_cast<float>(x.shape().back());
    std::vector<Suspect> suspects = {
        {"the variance was divided by n - 1 (of a sample); of the population it is divided by n",
         [=] { return variance(input, -1) * (n / (n - 1.0f)); }},
        {"this is the standard deviation, the root of the variance",
         [=] { return sqrt(variance(input, -1)); }},
        {"this is the mean of the squares; subtract the mean before you square",
         [=] { return mean(input * input, -1); }},
        {"the sum of the squares was not divided by n", [=] { return variance(input, -1) * n; }}};
    if (x.dimension() > 1) {
        suspects.push_back(
            {"the variance was taken over the wrong axis: down the columns, not along the rows",
             [=] { return variance(input, -2); }});
    }
    return suspects;
}

std::vector<Suspect> mean_suspects(const Array& x) {
    const Tensor input(x);
    std::vector<Suspect> suspects = {{"the sum was not divided by n", [=] { return sum(input, -1); }}};
    if (x.dimension() > 1) {
        suspects.push_back({"the mean was taken over the wrong axis: down the columns, not along the rows",
                            [=] { return mean(input, -2); }});
    }
    return suspects;
}

TEST(Step_0_4_row_statistics, equals_pytorch) {
    const Array x = golden("row_statistics.x");
    const RowStatistics result = row_statistics(x);
    EXPECT_TRUE(matches(result.mean, golden("row_statistics.mean"), mean_suspects(x)));
    EXPECT_TRUE(matches(result.variance, golden("row_statistics.variance"), variance_suspects(x)));
}

TEST(Step_0_4_row_statistics, goes_along_the_rows_of_a_square_matrix) {
    const Array x = array({3, 3}, {1, 2, 3, 0, 0, 6, 5, 5, 5});
    const RowStatistics result = row_statistics(x);
    EXPECT_TRUE(matches(result.mean, array({3}, {2, 2, 5}), mean_suspects(x)));
    EXPECT_TRUE(matches(result.variance, array({3}, {2.0f / 3.0f, 8, 0}), variance_suspects(x)));
}

TEST(Step_0_4_row_statistics, takes_a_single_row) {
    const Array x = array({4}, {1, 2, 3, 6});
    const RowStatistics result = row_statistics(x);
    EXPECT_TRUE(matches(result.mean, array({}, {3}), mean_suspects(x)));
    EXPECT_TRUE(matches(result.variance, array({}, {3.5f}), variance_suspects(x)));
}

TEST(Step_0_4_row_statistics, keeps_the_variance_where_the_mean_is_large) {
    const Array x = array({1, 6}, {0, 0.25f, 0.5f, 0.75f, 1, 1.25f});
    const Array far = array({1, 6}, {4096, 4096.25f, 4096.5f, 4096.75f, 4097, 4097.25f});  // exact as floats
    const float near_zero = row_statistics(x).variance.data()[0],
                near_4096 = row_statistics(far).variance.data()[0];
    EXPECT_NEAR(near_4096, near_zero, 1e-3f * std::abs(near_zero))
        << "Adding 4096 to every entry must not change the variance.\nLikely cause: E[x^2] - E[x]^2 "
           "subtracts two nearly "
           "equal numbers, of which a float keeps 7 digits; subtract the mean first, in a second pass";
}

TEST(Step_0_4_row_statistics, finds_no_variance_in_a_row_of_one_entry) {
    const RowStatistics result = row_statistics(array({2, 1}, {3, -7}));
    EXPECT_TRUE(matches(result.mean, array({2}, {3, -7})));
    EXPECT_TRUE(matches(result.variance, array({2}, {0, 0})));
}

TEST(Step_0_4_row_statistics, refuses_only_what_has_nothing_to_average) {
    row_statistics(normal({2, 3}, 1));
    EXPECT_THROW(row_statistics(Tensor().array()), ShapeError);
    EXPECT_THROW(row_statistics(Array::from_shape({2, 0})), ShapeError);
}

// --- 0.5 finite_difference -------------------------------------------------------------------------------

double sum_of_squares(const Array& x) {
    double total = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) total += static_cast<double>(x.data()[i]) * x.data()[i];
    return total;
}

// The sum over the rows of log(sum of exp(x_j)): each entry's slope depends on the others of its row.
double log_sum_exp(const Array& x) {
    const std::size_t n = x.shape(1);
    double total = 0.0;
    for (std::size_t row = 0; row < x.shape(0); ++row) {
        double sum = 0.0;
        for (std::size_t j = 0; j < n; ++j) sum += std::exp(static_cast<double>(x.data()[row * n + j]));
        total += std::log(sum);
    }
    return total;
}

TEST(Step_0_5_finite_difference, equals_pytorch) {
    // The slope is p, the softmax of the row, between 0 and 1. What h = 0.01 leaves out is
    // h^2/6 times the third derivative, p (1 - p) (1 - 2p): at most 1.6e-6. Entries up to 2 + h are rounded
    // by up to 1.2e-7: that moves the middle of the two points, which changes the slope by less than 1e-7.
    const Tolerance tolerance{1e-6, 2e-6};
    const Array x = golden("log_sum_exp.x"), expected = golden("log_sum_exp.grad_x");
    const Array gradient = finite_difference_gradient(log_sum_exp, x, 0.01f);
    EXPECT_TRUE(matches(gradient, expected, {}, tolerance))
        << likely_if(matches(gradient, expected, {}, {0.0, 1e-4}),
                     "a rounding that is too coarse: keep the two values of f as doubles, and divide by the "
                     "distance between the two points as they were rounded");
}

TEST(Step_0_5_finite_difference, is_exact_for_a_parabola) {
    // f(x) = x^2 has the slope 2x. From the two sides together that is exact; from one side it is 2x + h or
    // 2x - h.
    const Array x = array({3}, {1, -2, 0.5f});
    const float h = 0.25f;
    const Tensor slope = 2.0f * Tensor(x);
    EXPECT_TRUE(
        matches(finite_difference_gradient(sum_of_squares, x, h), slope.array(),
                {{"this is a one-sided difference, (f(x + h) - f(x)) / h; step to both sides",
                  [&] { return slope + h; }},
                 {"this is a one-sided difference, (f(x) - f(x - h)) / h; step to both sides",
                  [&] { return slope - h; }},
                 {"divided by h, but the two points are 2h apart", [&] { return 2.0f * slope; }},
                 {"the difference was not divided by the distance of the two points",
                  [&] { return 2.0f * h * slope; }},
                 {"the sign is the wrong way round: it is f(x + h) - f(x - h)", [&] { return -slope; }}}));
}

TEST(Step_0_5_finite_difference, divides_by_the_distance_of_the_rounded_points) {
    // Floats near 1000 are 2^-14 = 6.1e-5 apart, so a step of 1e-4 becomes 1.22e-4. The slope is still 2x.
    const std::string cause = "divided by 2h, but the points are floats: subtract the one from the other";
    const Array x = array({1}, {1000}), slope = array({1}, {2000});
    EXPECT_TRUE(matches(finite_difference_gradient(sum_of_squares, x, 1e-4f), slope,
                        {{cause, [&] { return Tensor(slope) * (0x1p-13f / 1e-4f); }}}));
    // 1e-5 is lost altogether: both points are 1000, and 0 / 0 says so where a slope of 0 would deceive.
    const float lost = finite_difference_gradient(sum_of_squares, x, 1e-5f).data()[0];
    EXPECT_TRUE(std::isnan(lost)) << "is " << lost << likely_if(lost == 0.0f, cause);
}

TEST(Step_0_5_finite_difference, moves_one_entry_at_a_time) {
    const Array x = array({4}, {1, 2, 3, 4});
    std::string complaint;
    finite_difference_gradient(
        [&](const Array& point) {
            std::size_t moved = 0, first = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
                if (point.data()[i] != x.data()[i] && moved++ == 0) first = i;
            }
            if (moved > 1 && complaint.empty()) {
                complaint = fmt::format(
                    "f was called with {} entries moved at once\nLikely cause: entry {} was not set back "
                    "to its value before the next one was moved",
                    moved, first);
            }
            return 0.0;
        },
        x, 0.1f);
    EXPECT_TRUE(complaint.empty()) << complaint;
}

TEST(Step_0_5_finite_difference, takes_a_scalar_and_an_empty_array) {
    EXPECT_TRUE(matches(finite_difference_gradient(sum_of_squares, array({}, {3}), 0.5f), array({}, {6})));
    EXPECT_TRUE(matches(finite_difference_gradient(sum_of_squares, Array::from_shape({0}), 0.5f),
                        Array::from_shape({0})));
}

TEST(Step_0_5_finite_difference, refuses_only_a_step_that_goes_nowhere) {
    finite_difference_gradient(sum_of_squares, array({1}, {1}), 0.5f);
    EXPECT_THROW(finite_difference_gradient(sum_of_squares, array({1}, {1}), 0.0f), ValueError);
    EXPECT_THROW(finite_difference_gradient(sum_of_squares, array({1}, {1}), -1.0f), ValueError);
}

}  // namespace
}  // namespace tfs::test
