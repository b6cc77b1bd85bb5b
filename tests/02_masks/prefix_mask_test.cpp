// tests/02_masks/prefix_mask_test.cpp · step prefix_mask: PyTorch's values, properties, diagnosis
#include "tests/02_masks/checklist.hpp"

#include <string>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(prefix_mask, equals_pytorch) {
    const Shape shape{1, 1, 6, 6};
    const auto rule = [&](const std::string& message, const Rule& r) { return suspect(message, shape, r); };
    const std::string from_the_query =
        "the prefix is added to the query, which then sees its future; it is counted from the first "
        "position: j <= i || j < prefix";
    EXPECT_TRUE(mask_close(
        prefix_mask(6, 3), golden()["mask.prefix"],
        {rule("the prefix is applied to the queries: the question sees the answer; it must be the key "
              "that lies in "
              "the prefix",
              [](auto, auto i, auto j) { return j <= i || i < 3; }),
         rule("the prefix has no effect: this is the causal mask",
              [](auto, auto i, auto j) { return j <= i; }),
         rule("the answer sees nothing but the prefix, not even itself",
              [](auto, auto, auto j) { return j < 3; }),
         rule("the answer does not see the prefix: it is causal, and sees all that comes before it",
              [](auto, auto i, auto j) { return (i < 3 && j < 3) || (i >= 3 && j >= 3 && j <= i); }),
         rule("the answer sees the future: only inside of the prefix may a query look ahead",
              [](auto, auto i, auto j) { return j < 3 || i >= 3; }),
         rule("the prefix is one position too long: its positions are 0 … prefix - 1",
              [](auto, auto i, auto j) { return j <= i || j <= 3; }),
         rule("the prefix is one position too short: its positions are 0 … prefix - 1, so j < prefix",
              [](auto, auto i, auto j) { return j <= i || j < 2; }),
         rule("a query behind the prefix doesn't see itself: j <= i, not j < i",
              [](auto, auto i, auto j) { return j < i || j < 3; }),
         rule("the answer sees only itself and the prefix: it is causal, and sees all that comes before it",
              [](auto, auto i, auto j) { return j == i || j < 3; }),
         rule(from_the_query, [](auto, auto i, auto j) { return j < i + 3; }),
         rule(from_the_query, [](auto, auto i, auto j) { return j <= i + 3; }),
         rule("the future of the question is hidden too: inside of the prefix every query sees every key",
              [](auto, auto i, auto j) { return i >= 3 && j <= i; }),
         rule("the keys after the query are seen, not those before it: j <= i",
              [](auto, auto i, auto j) { return j >= i || j < 3; }),
         rule("the prefix is taken from the end: its positions are 0 … prefix - 1, so j < prefix",
              [](auto, auto i, auto j) { return j <= i || j >= 3; }),
         rule("`and` instead of `or`: a key is seen where it comes before, or lies in the prefix",
              [](auto, auto i, auto j) { return j <= i && j < 3; })}));
}

TEST(prefix_mask, attention_under_it_equals_pytorch) {
    const Mask mask = prefix_mask(6, 3);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 6, 6}));
    EXPECT_TRUE(attention_equals_pytorch("prefix", mask));
}

TEST(prefix_mask, no_prefix_is_causal_and_all_prefix_is_everything) {
    const bool right_elsewhere = close(numbers(prefix_mask(6, 3)), golden()["mask.prefix"], {0, 0});
    EXPECT_TRUE(mask_close(
        prefix_mask(6, 0), golden()["mask.causal"],
        {suspect(!right_elsewhere
                     ? "everything is allowed"
                     : "prefix - 1 of std::size_t wraps around where the prefix is 0; compare j < prefix",
                 {1, 1, 6, 6}, [](auto, auto, auto) { return true; })},
        "prefix 0"));
    try {
        EXPECT_TRUE(
            mask_close(prefix_mask(6, 6), Tensor::ones({1, 1, 6, 6}),
                       {suspect("a prefix as long as the sequence has no effect; it allows everything",
                                {1, 1, 6, 6}, [](auto, auto i, auto j) { return j <= i; })},
                       "prefix 6"));
    } catch (const ValueError& error) {
        FAIL() << "prefix 6 of 6: \"" << error.what() << '"'
               << likely_if(true, "a prefix as long as the sequence is refused; it allows everything");
    }
    EXPECT_TRUE(refuses<ValueError>([] { (void)prefix_mask(6, 7); }, {"7", "6"}, "prefix 7 of 6"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)prefix_mask(0, 0); }, {}, "a sequence of 0 positions"));
    EXPECT_TRUE(
        refuses<ShapeError>([] { (void)prefix_mask(1ull << 32, 3); }, {"4294967296"}, "1 << 32 positions"));
}

}  // namespace
}  // namespace tfs::test
