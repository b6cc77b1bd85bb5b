// tests/01_attention/softmax_test.cpp · step softmax: PyTorch's values, properties, diagnosis
#include "tests/01_attention/checklist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

// What is added to the sum of the exponentials, an epsilon or 1: one entry alone must get the weight 1, and gets
// 1 / (1 + epsilon).
float epsilon_in_the_sum() {
    const Tensor alone = softmax(Tensor::zeros({1, 1}));
    const float epsilon = alone.size() == 1 ? 1.0f / alone.values()[0] - 1.0f : 0.0f;
    return epsilon > 0.0f && epsilon < 10.0f ? epsilon : 0.0f;
}
const std::string something_added =
    "a number is added to the sum, so that every weight is too small; maximum(sum, least) keeps it "
    "from being 0 and leaves every other sum as it is";

// The causes of the checks on extreme entries are told only where ordinary entries come out right.
bool right_on_ordinary_entries() {
    return close(softmax(golden()["softmax.x"]), golden()["softmax.last.output"], {1e-5, 1e-7});
}

// A fixed number, say 80, is subtracted: where all exponentials are below `least`, so is their sum. Entries that are larger
// by 40 come out right.
Tensor right_up_to_a_factor(const Tensor& x) {
    const Tensor y = softmax(x), right = reference_softmax(x);
    const Tensor share = sum(y, -1, KeepDims::yes);
    const bool too_small = std::ranges::all_of(share.values(), [](float sum) { return sum < 0.99f; });
    return too_small && close(softmax(x + 40.0f), right) ? right * share : right;
}

// What made the shapes disagree, where an axis of size 1 was dropped that had to stay.
std::string dropped_axis(const Tensor& x, int axis, const std::string& message) {
    const std::string kept = to_string(x.shape()), dropped = to_string(sum(x, axis).shape());
    if (message.find(kept + " and " + dropped) == std::string::npos) return {};
    return fmt::format(
        "`{}` dropped the axis, so that the result does not broadcast: KeepDims::yes keeps it with size 1",
        message.starts_with("divide") ? "sum" : "max");
}

std::vector<Suspect> softmax_suspects(const Tensor& x) {
    const auto exponentials = [=] { return exp(x - max(x, -1, KeepDims::yes)); };
    const std::string wrong_axis =
        "the sum runs over the wrong axis; `axis` says which one, and -1 is the last";
    const std::string whole =
        "the sum runs over the whole tensor; each row along `axis` has a sum of its own";
    return {
        {wrong_axis, [=] { return reference_softmax(x, -2); }},
        {wrong_axis, [=] { return reference_softmax(x, 0); }},
        {"the exponentials are not divided by their sum", exponentials},
        {"the entries are divided by their sum, but not exponentiated",
         [=] { return x / sum(x, -1, KeepDims::yes); }},
        {"the exponentials are divided by their mean, not by their sum",
         [=] { return exponentials() / mean(exponentials(), -1, KeepDims::yes); }},
        {whole, [=] { return exponentials() / sum(exponentials()); }},
        {whole, [=] { return exp(x) / sum(exp(x)); }},
        {"this is the logarithm of the softmax", [=] { return log(reference_softmax(x)); }},
        {"the sign is wrong: subtract the maximum from x, not x from the maximum",
         [=] { return reference_softmax(-x); }},
        {"where entries are larger by 40 the result is right: a fixed number is subtracted, and a sum below "
         "`least` is lost; subtract the largest entry of each row",
         [=] { return right_up_to_a_factor(x); }},
        {something_added,
         [=] { return exponentials() / (sum(exponentials(), -1, KeepDims::yes) + epsilon_in_the_sum()); }}};
}

TEST(softmax, rows_of_a_square_matrix_sum_to_one) {
    const Tensor x = normal({4, 4}, 2), right = reference_softmax(x), exponentials = exp(x);
    const Tensor shifted = exp(x - max(x, -1));
    const std::string dropped = "` dropped the axis: in a square matrix ",
                      kept = ", and no error tells; KeepDims::yes keeps the axis with size 1";
    EXPECT_TRUE(
        close_named("softmax of (4, 4)", softmax(x), right, {1e-5, 1e-7},
                    {{"`sum" + dropped + "the sum of row j then divides column j" + kept,
                      [&] { return exponentials / sum(exponentials, -1); }},
                     {"`sum" + dropped + "the sum of row j then divides column j" + kept,
                      [&] {
                          const Tensor e = exp(x - max(x, -1, KeepDims::yes));
                          return e / sum(e, -1);
                      }},
                     {"`max" + dropped + "the largest entry of row j is then subtracted from column j" + kept,
                      [&] { return shifted / sum(shifted, -1, KeepDims::yes); }}}));
}

