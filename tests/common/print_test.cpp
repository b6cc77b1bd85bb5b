// tests/common/print_test.cpp · tensors, masks and shapes as text: the forms of torch.set_printoptions()'s defaults
#include "common/tensor/print.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

template <class Printable>
std::string streamed(const Printable& value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

TEST(print, shape_and_values_in_columns) {
    const Tensor x = Tensor::from({2, 2}, {0.1f, 2.5f, -3.0f, 0.01f});
    EXPECT_EQ(streamed(x), "(2, 2)\n[[ 0.1000,  2.5000],\n [-3.0000,  0.0100]]");
    EXPECT_EQ(fmt::format("{}", x), streamed(x));
}

TEST(print, whole_numbers_have_no_decimals) {
    EXPECT_EQ(streamed(Tensor::from({3}, {1.0f, -20.0f, 0.0f})), "(3)\n[  1., -20.,   0.]");
}

TEST(print, an_exponent_for_all_where_sizes_differ_too_much) {
    EXPECT_EQ(streamed(Tensor::from({2}, {1e-6f, 1.0f})), "(2)\n[1.0000e-06, 1.0000e+00]");
}

TEST(print, numbers_that_are_none) {
    EXPECT_EQ(streamed(Tensor::from({3}, {1.5f, -infinity, std::numeric_limits<float>::quiet_NaN()})),
              "(3)\n[1.5000,   -inf,    nan]");
}

TEST(print, scalars_and_empty_tensors) {
    EXPECT_EQ(streamed(Tensor::from({}, {3.5f})), "()\n3.5000");
    EXPECT_EQ(streamed(Tensor::zeros({2, 0})), "(2, 0)\n[[],\n []]");
}

TEST(print, an_empty_line_between_matrices) {
    EXPECT_EQ(streamed(Tensor::from({2, 1, 2}, {1, 2, 3, 4})), "(2, 1, 2)\n[[[1., 2.]],\n\n [[3., 4.]]]");
}

TEST(print, of_many_values_the_ends_of_each_axis) {
    EXPECT_EQ(streamed(Tensor::zeros({2, 600})),
              "(2, 600)\n[[0., 0., 0., ..., 0., 0., 0.],\n [0., 0., 0., ..., 0., 0., 0.]]");
    const std::string text = streamed(normal({11, 10, 10}, 1));
    EXPECT_NE(text.find("\n\n ...,\n\n"), std::string::npos);
    EXPECT_EQ(streamed(Tensor::zeros({1000})).find("..."), std::string::npos);
}

TEST(print, masks_and_shapes) {
    const Mask mask = Mask::from({2, 2}, {1, 0, 1, 1});
    EXPECT_EQ(fmt::format("{}", mask), "(2, 2)\n[[1, 0],\n [1, 1]]");
    EXPECT_EQ(streamed(mask), fmt::format("{}", mask));
    EXPECT_EQ(fmt::format("{}", Shape{2, 3}), "(2, 3)");
    std::ostringstream out;
    out << Shape{2, 3};
    EXPECT_EQ(out.str(), "(2, 3)");
}

}  // namespace
}  // namespace tfs::test
