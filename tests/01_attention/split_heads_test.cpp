// tests/01_attention/split_heads_test.cpp · step split_heads, with merge_heads: PyTorch's values, properties, diagnosis
#include "tests/01_attention/checklist.hpp"

#include <algorithm>
#include <string>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

// Of values that count up from 0: whether all are there, but some of them in another batch element of two.
bool mixes_the_batch(const Tensor& y, const Tensor& expected) {
    const auto values = y.values(), right = expected.values();
    if (y.shape() != expected.shape() || !std::is_permutation(values.begin(), values.end(), right.begin()))
        return false;
    const std::size_t half = values.size() / 2;
    return std::any_of(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half),
                       [&](float value) { return value >= static_cast<float>(half); });
}
const std::string batch_is_mixed =
    "the batch elements are mixed: axis 0 stays the batch in every reshape and transpose";

TEST(split_heads, equals_pytorch) {
    const Tensor x = golden()["heads.x"];
    const Tensor split = split_heads(x, 3), by_head = reshape(x, {2, 5, 3, 4});
    const std::string wrong_axes =
        "the wrong axes are swapped: they must be 1 and 2 of (batch, seq, heads, d)";
    EXPECT_TRUE(close(
        split, golden()["heads.split"], {0, 0},
        {{"looks like the heads were reshaped without the transpose: reshape(x, (batch, heads, seq, d)) cuts "
          "the positions apart",
          [&] {
              return reshape(x, {2, 3, 5, 4});
          }},
         {"the width is viewed as (d, heads): head h gets every heads-th column instead of a slice of "
          "neighbours",
          [&] {
              return transpose(transpose(reshape(x, {2, 5, 4, 3}), 2, 3), 1, 2);
          }},
         {"the width is viewed as (d, heads): it is heads times d, so the heads come first",
          [&] {
              return transpose(reshape(x, {2, 5, 4, 3}), 1, 2);
          }},
         {"the heads are in reverse order: head 0 gets the first columns",
          [&] {
              const Tensor right = transpose(by_head, 1, 2);
              return concat({slice(right, 1, 2, 3), slice(right, 1, 1, 2), slice(right, 1, 0, 1)}, 1);
          }},
         {"transposed before the width was cut into (heads, d): reshape first, then swap axes 1 and 2",
          [&] {
              return reshape(transpose(x, 1, 2), {2, 3, 5, 4});
          }},
         {"transposed before the width was cut into (heads, d): reshape first, then swap axes 1 and 2",
          [&] {
              return reshape(transpose(x, 1, 2), {2, 3, 4, 5});
          }},
         {wrong_axes, [&] { return transpose(by_head, 2, 3); }},
         {wrong_axes, [&] { return transpose(by_head, 1, 3); }},
         {wrong_axes, [&] { return transpose(by_head, 0, 2); }},
         {"the heads still stand behind the positions: swap axes 1 and 2", [&] { return by_head; }}}))
        << likely_if(mixes_the_batch(split, golden()["heads.split"]), batch_is_mixed);
}

TEST(split_heads, a_head_is_a_slice_of_neighbouring_columns) {
    const Tensor x = normal({3, 4, 10}, 14);
    const Tensor split = split_heads(x, 2);
    ASSERT_TRUE(has_shape(split, {3, 2, 4, 5}));
    const Tensor second = reshape(slice(split, 1, 1, 2), {3, 4, 5});
    EXPECT_TRUE(close(second, slice(x, 2, 5, 10), {0, 0}));
}

TEST(split_heads, one_head_gets_the_whole_width) {
    const Tensor x = normal({2, 5, 4}, 28);
    EXPECT_TRUE(close(split_heads(x, 1), reshape(x, {2, 1, 5, 4}), {0, 0},
                      {{"x is returned as it is where there is one head; it gets the axis of the heads, of "
                        "size 1, like any other number of heads",
                        [&] { return x; }}}));
}

TEST(split_heads, sends_the_gradient_back_to_its_place) {
    const Tensor x = leaf("heads.x");
    ASSERT_TRUE(send_back(split_heads(x, 3), golden()["heads.split.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["heads.split.grad_x"], {0, 0}));
}

TEST(split_heads, refuses_what_it_cannot_split) {
    EXPECT_EQ(split_heads(Tensor::zeros({2, 5, 12}), 6).shape(), (Shape{2, 6, 5, 2}));
    EXPECT_THROW(split_heads(Tensor::zeros({2, 5, 12}), 5), ShapeError);
    EXPECT_THROW(split_heads(Tensor::zeros({2, 5, 12}), 0), ShapeError);
    EXPECT_THROW(split_heads(Tensor::zeros({5, 12}), 3), ShapeError);
}

TEST(split_heads, merge_heads_undoes_split) {
    const Tensor split = golden()["heads.split"];  // (2, 3, 5, 4)
    const Tensor merged = merge_heads(split);
    const std::string wrong_axes =
        "the wrong axes are swapped: they must be 1 and 2 of (batch, heads, seq, d)";
    const auto swapped = [&](int a, int b) {
        return [=] { return reshape(transpose(split, a, b), {2, 5, 12}); };
    };
    EXPECT_TRUE(close(
        merged, golden()["heads.merged"], {0, 0},
        {{"looks like the heads were merged without the transpose: each row then mixes positions",
          [&] {
              return reshape(split, {2, 5, 12});
          }},
         {wrong_axes, swapped(2, 3)},
         {wrong_axes, swapped(1, 3)},
         {wrong_axes, swapped(0, 2)},
         {"the columns of the heads are interleaved: the heads must lie side by side, (heads, d) and not "
          "(d, heads)",
          [&] {
              return reshape(transpose(transpose(split, 1, 2), 2, 3), {2, 5, 12});
          }}}))
        << likely_if(mixes_the_batch(merged, golden()["heads.merged"]), batch_is_mixed)
        << likely_if(merged.shape() == Shape{2, 3, 20},
                     "the sizes are read as if x were (batch, seq, heads, d); it is (batch, heads, seq, d)");
}

TEST(split_heads, merge_heads_takes_one_head) {
    const Tensor x = normal({2, 1, 5, 4}, 29);
    EXPECT_TRUE(close(merge_heads(x), reshape(x, {2, 5, 4}), {0, 0},
                      {{"x is returned as it is where there is one head; the axis of the heads must go, also "
                        "where its size is 1",
                        [&] { return x; }}}));
}

TEST(split_heads, merge_heads_sends_the_gradient_back_to_its_place) {
    const Tensor x = leaf("heads.split");
    ASSERT_TRUE(send_back(merge_heads(x), golden()["heads.merge.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["heads.merge.grad_x"], {0, 0}));
}

TEST(split_heads, merge_heads_takes_heads_of_any_width) {
    EXPECT_EQ(merge_heads(Tensor::zeros({1, 2, 5, 7})).shape(), (Shape{1, 5, 14}));
    EXPECT_THROW(merge_heads(Tensor::zeros({2, 5, 7})), ShapeError);
}

}  // namespace
}  // namespace tfs::test
