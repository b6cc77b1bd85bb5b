// tests/common/named_axes_test.cpp · shapes by the names of their axes: what is refused, and by which sentence
#include "common/tensor/named_axes.hpp"
#include "common/tensor.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

std::string sentence_of(std::initializer_list<Shaped> all, std::initializer_list<KnownSize> known = {}) {
    return thrown_by([&] { require_shapes("f", all, known); }).sentence;
}

TEST(require_shapes, is_silent_where_all_fit) {
    const Shape x{2, 4, 9, 16}, row{16}, scalar;
    EXPECT_EQ(sentence_of({{"x", x, "batch heads seq d"}, {"y", row, "d"}}), "");
    EXPECT_EQ(sentence_of({{"x", x, "2 4 9+ 16"}, {"y", scalar, ""}}, {{"d", 3, "nobody"}}), "");
    EXPECT_EQ(sentence_of({{"x", x, "... d"}, {"y", row, "... d"}, {"z", scalar, "..."}, {"w", row, "16"}}),
              "f: x (2, 4, 9, 16), y (16), z (), w (16) must be (..., d), (..., d), (...), (16): the first "
              "axes are "
              "(2, 4, 9) in x and () in y; is only one of them split?");
    EXPECT_EQ(sentence_of({{"x", Tensor::zeros({2, 3}), "... d"},
                           {"y", Tensor::zeros({2, 5, 3}).array(), "a b d"},
                           {"ids", Ids{{1, 2}}, "1 2"},
                           {"mask", Mask::from({1}, {1}), "1"}}),
              "");
}

TEST(require_shapes, names_the_axis_both_sizes_and_the_cause) {
    const Shape x{2, 3, 8}, zero{0, 3};
    const struct {
        std::string comes, sentence;
    } cases[] = {
        {sentence_of({{"x", x, "batch seq d"}, {"w", Shape{5, 4}, "out d"}}),
         "f: x (2, 3, 8), w (5, 4) must be (batch, seq, d), (out, d): d is 8 in x and 4 in w"},
        {sentence_of({{"x", x, "batch seq d"}, {"w", Shape{8, 5}, "out d"}}),
         "f: x (2, 3, 8), w (8, 5) must be (batch, seq, d), (out, d): d is 8 in x and 5 in w; are the last "
         "two axes of w "
         "transposed?"},
        {sentence_of({{"x", x, "batch seq d", "see g"}}, {{"d", 7, "the layer"}}),
         "f: x (2, 3, 8) must be (batch, seq, d = 7): d is 7 in the layer and 8 in x; see g"},
        {sentence_of({{"x", Shape{3, 8}, "batch seq d"}}),
         "f: x (3, 8) must be (batch, seq, d): x has 2 axes, not 3; is a batch of 1 missing?"},
        {sentence_of({{"x", Shape{3}, "... seq d"}}),
         "f: x (3) must be (..., seq, d): x has 1 axis, not 2 or more"},
        {sentence_of({{"x", zero, "rows+ d"}}),
         "f: x (0, 3) must be (rows, d): rows is 0 in x; there must be at least 1"},
        {sentence_of({{"x", zero, "1 d"}}), "f: x (0, 3) must be (1, d): a size of x is 0, not 1"},
        {sentence_of({{"x", Shape{2, 3}, "... d"}, {"y", Shape{4, 3}, "... d"}}),
         "f: x (2, 3), y (4, 3) must be (..., d), (..., d): the first axes are (2) in x and (4) in y"},
    };
    for (const auto& [comes, sentence] : cases) EXPECT_EQ(comes, sentence);
}

}  // namespace
}  // namespace tfs::test