TEST(softmax, equals_pytorch_along_the_last_axis) {
    const Tensor x = golden()["softmax.x"];
    ASSERT_TRUE(shapes_fit([&] { softmax(x); },
                           [&](const std::string& message) { return dropped_axis(x, -1, message); }));
    EXPECT_TRUE(close(softmax(x), golden()["softmax.last.output"], {1e-5, 1e-7}, softmax_suspects(x)));
}

TEST(softmax, equals_pytorch_along_another_axis) {
    const Tensor x = golden()["softmax.x"];
    const auto with = [&](int axis_of_max, int axis_of_sum) {
        const Tensor e = exp(x - max(x, axis_of_max, KeepDims::yes));
        return e / maximum(sum(e, axis_of_sum, KeepDims::yes), 1e-30f);
    };
    EXPECT_TRUE(
        close(softmax(x, 1), golden()["softmax.axis1.output"], {1e-5, 1e-7},
              {{"`axis` is ignored: this is the softmax along the last axis", [&] { return with(-1, -1); }},
               {"the sum runs along the last axis, whatever `axis` is; it takes `axis`, as max does",
                [&] { return with(1, -1); }},
               {"the maximum is that along the last axis, whatever `axis` is; it takes `axis`, as sum does",
                [&] { return with(-1, 1); }}}));
}

TEST(softmax, sends_the_gradient_of_pytorch) {
    for (const std::string where : {"softmax.last.", "softmax.axis1."}) {
        const Tensor x = leaf("softmax.x"), upstream = golden()[where + "grad_weights"];
        const Tensor y = softmax(x, where == "softmax.last." ? -1 : 1);
        ASSERT_TRUE(send_back(y, upstream));
        const bool right = close(y, golden()[where + "output"], {1e-5, 1e-7});
        const bool exact = epsilon_in_the_sum() == 0.0f;
        EXPECT_TRUE(gradient_close("x", x, golden()[where + "grad_x"], {1e-5, 1e-6}))
            << likely_if(right && exact,
                         "the values are right, but not the gradient: only the maximum may be detached")
            << likely_if(right && !exact, something_added);
    }
}

TEST(softmax, entries_of_ten_thousand_do_not_overflow) {
    const Tensor y = softmax(Tensor::from({1, 3}, {10000.0f, 9999.0f, 0.0f}));
    const Suspect clipped = {
        "large entries are clipped so that exp does not overflow, and then have equal weights; subtract "
        "the maximum instead, which changes no weight",
        [] {
            return Tensor::from({1, 3}, {0.5f, 0.5f, 0.0f});
        }};
    EXPECT_TRUE(close(y, Tensor::from({1, 3}, {0.7310586f, 0.2689414f, 0.0f}), {}, {clipped}))
        << likely_if(contains_nan(y) && right_on_ordinary_entries(),
                     "nothing, or too little, is subtracted before exp: exp of a large number is infinite, "
                     "and infinity / infinity is NaN")
        << likely_if(
               close(y, Tensor::zeros({1, 3})) && right_on_ordinary_entries(),
               "too much is subtracted before exp, so that all exponentials are 0; with the largest entry "
               "subtracted the largest exponential is 1");
}

const std::string floor_too_high =
    "the maximum is held above a floor that is too high: numeric_limits<float>::lowest() is the most "
    "negative float, where min() is the smallest positive one";

TEST(softmax, rows_far_below_the_others_do_not_underflow) {
    const Tensor right = Tensor::from({1, 3}, {0.2689414f, 0.7310586f, 0.0f});
    const Tensor low = Tensor::from({1, 3}, {-1001.0f, -1000.0f, -2000.0f});
    const Tensor y = softmax(concat({low + 2000.0f, low}, 0));
    ASSERT_TRUE(has_shape(y, {2, 3}));
    const bool only_the_first = close(slice(y, 0, 0, 1), right) && !close(slice(y, 0, 1, 2), right);
    // Alone, the low row is its own largest: only a floor above it still spoils it.
    const bool alone = !only_the_first || close(softmax(low), right);
    EXPECT_TRUE(close(y, concat({right, right}, 0)))
        << likely_if(only_the_first && alone && right_on_ordinary_entries(),
                     "one maximum for the whole tensor: a row far below it underflows to 0 / 0; each row "
                     "needs its own")
        << likely_if(only_the_first && !alone && !contains_nan(y), floor_too_high);
}

