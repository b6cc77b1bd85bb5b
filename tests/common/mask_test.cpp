// tests/common/mask_test.cpp · a mask is true where a query may attend, and broadcasts to the scores
#include "common/tensor/mask.hpp"

#include <algorithm>
#include <type_traits>

#include "common/tensor.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(mask, that_was_moved_from_says_so) {
    Mask mask = Mask::from({1, 2}, {1, 0});
    const Mask other = std::move(mask);
    const Tensor x = Tensor::ones({3, 2});
    Mask given_away = Mask::from({1, 2}, {1, 0});
    xt::xarray<bool> array = other.array();
    const xt::xarray<bool> given = std::move(given_away).array(), taken = std::move(array);
    const std::vector<std::string> named{"this mask was moved from"};
    expect_refused<ValueError>({{[&] { (void)masked_fill(x, mask, 0.0f); }, named},
                                {[&] { mask.array(); }, named},
                                {[&] { mask.shape(); }, named},
                                {[&] { (void)mask.kind(); }, named},
                                {[&] { (void)given_away.allowed(0, 0, 0, 0); }, named},
                                {[&] { Mask{array}; }, {"the array of a mask was moved from"}}});
    mask = other;
    EXPECT_EQ(masked_fill(x, mask, 0.0f).at({2, 1}), 0.0f);
}

TEST(mask, is_made_of_booleans_alone) {
    // An additive mask (0 and -inf) read as booleans would forbid what it allows.
    static_assert(!std::is_constructible_v<Mask, Tensor>);
    static_assert(!std::is_constructible_v<Mask, Array>);
    static_assert(!std::is_constructible_v<Mask, decltype(Array() * 2.0f)>);
    const xt::xarray<bool> a{{true, true}, {true, false}}, b{{true, false}, {true, true}};
    const xt::xarray<bool> both{{true, false}, {true, false}};
    EXPECT_EQ(Mask(a && b).array(), both);
    EXPECT_EQ(Mask(Array{{1.0f, -1.0f}, {2.0f, -2.0f}} > 0.0f).array(), both);
}

TEST(mask, is_a_handle_and_a_temporary_gives_its_array_away) {
    const Mask mask = Mask::from({1, 2}, {1, 0});
    const Mask same = mask;
    EXPECT_EQ(&same.array(), &mask.array());
    Mask other = mask;
    EXPECT_EQ(std::move(other).array(), mask.array());  // not taken away from the others
    static_assert(!std::is_reference_v<decltype(Mask(xt::xarray<bool>{}).array())>);
    const auto& kept = Mask::from({1, 2}, {1, 0}).array();
    EXPECT_EQ(kept, mask.array());
}

TEST(mask, knows_its_kind) {
    const auto kind = [](const Shape& shape, const std::vector<int>& allowed) {
        return Mask::from(shape, allowed).kind();
    };
    EXPECT_EQ(kind({2, 2}, {1, 1, 1, 1}), MaskKind::everything);
    EXPECT_EQ(kind({}, {1}), MaskKind::everything);
    EXPECT_EQ(kind({}, {0}), MaskKind::spans);
    EXPECT_EQ(kind({2, 1}, {1, 1}), MaskKind::everything);
    EXPECT_EQ(kind({2, 1}, {1, 0}), MaskKind::spans);
    EXPECT_EQ(kind({3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1}), MaskKind::spans);  // causal
    EXPECT_EQ(kind({2, 4}, {0, 1, 1, 0, 0, 0, 0, 0}), MaskKind::spans);
    EXPECT_EQ(kind({2, 4}, {1, 1, 1, 1, 1, 1, 0, 1}), MaskKind::scattered);
    EXPECT_EQ(kind({2, 0}, {}), MaskKind::everything);
}

