// tests/common/properties_test.cpp · what must hold for any numbers: threads, naive loops, inverses
#include <cstring>
#include <functional>

#include "common/base/parallel.hpp"
#include "common/kernels/row_kernels.hpp"
#include "common/tensor.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

Tensor drawn(const Shape& shape, std::uint64_t seed, double low = -2.0, double high = 2.0) {
    Rng rng(seed);
    return Tensor(rng.uniform_array(shape, low, high));
}

// ---- the number of threads changes no bit of a row loop --------------------------------------------------------

// The result of f, and the gradients of its inputs, one after the other.
std::vector<float> value_and_gradients(const std::function<Tensor(const std::vector<Tensor>&)>& f,
                                       const std::vector<Tensor>& inputs) {
    std::vector<Tensor> leaves;
    for (const Tensor& input : inputs) leaves.emplace_back(Tensor(input.array(), true));
    const Tensor y = f(leaves);
    std::vector<float> all(y.values().begin(), y.values().end());
    sum(y * drawn(y.shape(), 9)).backward();
    for (const Tensor& leaf : leaves)
        all.insert(all.end(), leaf.grad().data(), leaf.grad().data() + leaf.size());
    return all;
}

testing::AssertionResult same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "the bits differ between 1 and 2 threads";
}

TEST(threads, operations_give_the_same_bits_for_one_and_two) {
    const Shape shape{5, 130, 4, 37};  // 96,200 elements: more than the least that runs in parallel
    const Tensor x = drawn(shape, 1), row = drawn({37}, 2), inner = drawn({5, 1, 4, 1}, 3, 0.5, 2.0);
    const Mask causal = Mask::from({1, 37}, std::vector<int>(37, 1));
    const std::vector<std::function<Tensor(const std::vector<Tensor>&)>> operations{
        [](const auto& in) { return in[0] + in[1]; },
        [](const auto& in) { return in[0] * in[2]; },
        [](const auto& in) { return in[0] / in[2]; },
        [](const auto& in) { return exp(in[0]); },
        [](const auto& in) { return sigmoid(in[0]); },
        [](const auto& in) { return erf(in[0]); },
        [](const auto& in) { return sum(in[0], -1); },
        [](const auto& in) { return mean(in[0], 1); },
        [](const auto& in) { return max(in[0], 2); },
        [](const auto& in) { return variance(in[0], -1, KeepDims::yes); },
        [](const auto& in) { return transpose(in[0], 1, 2); },
        [](const auto& in) { return transpose(in[0], 0, -1); },
        [](const auto& in) { return slice(in[0], 1, 3, 120); },
        [](const auto& in) {
            return concat({in[0], in[0]}, 2);
        },
        [causal](const auto& in) { return masked_fill(in[0], causal, 0.0f); },
    };
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const auto f =
            [&](const std::vector<Tensor>& in) {  // every input takes part, so that each has a gradient
                return sum(operations[i](in)) + sum(in[1]) + sum(in[2]);
            };
        std::vector<float> values[2];
        for (const int threads : {1, 2}) {
            const Threads guard(threads);
            const Tensor y = operations[i]({x, row, inner});
            values[threads - 1] = value_and_gradients(f, {x, row, inner});
            values[threads - 1].insert(values[threads - 1].end(), y.values().begin(), y.values().end());
        }
        EXPECT_TRUE(same_bits(values[0], values[1])) << "operation " << i;
    }
}

TEST(threads, row_kernels_give_the_same_bits_for_one_and_two) {
    constexpr std::size_t rows = 700, size = 131;
    const Tensor x = drawn({rows, size}, 1), dy = drawn({rows, size}, 2), gamma = drawn({size}, 3);
    std::vector<float> values[2];
    for (const int threads : {1, 2}) {
        const Threads guard(threads);
        std::vector<float> y(rows * size), all;
        const auto keep = [&] { all.insert(all.end(), y.begin(), y.end()); };
        kernels::softmax_rows(x.values(), y, size, 0.5f), keep();
        kernels::softmax_rows_backward(x.values(), dy.values(), y, size, 0.5f), keep();
        kernels::fill_rows(y, gamma.values()), keep();
        y.resize(size);
        kernels::sum_over_rows(x.values(), y), keep();
        values[threads - 1] = all;
    }
    EXPECT_TRUE(same_bits(values[0], values[1]));
}

// ---- products against three loops ----------------------------------------------------------------------------------

// C = op(A) op(B) of two stacks with the same leading axis, by the definition, summed in double.
Tensor naive_product(const Tensor& a, const Tensor& b, bool ta, bool tb) {
    const std::size_t count = a.size(0), m = a.size(ta ? 2 : 1), k = a.size(ta ? 1 : 2),
                      n = b.size(tb ? 1 : 2);
    std::vector<float> c;
    for (std::size_t s = 0; s < count; ++s) {
        const float* pa = a.values().data() + s * m * k;
        const float* pb = b.values().data() + s * k * n;
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                double total = 0.0;
                for (std::size_t l = 0; l < k; ++l) {
                    total += static_cast<double>(ta ? pa[l * m + i] : pa[i * k + l]) *
                             (tb ? pb[j * k + l] : pb[l * n + j]);
                }
                c.push_back(static_cast<float>(total));
            }
        }
    }
    return Tensor::from({count, m, n}, std::move(c));
}

