// tests/01_attention/softmax_test.cpp · step softmax: PyTorch's values, properties, diagnosis
#include "tests/01_attention/checklist.hpp"

#include <string>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

TEST(softmax, equals_pytorch_along_the_last_axis) {
    const Tensor x = golden()["softmax.x"];
    EXPECT_TRUE(close(softmax(x), golden()["softmax.last.output"], {1e-5, 1e-7},
                      {{"the sum runs over the wrong axis; `axis` says which one, and -1 is the last",
                        [&] { return reference_softmax(x, -2); }},
                       {"the sum runs over the wrong axis; `axis` says which one, and -1 is the last",
                        [&] { return reference_softmax(x, 0); }},
                       {"the exponentials are not divided by their sum",
                        [&] { return exp(x - max(x, -1, KeepDims::yes)); }},
                       {"the entries are divided by their sum, but not exponentiated",
                        [&] { return x / sum(x, -1, KeepDims::yes); }}}));
}

TEST(softmax, equals_pytorch_along_another_axis) {
    const Tensor x = golden()["softmax.x"];
    EXPECT_TRUE(close(softmax(x, 1), golden()["softmax.axis1.output"], {1e-5, 1e-7},
                      {{"`axis` is ignored: this is the softmax along the last axis",
                        [&] { return reference_softmax(x); }}}));
}

TEST(softmax, sends_the_gradient_of_pytorch) {
    for (const std::string where : {"softmax.last.", "softmax.axis1."}) {
        const Tensor x = leaf("softmax.x"), upstream = golden()[where + "grad_weights"];
        const Tensor y = softmax(x, where == "softmax.last." ? -1 : 1);
        ASSERT_TRUE(send_back(y, upstream));
        const bool right = close(y, golden()[where + "output"], {1e-5, 1e-7});
        EXPECT_TRUE(gradient_close("x", x, golden()[where + "grad_x"], {1e-5, 1e-6})) << likely_if(
            right, "the values are right, but not the gradient: only the maximum may be detached");
    }
}

TEST(softmax, entries_of_ten_thousand_do_not_overflow) {
    const Tensor y = softmax(Tensor::from({1, 3}, {10000.0f, 9999.0f, 0.0f}));
    EXPECT_TRUE(close(y, Tensor::from({1, 3}, {0.7310586f, 0.2689414f, 0.0f}))) << likely_if(
        contains_nan(y),
        "the maximum is not subtracted before exp: exp(10000) is infinite, and infinity / infinity is NaN");
}

TEST(softmax, rows_far_below_the_others_do_not_underflow) {
    const Tensor right = Tensor::from({1, 2}, {0.2689414f, 0.7310586f});
    const Tensor y = softmax(Tensor::from({2, 2}, {1000.0f, 1001.0f, -1001.0f, -1000.0f}));
    ASSERT_TRUE(has_shape(y, {2, 2}));
    const bool only_the_first = close(slice(y, 0, 0, 1), right) && !close(slice(y, 0, 1, 2), right);
    // Alone, the low row is its own largest: only a floor above it still spoils it.
    const bool alone = !only_the_first || close(softmax(Tensor::from({1, 2}, {-1001.0f, -1000.0f})), right);
    EXPECT_TRUE(close(y, concat({right, right}, 0)))
        << likely_if(only_the_first && alone,
                     "one maximum for the whole tensor: a row far below it underflows to 0 / 0; each row "
                     "needs its own")
        << likely_if(
               only_the_first && !alone,
               "the maximum is held above a floor that is too high: numeric_limits<float>::min() is the "
               "smallest positive float; lowest() is the most negative");
}

TEST(softmax, an_entry_of_minus_infinity_gets_no_weight) {
    const Tensor x = leaf("softmax.extreme.x");
    const Tensor y = softmax(x);
    EXPECT_TRUE(close(y, golden()["softmax.extreme.output"], {1e-5, 1e-7}));
    ASSERT_TRUE(send_back(y, golden()["softmax.extreme.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["softmax.extreme.grad_x"], {1e-5, 1e-6}));
}

TEST(softmax, a_row_of_only_minus_infinity_gives_zeros) {
    const Tensor x = Tensor::from({2, 2}, {-infinity, -infinity, 0.0f, 0.0f}).set_requires_grad(true);
    const Tensor y = softmax(x);
    EXPECT_TRUE(close(y, Tensor::from({2, 2}, {0.0f, 0.0f, 0.5f, 0.5f})))
        << likely_if(contains_nan(y),
                     "a row of only -inf computes -inf - (-inf) or 0 / 0; a query that may attend to "
                     "nothing must get zeros, not NaN");
    ASSERT_TRUE(send_back(y, Tensor::from({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f})));
    EXPECT_TRUE(gradient_close("x", x, Tensor::from({2, 2}, {0.0f, 0.0f, -0.25f, 0.25f})));
}

TEST(softmax, rows_sum_to_one_and_a_shift_changes_nothing) {
    const Tensor x = normal({3, 7, 33}, 1);
    const Tensor y = softmax(x);
    ASSERT_TRUE(has_shape(y, x.shape()));
    EXPECT_TRUE(close_named("sums of the rows", sum(y, -1), Tensor::ones({3, 7}), {1e-5, 0}));
    EXPECT_TRUE(close_named("softmax(x + 5) against softmax(x)", softmax(x + 5.0f), y, {1e-4, 1e-6}));
}

TEST(softmax, refuses_an_axis_that_is_not_there) {
    EXPECT_THROW(softmax(Tensor::zeros({2, 2}), 2), ShapeError);
    EXPECT_THROW(softmax(Tensor::zeros({}), -1), ShapeError);
    EXPECT_THROW(softmax(Tensor::zeros({2, 0})), ShapeError);
}

}  // namespace
}  // namespace tfs::test
