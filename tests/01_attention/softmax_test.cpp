// tests/01_attention/softmax_test.cpp · step softmax: PyTorch's values, extreme entries, properties
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/01_attention/checklist.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(softmax, rows_of_a_square_matrix_sum_to_one) {
    const Tensor x = normal({4, 4}, 2);
    EXPECT_TRUE(close_named("softmax of (4, 4)", softmax(x), reference_softmax(x), {1e-5, 1e-7}));
}

TEST(softmax, equals_pytorch_along_the_last_axis) {
    EXPECT_TRUE(close(softmax(golden()["softmax.x"]), golden()["softmax.last.output"], {1e-5, 1e-7}));
}

TEST(softmax, equals_pytorch_along_another_axis) {
    EXPECT_TRUE(close(softmax(golden()["softmax.x"], 1), golden()["softmax.axis1.output"], {1e-5, 1e-7}));
}

TEST(softmax, sends_the_gradient_of_pytorch) {
    for (const std::string where : {"softmax.last.", "softmax.axis1."}) {
        const Tensor x = leaf("softmax.x");
        ASSERT_TRUE(
            send_back(softmax(x, where == "softmax.last." ? -1 : 1), golden()[where + "grad_weights"]));
        EXPECT_TRUE(gradient_close("x", x, golden()[where + "grad_x"], {1e-5, 1e-6}));
    }
}

// Each row alone, and all of them together.
TEST(softmax, rows_of_extreme_entries_get_the_weights_of_their_differences) {
    const std::vector<std::vector<float>> rows = {
        {10000, 9999, 0}, {-1001, -1000, -2000}, {-2e38f, -2e38f, -3e38f}};
    const Tensor expected =
        Tensor::from({3, 3}, {0.7310586f, 0.2689414f, 0, 0.2689414f, 0.7310586f, 0, 0.5f, 0.5f, 0});
    std::vector<Tensor> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        all.push_back(Tensor::from({1, 3}, rows[i]));
        EXPECT_TRUE(close_named(fmt::format("softmax of {}", rows[i]), softmax(all[i]),
                                slice(expected, 0, i, i + 1)));
    }
    EXPECT_TRUE(close_named("softmax of these rows together", softmax(concat(all, 0)), expected));
}

TEST(softmax, an_entry_of_minus_infinity_gets_no_weight) {
    const Tensor x = leaf("softmax.extreme.x");
    const Tensor y = softmax(x);
    EXPECT_TRUE(close(y, golden()["softmax.extreme.output"], {1e-5, 1e-7}));
    ASSERT_TRUE(send_back(y, golden()["softmax.extreme.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["softmax.extreme.grad_x"], {1e-5, 1e-6}));
}

TEST(softmax, a_row_of_only_minus_infinity_gives_zeros) {
    const Tensor x = Tensor::from({2, 3}, {-infinity, -infinity, -infinity, 0.0f, 0.0f, -infinity})
                         .set_requires_grad(true);
    const Tensor y = softmax(x);
    EXPECT_TRUE(close(y, Tensor::from({2, 3}, {0.0f, 0.0f, 0.0f, 0.5f, 0.5f, 0.0f})));
    ASSERT_TRUE(send_back(y, Tensor::from({2, 3}, {1.0f, 2.0f, 3.0f, 3.0f, 4.0f, 5.0f})));
    EXPECT_TRUE(gradient_close("x", x, Tensor::from({2, 3}, {0.0f, 0.0f, 0.0f, -0.25f, 0.25f, 0.0f})));
}

TEST(softmax, rows_sum_to_one_and_a_shift_changes_nothing) {
    const Tensor x = normal({3, 7, 33}, 1), y = softmax(x);
    ASSERT_TRUE(has_shape(y, x.shape()));
    EXPECT_TRUE(close_named("sums of the rows", sum(y, -1), Tensor::ones({3, 7}), {1e-5, 0}));
    EXPECT_TRUE(close_named("softmax(x + 5) against softmax(x)", softmax(x + 5.0f), y, {1e-4, 1e-6}));
}

TEST(softmax, an_only_entry_gets_the_whole_weight) {
    EXPECT_TRUE(close(softmax(Tensor::from({3, 1}, {0.5f, -1.0f, 2.0f})), Tensor::ones({3, 1}), {0, 0}));
}

TEST(softmax, goes_along_every_axis_counted_from_both_ends) {
    const Tensor x = normal({2, 3, 4, 5}, 20);
    for (const int axis : {0, 1, 2, 3, -1, -2, -3, -4})
        EXPECT_TRUE(close_named(fmt::format("softmax of (2, 3, 4, 5) along axis {}", axis), softmax(x, axis),
                                reference_softmax(x, axis), {1e-5, 1e-7}));
}

TEST(softmax, refuses_an_axis_that_is_not_there_or_empty) {
    const auto refused = [](const Shape& shape, int axis, const std::string& what) {
        return refuses<ShapeError>([&] { softmax(Tensor::zeros(shape), axis); }, {}, what);
    };
    EXPECT_TRUE(refused({2, 2}, 2, "axis 2 of (2, 2), which is not there"));
    EXPECT_TRUE(refused({}, -1, "axis -1 of a scalar, which is not there"));
    EXPECT_TRUE(refused({2, 0}, -1, "the last axis of (2, 0), which is empty"));
}

}  // namespace
}  // namespace tfs::test
