// tests/01_attention/merge_heads_test.cpp · step merge_heads: PyTorch's values, properties, diagnosis
#include "tests/01_attention/checklist.hpp"

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

TEST(merge_heads, equals_pytorch) {
    const Tensor split = golden()["heads.split"];  // (2, 3, 5, 4)
    EXPECT_TRUE(close(
        merge_heads(split), golden()["heads.merged"], {0, 0},
        {{"looks like the heads were merged without the transpose: each row then mixes positions",
          [&] {
              return reshape(split, {2, 5, 12});
          }},
         {"the wrong axes are swapped: not 2 and 3, but 1 and 2 of (batch, heads, seq, d)",
          [&] {
              return reshape(transpose(split, 2, 3), {2, 5, 12});
          }},
         {"the columns of the heads are interleaved: the heads must lie side by side, (heads, d) and not "
          "(d, heads)",
          [&] {
              return reshape(transpose(transpose(split, 1, 2), 2, 3), {2, 5, 12});
          }}}));
}

TEST(merge_heads, sends_the_gradient_back_to_its_place) {
    const Tensor x = leaf("heads.split");
    ASSERT_TRUE(send_back(merge_heads(x), golden()["heads.merge.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["heads.merge.grad_x"], {0, 0}));
}

TEST(merge_heads, heads_may_be_as_wide_as_they_like) {
    EXPECT_EQ(merge_heads(Tensor::zeros({1, 2, 5, 7})).shape(), (Shape{1, 5, 14}));
    EXPECT_THROW(merge_heads(Tensor::zeros({2, 5, 7})), ShapeError);
}

}  // namespace
}  // namespace tfs::test
