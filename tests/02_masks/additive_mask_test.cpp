// tests/02_masks/additive_mask_test.cpp · additive masks, which are given: PyTorch's values, the way back, and what it refuses
#include "tests/02_masks/checklist.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// An additive mask can't be passed where a boolean one is meant.
static_assert(!std::is_constructible_v<Mask, Tensor> && !std::is_convertible_v<Tensor, std::optional<Mask>>);

TEST(additive_mask, equals_pytorch) {
    for (const std::string name : {"padding", "causal", "document_and_causal"}) {
        const Tensor additive = additive_mask(golden_mask("mask." + name));
        EXPECT_TRUE(close_named(name, additive, golden()["additive." + name], {0, 0}));
        EXPECT_EQ(additive.requires_grad(), false) << name;
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
    for (const std::string name : {"padding", "causal", "window", "prefix", "document"})
        EXPECT_TRUE(close_named(name, numbers(mask_from_additive(golden()["additive." + name])),
                                golden()["mask." + name], {0, 0}));
}

TEST(additive_mask, an_additive_causal_mask_comes_out_right_this_way) {
    const Mask mask = mask_from_additive(golden()["notes.causal"]);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 6, 6}));
    const Tensor q = golden()["q"], k = golden()["k"], v = golden()["v"];
    EXPECT_TRUE(close(scaled_dot_product_attention(q, k, v, mask).weights,
                      golden()["attention.causal.weights"], {1e-5, 1e-6}));
}

TEST(additive_mask, minus_zero_is_zero) {
    EXPECT_TRUE(close(numbers(mask_from_additive(Tensor::from({1, 3}, {0.0f, -0.0f, -infinity}))),
                      Tensor::from({1, 3}, {1, 1, 0}), {0, 0}));
}

TEST(additive_mask, refuses_what_is_neither_zero_nor_minus_infinity) {
    struct Case {
        float entry;
        std::string text, cause;
    };
    for (const Case& c : {Case{1.0f, "1", "boolean mask of ones and zeros"},
                          Case{-1e9f, "-1e+09|-1000000000", "large negative number"},
                          Case{std::numeric_limits<float>::lowest(), "-3.4028235e+38|-340282346638528860000",
                               "large negative number"},
                          Case{1e-9f, "1e-09", "a score"}, Case{0.5f, "0.5", "a score"},
                          Case{infinity, "inf", "a score"}, Case{nan, "nan", "0 times infinity"}}) {
        const Tensor additive = Tensor::from({2, 2}, {0.0f, -infinity, 0.0f, c.entry});
        EXPECT_TRUE(refuses<ValueError>([&] { (void)mask_from_additive(additive); },
                                        {"entry 3", c.text, c.cause},
                                        fmt::format("an entry of {}", c.entry)));
    }
}

}  // namespace
}  // namespace tfs::test
