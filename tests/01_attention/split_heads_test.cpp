// tests/01_attention/split_heads_test.cpp · step split_heads, with merge_heads: PyTorch's values, properties
#include "tests/01_attention/checklist.hpp"

namespace tfs::test {
namespace {

TEST(split_heads, equals_pytorch) {
    EXPECT_TRUE(close(split_heads(golden()["heads.x"], 3), golden()["heads.split"], {0, 0}));
}

TEST(split_heads, a_head_is_a_slice_of_neighbouring_columns) {
    const Tensor x = normal({3, 4, 10}, 14), split = split_heads(x, 2);
    ASSERT_TRUE(has_shape(split, {3, 2, 4, 5}));
    EXPECT_TRUE(close(reshape(slice(split, 1, 1, 2), {3, 4, 5}), slice(x, 2, 5, 10), {0, 0}));
}

TEST(split_heads, one_head_gets_the_whole_width) {
    const Tensor x = normal({2, 5, 4}, 28);
    EXPECT_TRUE(close(split_heads(x, 1), reshape(x, {2, 1, 5, 4}), {0, 0}));
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
    EXPECT_TRUE(close(merge_heads(golden()["heads.split"]), golden()["heads.merged"], {0, 0}));
}

TEST(split_heads, merge_heads_takes_one_head) {
    const Tensor x = normal({2, 1, 5, 4}, 29);
    EXPECT_TRUE(close(merge_heads(x), reshape(x, {2, 5, 4}), {0, 0}));
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
