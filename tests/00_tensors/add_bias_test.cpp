// tests/00_tensors/add_bias_test.cpp · step add_bias: PyTorch's values, values worked out by hand, diagnosis
#include "tests/00_tensors/checklist.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

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

// ", as n - 1 or x.shape(2) is": where a wrong length of a row may come from.
std::string sizes_equal_to(std::size_t length, const Array& x) {
    std::vector<std::string> names;
    if (length + 1 == x.shape().back()) names.push_back("n - 1");
    for (std::size_t axis = 0; axis + 1 < x.dimension(); ++axis)
        if (x.shape(axis) == length) names.push_back(fmt::format("x.shape({})", axis));
    return names.empty() ? "" : fmt::format(", as {} is", fmt::join(names, " or "));
}

std::vector<Suspect> bias_suspects(const Array& x, const Array& bias) {
    using Size = std::size_t;
    const Size rows = x.size() / bias.size();
    std::vector<Suspect> suspects = {
        wrong_bias(
            "the bias was added down the rows (axis 0); it belongs to the columns: row * n + column is the "
            "offset, so the column is the offset % n",
            x, bias, [](Size i, Size n) { return i / n % n; }),
        wrong_bias("only the first entry of the bias was used; each column has its own", x, bias,
                   [](Size, Size) { return Size{0}; }),
        wrong_bias("the entries of the bias are taken in the opposite order; column j gets entry j", x, bias,
                   [](Size i, Size n) { return n - 1 - i % n; }),
        wrong_bias("the entries of the bias are shifted by one: column j gets entry j", x, bias,
                   [](Size i, Size n) { return (i + 1) % n; }),
        wrong_bias("& (n - 1) is the remainder only where n is a power of two; the column is offset % n", x,
                   bias, [](Size i, Size n) { return i & (n - 1); }),
        wrong_bias("the bias was not added", x, bias, [](Size, Size n) { return n; })};
    if (rows != bias.size())  // else it is the same as down the rows
        suspects.push_back(wrong_bias(
            "the column is taken as offset / rows, as if x were stored by columns; it is stored by rows: use "
            "offset % n",
            x, bias, [rows](Size i, Size) { return i / rows; }));
    for (Size length = 2; length < bias.size(); ++length)
        suspects.push_back(wrong_bias(
            fmt::format("a row is taken to be {} entries long{}; it is n = bias.size() = {} long, so the "
                        "column is offset % n",
                        length, sizes_equal_to(length, x), bias.size()),
            x, bias, [length](Size i, Size) { return i % length; }));
    return suspects;
}

// How many elements are right before the first that is not; the rest may be anything where nothing was written to it.
std::size_t right_ones(const Array& actual, const Array& expected) {
    std::size_t i = 0;
    while (shape_of(actual) == shape_of(expected) && i < expected.size() &&
           std::abs(actual.data()[i] - expected.data()[i]) < 1e-5f)
        ++i;
    return i;
}

testing::AssertionResult right_on_two_rows(bool with_causes = false) {
    const Array x = array({2, 3}, {1, 2, 3, 4, 5, 6}), bias = array({3}, {10, 20, 30});
    return matches(add_bias(x, bias), array({2, 3}, {11, 22, 33, 14, 25, 36}),
                   with_causes ? bias_suspects(x, bias) : std::vector<Suspect>{});
}

TEST(add_bias, equals_pytorch) {
    const Array x = golden_array("add_bias.x"), bias = golden_array("add_bias.bias");
    const Array y = add_bias(x, bias), expected = golden_array("add_bias.output");
    EXPECT_TRUE(matches(y, expected, bias_suspects(x, bias)))
        << likely_if(right_ones(y, expected) == bias.size(),
                     "only the first row got the bias; it is repeated for every row: the offsets go up to "
                     "x.size() - 1, and the column is the offset % n")
        << likely_if(right_ones(y, expected) + 1 == x.size(),
                     "the loop ends before the last element; the offsets are 0 … x.size() - 1")
        << likely_if(right_ones(y, expected) + bias.size() == x.size(),
                     "the loop ends before the last row, which begins at x.size() - n")
        << likely_if(right_ones(y, expected) == x.shape(0) * bias.size(),
                     "only the first x.shape(0) rows are filled; with more than two axes there are more, so "
                     "the offsets go up to x.size() - 1");
}

TEST(add_bias, adds_one_entry_to_each_column) { EXPECT_TRUE(right_on_two_rows(true)); }

TEST(add_bias, goes_along_the_last_axis_of_a_square_matrix) {
    const Array x = array({3, 3}, {0, 0, 0, 1, 1, 1, 2, 2, 2}), bias = array({3}, {0.5f, -1, 4});
    EXPECT_TRUE(matches(add_bias(x, bias), array({3, 3}, {0.5f, -1, 4, 1.5f, 0, 5, 2.5f, 1, 6}),
                        bias_suspects(x, bias)));
}

TEST(add_bias, takes_a_single_row) {
    const Array row = array({3}, {1, 2, 3}), matrix = array({1, 3}, {1, 2, 3}),
                bias = array({3}, {10, 20, 30});
    const Array y = add_bias(row, bias);
    EXPECT_TRUE(matches(y, array({3}, {11, 22, 33}))) << likely_if(
        matches(y, row) && !matches(add_bias(matrix, bias), matrix),
        "an x with one axis is returned without the bias; it is a single row, like one of a matrix");
}

// Asserted first: a loop over one row would write it where there is none.
TEST(add_bias, accepts_a_tensor_without_rows) {
    ASSERT_TRUE(right_on_two_rows());
    EXPECT_TRUE(
        matches(add_bias(Array::from_shape({0, 3}), array({3}, {1, 2, 3})), Array::from_shape({0, 3})));
}

// A crash here is a division by n.
TEST(add_bias, accepts_rows_of_length_0) {
    EXPECT_TRUE(
        matches(add_bias(Array::from_shape({2, 0}), Array::from_shape({0})), Array::from_shape({2, 0})));
}

TEST(add_bias, refuses_only_a_bias_of_another_size) {
    add_bias(normal_array({2, 3}, 1), normal_array({3}, 2));
    EXPECT_THROW(add_bias(normal_array({2, 3}, 1), normal_array({2}, 2)), ShapeError);
    EXPECT_THROW(add_bias(normal_array({3, 3}, 1), normal_array({3, 1}, 2)), ShapeError);
}

}  // namespace
}  // namespace tfs::test