// Also of masks that have fewer axes than (batch, heads, query, key), or repeat one: as the mask written out over all axes.
TEST(mask, tells_of_each_query_what_it_may_attend_to) {
    const std::size_t batch = 2, heads = 3, queries = 2, keys = 5;
    Rng rng(7);
    for (const Shape& shape : {Shape{2, 3, 2, 5}, Shape{2, 1, 1, 5}, Shape{1, 1, 2, 5}, Shape{3, 2, 5},
                               Shape{2, 5}, Shape{5}, Shape{2, 1, 2, 1}, Shape{1}, Shape{}}) {
        std::vector<int> entries(element_count(shape));
        for (int& entry : entries) entry = static_cast<int>(rng.below(2));
        const Mask mask = Mask::from(shape, entries);
        const xt::xarray<bool> all = mask.expanded({batch, heads, queries, keys});
        for (std::size_t b = 0; b < batch; ++b)
            for (std::size_t h = 0; h < heads; ++h)
                for (std::size_t i = 0; i < queries; ++i) {
                    KeySpan expected{keys, 0};
                    for (std::size_t j = 0; j < keys; ++j) {
                        EXPECT_EQ(mask.allowed(b, h, i, j), all(b, h, i, j));
                        if (all(b, h, i, j)) expected = {std::min(expected.begin, j), j + 1};
                    }
                    if (expected.end == 0) expected = {0, 0};
                    const bool one_for_all = shape.empty() || shape.back() == 1;
                    if (one_for_all && expected.end > 0) expected.end = KeySpan::all_keys;
                    EXPECT_TRUE(mask.span(b, h, i) == expected) << to_string(shape) << b << h << i;
                }
    }
}

TEST(mask, refuses_to_tell_of_a_query_outside) {
    const Mask mask = Mask::from({1, 1, 2, 2}, {1, 0, 1, 1}), deep = Mask::from({1, 1, 1, 1, 1}, {1});
    expect_refused<ValueError>({{[&] { (void)mask.allowed(0, 0, 2, 0); }, {"(0, 0, 2, 0)", "(1, 1, 2, 2)"}},
                                {[&] { (void)mask.allowed(0, 0, 0, 2); }, {"(0, 0, 0, 2)"}},
                                {[&] { (void)mask.span(0, 0, 5); }, {"(0, 0, 5, 0)"}}});
    EXPECT_TRUE(mask.allowed(9, 9, 1, 1));  // these axes hold for all
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)deep.span(0, 0, 0); }, {"(1, 1, 1, 1, 1)"}));
}

TEST(masked_fill, keeps_where_true_and_sends_a_gradient_there_alone) {
    const Tensor x(Tensor::from({2, 2}, {1, 2, 3, 4}).array(), true);
    const Tensor filled = masked_fill(x, Mask::from({2, 2}, {1, 0, 1, 1}), -infinity);
    EXPECT_TRUE(close(filled, Tensor::from({2, 2}, {1, -infinity, 3, 4})));
    sum(masked_fill(x, Mask::from({2}, {1, 0}), 9.0f)).backward();
    EXPECT_TRUE(close(x.grad(), Tensor::from({2, 2}, {1, 0, 1, 0}).array()));
}

TEST(masked_fill, blocks_the_gradient_where_it_is_not_a_number) {
    // sqrt(y) at y = 0 has an infinite slope, and 0 * inf is NaN. Filled with 0, x itself must not see it.
    const Tensor x(Tensor::from({2}, {3, 4}).array(), true);
    sum(sqrt(masked_fill(x, Mask::from({2}, {0, 1}), 0.0f)) * Tensor::from({2}, {0, 1})).backward();
    EXPECT_TRUE(close(x.grad(), Tensor::from({2}, {0, 0.25f}).array()));
}

TEST(mask, refuses_other_numbers_than_zero_and_one_and_scores_that_it_does_not_broadcast_to) {
    const Tensor scores = Tensor::zeros({2, 3, 4, 5}), row = Tensor::zeros({1, 5});
    const Shape pair{2}, square{2, 2}, turned{5, 4}, deep{7, 2, 3, 4, 5}, column{4, 1};
    const auto fill = [&](const Tensor& x, const Shape& shape) {
        masked_fill(x, Mask::from(shape, std::vector<int>(element_count(shape), 1)), 0.0f);
    };
    const std::vector<int> additive{0, -1000}, three{1, 0, 1};
    EXPECT_TRUE(
        refuses<ValueError>([&] { Mask::from(pair, additive); }, {"entry 1 is -1000", "1 (may attend)"}));
    expect_refused<ShapeError>(
        {{[&] { Mask::from(square, three); }, {"3 entries", "(2, 2)"}},
         {[&] { fill(scores, turned); }, {"mask: (5, 4) and (2, 3, 4, 5)", "axis -1"}},
         {[&] { fill(scores, deep); }, {"mask: (7, 2, 3, 4, 5) has more entries", "(2, 3, 4, 5)"}},
         {[&] { fill(row, column); }, {"mask: (4, 1) has more entries than the scores (1, 5)"}}});
}

}  // namespace
}  // namespace tfs::test
