// tests/02_masks/combine_test.cpp · step combine: PyTorch's values, properties, diagnosis
#include "tests/02_masks/checklist.hpp"

#include <string>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

bool refused(const Mask& a, const Mask& b) {
    try {
        (void)(a & b);
    } catch (const ShapeError&) {
        return true;
    }
    return false;
}

// a & b is as expected. Where the two are refused, the failure says how their common shape is found.
testing::AssertionResult combines(const std::string& what, const Mask& a, const Mask& b,
                                  const Tensor& expected, const std::vector<Suspect>& suspects = {}) {
    try {
        return close_named(what, numbers(a & b), expected, {0, 0}, suspects);
    } catch (const ShapeError& error) {
        const bool one_of_both = refused(Mask::from({2, 1}, {1, 1}), Mask::from({1, 2}, {1, 1}));
        return testing::AssertionFailure()
               << what << ": \"" << error.what() << '"'
               << likely_if(one_of_both,
                            "neither mask needs the shape of the result: (3, 1, 1, 6) & (1, 1, 6, 6) is (3, "
                            "1, 6, 6); ask broadcast_shapes for it and expand both")
               << likely_if(
                      !one_of_both && a.shape().size() != b.shape().size(),
                      "the axes are counted from the first; masks are aligned at the last axis, so that "
                      "(3) & (2, 3) is (2, 3): ask broadcast_shapes");
    }
}

TEST(combine, equals_pytorch) {
    const Mask padding = golden_mask("mask.padding"), causal = golden_mask("mask.causal");
    const Tensor p = golden()["mask.padding"], c = golden()["mask.causal"];
    const Tensor all = Tensor::ones({3, 1, 6, 6});
    const auto until = [=](const std::string& which, std::size_t end) {
        return Suspect{"the loop ends after as many entries as the " + which +
                           " mask has before it is written out; it must run over all of the result",
                       [=] {
                           Array partly = (p * all).array();
                           const Tensor other = c * all;
                           for (std::size_t i = 0; i < end; ++i) partly.data()[i] *= other.values()[i];
                           return Tensor(std::move(partly));
                       }};
    };
    const auto by_memory = [=] {
        Array product = all.array();
        for (std::size_t i = 0; i < product.size(); ++i)
            product.data()[i] = p.values()[i % p.size()] * c.values()[i % c.size()];
        return Tensor(std::move(product));
    };
    const Suspect paired{"entries are paired in memory order; write both out with `expanded` first",
                         by_memory};
    const std::vector<Suspect> suspects{
        {"`or` instead of `and`: a key is seen only where both masks allow it",
         [=] { return p + c - p * c; }},
        {"only the first mask has an effect", [=] { return p * all; }},
        {"only the second mask has an effect", [=] { return c * all; }},
        {"only the first mask is returned; the result has the shape of both", [=] { return p; }},
        {"only the second mask is returned; the result has the shape of both", [=] { return c; }},
        paired,
        until("first", p.size()),
        until("second", c.size()),
        {"allowed where the masks agree, also where both forbid", [=] { return 1.0f - (p - c) * (p - c); }},
        {"allowed where exactly one of the masks allows; both must", [=] { return (p - c) * (p - c); }},
        {"allowed where the first mask allows and the second forbids; both must allow",
         [=] { return p * (1.0f - c); }},
        {"allowed where the second mask allows and the first forbids; both must allow",
         [=] { return c * (1.0f - p); }},
        {"inverted: forbidden where both allow", [=] { return 1.0f - p * c; }}};
    const Tensor expected = golden()["mask.padding_and_causal"];
    EXPECT_TRUE(combines("padding & causal", padding, causal, expected, suspects));
    EXPECT_TRUE(combines("causal & padding", causal, padding, expected, {paired}));
}

TEST(combine, masks_of_one_shape_and_of_fewer_axes) {
    const Mask left = Mask::from({2, 2}, {1, 1, 0, 0}), right = Mask::from({2, 2}, {1, 0, 1, 0});
    const std::string one_only = "only one of the masks has an effect where both have the same shape";
    EXPECT_TRUE(
        combines("(2, 2) & (2, 2)", left, right, Tensor::from({2, 2}, {1, 0, 0, 0}),
                 {{one_only, [&] { return numbers(left); }}, {one_only, [&] { return numbers(right); }}}));
    EXPECT_TRUE(combines("document & causal", golden_mask("mask.document"), golden_mask("mask.causal"),
                         golden()["mask.document_and_causal"]));
    const Mask keys = Mask::from({3}, {1, 0, 1}), map = Mask::from({2, 3}, {1, 1, 0, 0, 1, 1});
    const Tensor both = Tensor::from({2, 3}, {1, 0, 0, 0, 0, 1});
    EXPECT_TRUE(combines(
        "(3) & (2, 3)", keys, map, both,
        {{"axes of size 1 are added in front; the result has as many axes as the mask that has more", [=] {
              return reshape(both, {1, 1, 2, 3});
          }}}));
}

TEST(combine, attention_under_both_equals_pytorch) {
    for (const std::string other : {"padding", "document"}) {
        const Mask one = golden_mask("mask." + other), causal = golden_mask("mask.causal");
        ASSERT_TRUE(combines(other, one, causal, golden()["mask." + other + "_and_causal"]));
        EXPECT_TRUE(attention_equals_pytorch(other + "_and_causal", one & causal));
    }
}

TEST(combine, a_query_that_is_left_with_nothing_gets_zeros) {
    const Mask not_for_2 = Mask::from({6, 1}, {1, 1, 0, 1, 1, 1});
    ASSERT_TRUE(combines("causal & one of two axes", golden_mask("mask.causal"), not_for_2,
                         golden()["mask.nothing_for_query_2"]));
    const Mask mask = golden_mask("mask.causal") & not_for_2;
    EXPECT_TRUE(attention_equals_pytorch("nothing_for_query_2", mask));
    const Tensor q = leaf("q"), k = leaf("k"), v = leaf("v");
    const AttentionOutput none =
        scaled_dot_product_attention(q, k, v, mask & Mask::from({6}, {0, 0, 0, 0, 0, 0}));
    EXPECT_TRUE(close(none.output, Tensor::zeros({3, 2, 6, 5}), {0, 0}));
    sum(none.output).backward();
    for (const Tensor& input : {q, k, v}) EXPECT_TRUE(close(Tensor(input.grad()), input * 0.0f, {0, 0}));
}

TEST(combine, refuses_shapes_that_do_not_broadcast) {
    const Mask five = Mask::from({5}, {1, 1, 1, 1, 1});
    const Mask six = Mask::from({6}, {1, 1, 1, 1, 1, 1});
    ASSERT_TRUE(combines("6 keys & 6 keys", six, golden_mask("mask.causal"), golden()["mask.causal"]));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)(five & golden_mask("mask.causal")); },
                                    {"(5)", "(1, 1, 6, 6)"}, "5 keys & 6 keys",
                                    "ask broadcast_shapes, which throws it and names both shapes"));
}

}  // namespace
}  // namespace tfs::test
