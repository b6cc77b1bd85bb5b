// tests/03_positional_encoding/absolute_positions_test.cpp · step absolute_positions: PyTorch's values, properties
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// With PyTorch's table, so that a wrong one spoils no check of what is added to x.
SinusoidalPositionalEncoding golden_sinusoids() {
    SinusoidalPositionalEncoding encoding(8, 16);
    encoding.table = golden()["sinusoids.table"];
    return encoding;
}

// x and the rows from `first` on.
Tensor with_rows(const Tensor& x, std::size_t first) {
    return x + slice(golden()["sinusoids.table"], 0, first, first + x.size(-2));
}

TEST(absolute_positions, sinusoids_equal_pytorch) {
    const SinusoidalPositionalEncoding encoding(8, 16);
    EXPECT_TRUE(close(encoding.table, golden()["sinusoids.table"]));
    EXPECT_EQ(encoding.table.requires_grad(), false) << "the table is fixed, and requires no gradient";
}

TEST(absolute_positions, sinusoids_of_a_shorter_table_are_the_first_rows) {
    EXPECT_TRUE(close(SinusoidalPositionalEncoding(8, 5).table, slice(golden()["sinusoids.table"], 0, 0, 5)));
}

TEST(absolute_positions, sinusoids_are_right_far_out) {
    const SinusoidalPositionalEncoding encoding(6, 20001);
    ASSERT_TRUE(has_shape(encoding.table, {20001, 6}));
    EXPECT_TRUE(close_named("the positions 19997 to 20000", slice(encoding.table, 0, 19997, 20001),
                            golden()["sinusoids.far"], {0, 1e-6}));
}

TEST(absolute_positions, sinusoids_are_added_to_x_at_their_positions) {
    const SinusoidalPositionalEncoding encoding = golden_sinusoids();
    const Tensor x = leaf("sinusoids.x"), y = encoding(x);
    EXPECT_TRUE(close(y, golden()["sinusoids.output"]));
    ASSERT_TRUE(send_back(y, golden()["sinusoids.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["sinusoids.grad_x"]));
}

TEST(absolute_positions, sinusoids_take_the_axis_before_the_last_for_the_positions) {
    for (const Shape& shape : {Shape{5, 8}, Shape{2, 3, 5, 8}, Shape{4, 4, 8}}) {
        const Tensor x = normal(shape, 6);
        EXPECT_TRUE(close_named("x " + to_string(shape), golden_sinusoids()(x), with_rows(x, 0)));
    }
}

TEST(absolute_positions, sinusoids_begin_at_the_offset) {
    const SinusoidalPositionalEncoding encoding = golden_sinusoids();
    const Tensor x = golden()["sinusoids.x"];
    EXPECT_TRUE(close_named("offset 7", encoding(x, 7), golden()["sinusoids.offset.output"]));
    const Tensor one = slice(x, 1, 0, 1);
    EXPECT_TRUE(close_named("a single position, offset 7", encoding(one, 7), with_rows(one, 7)));
    EXPECT_TRUE(close_named("the last 5 rows", encoding(x, 11), with_rows(x, 11)));
}

TEST(absolute_positions, sinusoids_refuse_positions_beyond_the_table) {
    const SinusoidalPositionalEncoding encoding = golden_sinusoids();
    const Tensor x = Tensor::zeros({2, 5, 8});
    EXPECT_TRUE(refuses<ValueError>([&] { (void)encoding(x, 12); }, {"12|16|17", "16"},
                                    "5 positions from 12 on, of 16"));
    const Tensor longer = Tensor::zeros({1, 19, 8});
    EXPECT_TRUE(refuses<ValueError>([&] { (void)encoding(longer); }, {"18|19", "16"}, "19 positions of 16"));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)encoding(x, std::numeric_limits<std::size_t>::max()); }, {},
                                    "5 positions from 2^64 - 1 on"));
    for (const std::size_t width : {6u, 1u}) {  // 1 would broadcast
        const Tensor narrow = slice(x, -1, 0, width);
        EXPECT_TRUE(refuses<ShapeError>([&] { (void)encoding(narrow); }, {},
                                        fmt::format("x of width {}, a table of 8", width)));
    }
}

TEST(absolute_positions, sinusoids_refuse_an_odd_width) {
    EXPECT_TRUE(has_shape(SinusoidalPositionalEncoding(2, 3).table, {3, 2}));
    EXPECT_TRUE(refuses<ValueError>([] { SinusoidalPositionalEncoding(7, 16); }, {"7"}, "d_model 7"));
    EXPECT_TRUE(refuses<ValueError>([] { SinusoidalPositionalEncoding(0, 16); }, {}, "d_model 0"));
    EXPECT_TRUE(refuses<ValueError>([] { SinusoidalPositionalEncoding(8, 0); }, {}, "max_len 0"));
    EXPECT_TRUE(refuses<ShapeError>([] { SinusoidalPositionalEncoding(1ull << 32, 1ull << 32); }, {},
                                    "a table larger than any memory"));
}

}  // namespace
}  // namespace tfs::test