TEST(softmax, entries_near_the_most_negative_float_keep_their_weight) {
    const Tensor y = softmax(Tensor::from({1, 3}, {-2e38f, -2e38f, -3e38f}));
    const Tensor high = softmax(Tensor::from({1, 2}, {5000.0f, 4999.0f}));
    EXPECT_TRUE(close(y, Tensor::from({1, 3}, {0.5f, 0.5f, 0.0f})))
        << likely_if(right_on_ordinary_entries() && !contains_nan(y) &&
                         close(high, Tensor::from({1, 2}, {0.7310586f, 0.2689414f})),
                     floor_too_high);
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
    ASSERT_TRUE(has_shape(y, {2, 3}));
    const bool other_row_is_right = bool(close(slice(y, 0, 1, 2), Tensor::from({1, 3}, {0.5f, 0.5f, 0.0f})));
    EXPECT_TRUE(close(y, Tensor::from({2, 3}, {0.0f, 0.0f, 0.0f, 0.5f, 0.5f, 0.0f})))
        << likely_if(contains_nan(y) && right_on_ordinary_entries() && other_row_is_right,
                     "a row of only -inf computes -inf - (-inf) or 0 / 0; a query that may attend to "
                     "nothing must get zeros, not NaN");
    ASSERT_TRUE(send_back(y, Tensor::from({2, 3}, {1.0f, 2.0f, 3.0f, 3.0f, 4.0f, 5.0f})));
    EXPECT_TRUE(gradient_close("x", x, Tensor::from({2, 3}, {0.0f, 0.0f, 0.0f, -0.25f, 0.25f, 0.0f})));
}

TEST(softmax, rows_sum_to_one_and_a_shift_changes_nothing) {
    const Tensor x = normal({3, 7, 33}, 1);
    const Tensor y = softmax(x);
    ASSERT_TRUE(has_shape(y, x.shape()));
    EXPECT_TRUE(close_named("sums of the rows", sum(y, -1), Tensor::ones({3, 7}), {1e-5, 0}));
    EXPECT_TRUE(close_named("softmax(x + 5) against softmax(x)", softmax(x + 5.0f), y, {1e-4, 1e-6}));
}

TEST(softmax, an_only_entry_gets_the_whole_weight) {
    const Tensor y = softmax(Tensor::from({3, 1}, {0.5f, -1.0f, 2.0f}));
    EXPECT_TRUE(close(y, Tensor::ones({3, 1}), {0, 0}))
        << likely_if(right_on_ordinary_entries() && epsilon_in_the_sum() != 0.0f, something_added);
}

TEST(softmax, goes_along_every_axis_counted_from_both_ends) {
    const Tensor x = normal({2, 3, 4, 5}, 20);
    const bool right_on_two_axes =
        right_on_ordinary_entries() &&
        close(softmax(golden()["softmax.x"], 1), golden()["softmax.axis1.output"], {1e-5, 1e-7});
    for (const int axis : {0, 1, 2, 3, -1, -2, -3, -4}) {
        std::vector<Suspect> suspects;
        for (const int other : {0, 1, 2, 3})
            if (right_on_two_axes && other != (axis + 4) % 4)
                suspects.push_back(
                    {fmt::format("where `axis` is {}, the softmax runs along axis {}", axis, other),
                     [&, other] { return reference_softmax(x, other); }});
        ASSERT_TRUE(close_named(fmt::format("softmax of {} along axis {}", to_string(x.shape()), axis),
                                softmax(x, axis), reference_softmax(x, axis), {1e-5, 1e-7}, suspects));
    }
}

TEST(softmax, refuses_an_axis_that_is_not_there) {
    EXPECT_THROW(softmax(Tensor::zeros({2, 2}), 2), ShapeError);
    EXPECT_THROW(softmax(Tensor::zeros({}), -1), ShapeError);
    EXPECT_THROW(softmax(Tensor::zeros({2, 0})), ShapeError);
}

}  // namespace
}  // namespace tfs::test
