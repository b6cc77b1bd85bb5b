// tests/02_masks/additive_mask_test.cpp · step additive_mask: PyTorch's values, properties, diagnosis
#include "tests/02_masks/checklist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// An additive mask can't be passed where a boolean one is meant.
static_assert(!std::is_constructible_v<Mask, Tensor> && !std::is_convertible_v<Tensor, std::optional<Mask>>);
TEST(additive_mask, equals_pytorch) {
    const std::string finite =
        "a large negative number in place of -infinity: a query that may attend to nothing "
        "then attends to everything; write -std::numeric_limits<float>::infinity()";
    for (const std::string name : {"padding", "causal", "document_and_causal"}) {
        const Tensor allowed = golden()["mask." + name], expected = golden()["additive." + name];
        const Tensor additive = additive_mask(golden_mask("mask." + name));
        const float smallest = *std::min_element(additive.values().begin(), additive.values().end());
        EXPECT_TRUE(close_named(
            name, additive, expected, {0, 0},
            {{"1 where the mask allows: this number is added to the score, so it must be 0",
              [=] {
                  return masked_fill(Tensor::full(allowed.shape(), 1.0f), golden_mask("mask." + name),
                                     -infinity);
              }},
             {"the shape is lost: keep the shape of the boolean mask",
              [=] { return reshape(expected, {expected.size()}); }},
             {"ones and zeros: added to the scores, they forbid nothing; 0 is allowed, -infinity is not",
              [=] { return allowed; }},
             {"+infinity where the mask forbids; it must be -infinity, so that exp(score) is 0",
              [=] {
                  return masked_fill(Tensor::zeros(allowed.shape()), golden_mask("mask." + name), infinity);
              }},
             {"inverted: -infinity is where the mask allows",
              [=] {
                  return masked_fill(Tensor::full(allowed.shape(), -infinity), golden_mask("mask." + name),
                                     0.0f) *
                         1.0f;
              }}}))
            << likely_if(std::isfinite(smallest) && smallest < -100.0f, finite)
            << likely_if(contains_nan(additive), "0 * -infinity is NaN: choose the value, don't multiply");
        EXPECT_FALSE(additive.requires_grad())
            << likely_if(true, "the additive mask is fixed: it must not require a gradient");
    }
}

TEST(additive_mask, added_to_the_scores_it_masks_them) {
    const Tensor scores = normal({3, 1, 6, 6}, 9);
    const Mask mask = golden_mask("mask.document_and_causal");
    const Tensor additive = additive_mask(mask);
    ASSERT_TRUE(has_shape(additive, {3, 1, 6, 6}));
    EXPECT_TRUE(close(scores + additive, masked_fill(scores, mask, -infinity), {0, 0}));
    const Tensor nothing = additive_mask(Mask::from({1, 3}, {0, 0, 0}));
    EXPECT_TRUE(close_named("weights of a query that may attend to nothing",
                            softmax(Tensor::from({1, 3}, {1, 2, 3}) + nothing), Tensor::zeros({1, 3}),
                            {0, 0}));
}

TEST(additive_mask, the_way_back_equals_the_mask) {
    for (const std::string name : {"padding", "causal", "window", "prefix", "document"}) {
        const Tensor allowed = golden()["mask." + name];
        EXPECT_TRUE(
            close_named(name, numbers(mask_from_additive(golden()["additive." + name])), allowed, {0, 0},
                        {{"inverted, or the additive mask is read as a boolean one by a cast to bool: "
                          "0 means allowed, -infinity forbidden",
                          [=] { return 1.0f - allowed; }},
                         {"the shape is lost: keep the shape of the additive mask",
                          [=] { return reshape(allowed, {allowed.size()}); }}}));
    }
}

TEST(additive_mask, an_additive_causal_mask_comes_out_right_this_way) {
    const Mask mask = mask_from_additive(golden()["notes.causal"]);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 6, 6}));
    const Tensor q = golden()["q"], k = golden()["k"], v = golden()["v"];
    EXPECT_TRUE(close(scaled_dot_product_attention(q, k, v, mask).weights,
                      golden()["attention.causal.weights"], {1e-5, 1e-6}))
        << likely_if(close(numbers(mask), 1.0f - golden()["mask.causal"]),
                     "inverted, or the additive mask is read as a boolean one: what remains is the future");
}

TEST(additive_mask, minus_zero_is_zero) {
    const auto mask = [](float entry) {
        return numbers(mask_from_additive(Tensor::from({1, 3}, {0.0f, entry, -infinity})));
    };
    const Tensor expected = Tensor::from({1, 3}, {1, 1, 0});
    ASSERT_TRUE(close_named("0, 0, -infinity", mask(0.0f), expected, {0, 0}));
    try {
        EXPECT_TRUE(close_named("0, -0, -infinity", mask(-0.0f), expected, {0, 0},
                                {{"-0 is read as forbidden; it is 0, and `entry == 0.0f` holds for both", [] {
                                      return Tensor::from({1, 3}, {1, 0, 0});
                                  }}}));
    } catch (const ValueError& error) {
        FAIL() << "0, -0, -infinity: \"" << error.what() << '"'
               << likely_if(true, "-0 is refused; it is 0, and `entry == 0.0f` holds for both");
    }
}

TEST(additive_mask, refuses_what_is_neither_zero_nor_minus_infinity) {
    struct Case {
        float entry;
        std::string texts;  // how fmt, std::to_string and streams begin to write it
        std::string cause, if_accepted;
    };
    const std::string imitation =
        "a large negative number is not -infinity: compare with ==, only 0 and -infinity make an additive "
        "mask";
    const std::string nearly =
        "a small number is not 0: compare with ==, only 0 and -infinity make an additive mask";
    const std::string of_nan =
        "NaN is accepted: NaN compares as false with everything; refuse every entry that is neither == 0 nor "
        "== -infinity";
    const std::string of_infinity =
        "+infinity is accepted; std::isinf is true for it, too, so compare with == -infinity";
    for (const Case& c : {Case{1.0f, "1", "boolean", ""},
                          Case{-1e9f, "-1e+09|-1000000000", "large negative number", imitation},
                          Case{std::numeric_limits<float>::lowest(), "-3.40282|-340282346",
                               "large negative number", imitation},
                          Case{1e-9f, "1e-09|0.000000", "score", nearly}, Case{0.5f, "0.5", "score", ""},
                          Case{infinity, "inf", "", of_infinity}, Case{nan, "nan", "", of_nan}}) {
        const Tensor additive = Tensor::from({2, 2}, {0.0f, -infinity, 0.0f, c.entry});
        const std::string what = fmt::format("an entry of {}", c.entry);
        const std::string sentence =
            refusal_of<ValueError>([&] { (void)mask_from_additive(additive); }, what, c.if_accepted);
        if (sentence.empty() && c.entry == 1.0f)
            return;  // nothing is refused; what follows would only repeat it
        EXPECT_TRUE(sentence.empty() || (names(sentence, "3") && names(sentence, c.texts)))
            << "it says \"" << sentence << "\""
            << likely_if(true, "the sentence must name the entry's index, here 3, and its value");
        EXPECT_TRUE(sentence.empty() || names(sentence, c.cause))
            << "it says \"" << sentence << "\""
            << likely_if(true, "the sentence must end in the likely_cause of that entry");
    }
}

}  // namespace
}  // namespace tfs::test