TEST(matmul, of_sizes_that_run_in_parallel_equals_three_loops) {
    // Sums of up to 131 products of numbers up to 4: an absolute tolerance, since they cancel.
    const Tolerance tolerance{1e-5, 3e-5};
    for (const std::size_t count : std::vector<std::size_t>{1, 2, 9}) {
        for (const auto& [flag, ta, tb] :
             std::vector<std::tuple<Transpose, bool, bool>>{{Transpose::none, false, false},
                                                            {Transpose::a, true, false},
                                                            {Transpose::b, false, true},
                                                            {Transpose::both, true, true}}) {
            const std::size_t m = 70, k = 131, n = 53;
            const Tensor a = drawn(ta ? Shape{count, k, m} : Shape{count, m, k}, 4);
            const Tensor b = drawn(tb ? Shape{count, n, k} : Shape{count, k, n}, 5);
            EXPECT_TRUE(close(matmul(a, b, flag), naive_product(a, b, ta, tb), tolerance)) << count;
        }
    }
}

TEST(matmul, of_a_broadcast_operand_equals_that_of_its_copies) {
    const Tensor a = drawn({6, 40, 64}, 6), b = drawn({1, 64, 48}, 7);
    const Tensor copies = concat({b, b, b, b, b, b}, 0);
    EXPECT_TRUE(close(matmul(a, b), naive_product(a, copies, false, false), {1e-5, 3e-5}));
    EXPECT_TRUE(close(matmul(a, reshape(b, {64, 48})), naive_product(a, copies, false, false), {1e-5, 3e-5}));
}

TEST(matmul, of_two_slices_of_one_tensor_equals_three_loops) {
    // xt::linalg::dot is wrong for two views of the same buffer; a slice of ours is a tensor of its own.
    const Tensor x = drawn({1, 6, 5}, 8);
    const Tensor left = slice(x, 1, 0, 5), right = slice(x, 1, 1, 6);
    EXPECT_TRUE(close(matmul(left, right), naive_product(left, right, false, false)));
    EXPECT_TRUE(close(matmul(left, left, Transpose::b), naive_product(left, left, false, true)));
}

TEST(linear, equals_matmul_with_the_transposed_weight_plus_bias) {
    const Tensor x = drawn({3, 5, 16}, 1), weight = drawn({8, 16}, 2), bias = drawn({8}, 3);
    EXPECT_TRUE(close(linear(x, weight, &bias), matmul(x, transpose(weight, 0, 1)) + bias));
}

// ---- inverses ------------------------------------------------------------------------------------------------------

TEST(transpose, twice_gives_the_same_again) {
    const Tensor x = drawn({2, 3, 4, 5, 6}, 1);
    for (int a = 0; a < 5; ++a) {
        for (int b = 0; b < 5; ++b) {
            const Tensor y = transpose(x, a, b);
            EXPECT_EQ(y.size(a), x.size(b));
            EXPECT_TRUE(close(transpose(y, b, a), x, {0.0, 0.0})) << a << " " << b;
        }
    }
}

TEST(transpose, puts_every_element_in_its_place) {
    const Tensor x = drawn({2, 3, 4}, 1), y = transpose(x, 0, 2);
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(y.at({k, j, i}), x.at({i, j, k}));
        }
    }
}

TEST(concat, of_the_slices_gives_the_tensor_again) {
    const Tensor x = drawn({4, 5, 6}, 1);
    for (int axis = 0; axis < 3; ++axis) {
        const Tensor joined =
            concat({slice(x, axis, 0, 1), slice(x, axis, 1, 1), slice(x, axis, 1, x.size(axis))}, axis);
        EXPECT_TRUE(close(joined, x, {0.0, 0.0})) << axis;
    }
}

TEST(slice, of_the_concatenation_gives_the_parts_again) {
    const Tensor a = drawn({2, 3, 4}, 1), b = drawn({2, 2, 4}, 2);
    const Tensor joined = concat({a, b}, 1);
    EXPECT_TRUE(close(slice(joined, 1, 0, 3), a, {0.0, 0.0}));
    EXPECT_TRUE(close(slice(joined, -2, 3, 5), b, {0.0, 0.0}));
}

TEST(exp_and_log, undo_each_other) {
    const Tensor x = drawn({50}, 1);
    EXPECT_TRUE(close(log(exp(x)), x, {1e-5, 1e-6}));
    EXPECT_TRUE(close(sigmoid(x) + sigmoid(-x), Tensor::ones({50})));
    EXPECT_TRUE(close(tanh(x), 2.0f * sigmoid(2.0f * x) - 1.0f, {1e-5, 1e-6}));
}

}  // namespace
}  // namespace tfs::test
