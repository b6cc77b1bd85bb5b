// tests/common/shape_errors_test.cpp · wrong shapes: the sentence names the operation, the shapes, the axis and the likely cause
#include <functional>

#include "common/nn.hpp"
#include "common/tensor.hpp"
#include "common/tensor/named_axes.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// --- shapes by the names of their axes

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

// --- each operation

template <class... Sizes>
Tensor zeros(Sizes... sizes) {
    return Tensor::zeros({static_cast<std::size_t>(sizes)...});
}

const Tensor a = zeros(2, 3), cube = zeros(2, 4, 9, 16);

struct Refused {
    std::function<void()> call;
    std::vector<std::string> named;
};

TEST(shape_errors, of_operations_on_two_tensors) {
    const std::string both = "(2, 3) and (2, 4) don't broadcast: sizes 3 and 4 disagree at axis -1",
                      cause = "is KeepDims::yes, a reshape or a transpose missing";
    const Tensor b = zeros(2, 4), bias = zeros(3);
    const std::size_t too_many = std::size_t{1} << 31U;  // for BLAS, which counts in int
    const Tensor tall = zeros(too_many, 0), stack = zeros(2, too_many / 2, 0);
    const Refused cases[] = {
        {[&] { a + b; }, {"add: " + both, cause}},
        {[&] { a - b; }, {"subtract: " + both, cause}},
        {[&] { (void)(a * b); }, {"multiply: " + both, cause}},
        {[&] { a / b; }, {"divide: " + both, cause}},
        {[] { a + zeros(2); }, {"add: (2, 3) and (2)", "aligned at the last one"}},
        {[] { matmul(cube, cube); },
         {"matmul: (2, 4, 9, 16) x (2, 4, 9, 16): 16 columns meet 9 rows; transpose b (the keys"}},
        {[] { matmul(zeros(9, 16), zeros(16, 5), Transpose::b); }, {"(16, 5)ᵀ", "transposed once too often"}},
        {[] { matmul(a, zeros(3)); }, {"matmul", "(3)", "at least two axes", "(n, 1)"}},
        {[] { matmul(zeros(2, 4, 3), zeros(5, 3, 4)); }, {"matmul", "(2)", "(5)", "don't broadcast"}},
        {[&] { matmul(tall, zeros(0, 1)); }, {"matmul", "2147483648"}},
        {[&] { linear(tall, zeros(1, 0)); }, {"linear", "2147483648"}},
        {[&] { matmul(stack, zeros(0, 1)); }, {"matmul", "2147483648"}},
        {[] { linear(a, zeros(3, 2)); },
         {"linear: x (2, 3), weight (3, 2)", "(out, in)", "weight transposed"}},
        {[] { linear(Tensor(), zeros(3, 2)); }, {"linear: x ()"}},
        {[&] { linear(a, zeros(4, 3), &bias); }, {"bias (3)", "out is 4 in weight and 3 in bias"}},
        {[] { embedding(zeros(4), Ids{0}); }, {"embedding", "(4)", "(count, size)"}},
        {[] {
             concat({a, zeros(2, 4)}, 0);
         },
         {"concat: (2, 3) and (2, 4)", "axis 0"}},
        {[] {
             concat({a, zeros(3)}, 0);
         },
         {"concat: (2, 3) and (3)"}},
        {[] { concat({}, 0); }, {"concat: there is no tensor to join"}},
    };
    for (const auto& [call, named] : cases) EXPECT_TRUE(refuses<ShapeError>(call, named));
    EXPECT_EQ(thrown_by([] { matmul(a, zeros(4, 5)); }).sentence,  // no transpose would fit
              "matmul: (2, 3) x (4, 5): 3 columns meet 4 rows");
}

TEST(shape_errors, of_axes_and_sizes) {
    const std::size_t huge = std::size_t{1} << 40U;
    const Tensor empty = zeros(2, 0), x(Array(1.0f), true);
    const Refused cases[] = {
        {[] { sum(a, 2); }, {"sum: axis 2 is out of range", "2 axes has -2 to 1"}},
        {[] { mean(a, -3); }, {"mean: axis -3"}},
        {[] { max(a, 5); }, {"max: axis 5"}},
        {[] { variance(a, 9); }, {"variance: axis 9"}},
        {[] { transpose(a, 0, 2); }, {"transpose: axis 2"}},
        {[] { slice(a, 2, 0, 1); }, {"slice: axis 2"}},
        {[] {
             concat({a, a}, 2);
         },
         {"concat: axis 2"}},
        {[] { a.size(2); }, {"size: axis 2"}},
        {[] { sum(Tensor(), 0); }, {"sum: a scalar has no axis 0"}},
        {[] { sum(zeros(4), 1); }, {"a tensor of 1 axis has -1 to 0"}},
        {[&] { mean(empty, 1); }, {"mean: axis 1 of shape (2, 0) is empty"}},
        {[&] { max(empty, 1); }, {"max: axis 1 of shape (2, 0) is empty"}},
        {[&] { variance(empty, -1); }, {"variance: axis -1 of shape (2, 0) is empty"}},
        {[&] { mean(empty); }, {"mean", "is empty"}},
        {[&] { zeros(huge, huge); }, {"1099511627776", "too large"}},
        {[&] { zeros(huge, huge, 0); }, {"too large"}},  // its strides can't be counted
        {[&] {
             reshape(a, {huge, huge, 6});
         },
         {"too large"}},
        {[] {
             reshape(a, {4, 2});
         },
         {"reshape: (2, 3) has 6 elements, (4, 2) would have 8"}},
        {[] { slice(a, 1, 1, 4); }, {"slice: 1 … 4", "axis 1 of shape (2, 3)"}},
        {[] { slice(a, 1, 2, 1); }, {"slice: 2 … 1"}},
        {[] {
             Tensor::from({2, 2}, {1, 2, 3});
         },
         {"3 values don't fill the shape (2, 2)", "4"}},
        {[] {
             a.at({0, 3});
         },
         {"at: index (0, 3)", "(2, 3)"}},
        {[] { a.at({1}); }, {"at: index (1)"}},
        {[] { a.item(); }, {"item", "(2, 3)", "6 values"}},
        {[&] { add_to_grad(x, Array::from_shape({2})); }, {"gradient of shape (2)", "()"}},
    };
    for (const auto& [call, named] : cases) EXPECT_TRUE(refuses<ShapeError>(call, named));
    EXPECT_EQ(zeros(huge, 0).size(), 0U);
    EXPECT_EQ(sum(empty, 1).values()[0], 0.0f);
}

TEST(shape_errors, ids_and_sizes_of_layers_are_values) {
    const Tensor table = zeros(4, 2);
    Rng rng(1);
    const Refused cases[] = {
        {[&] {
             embedding(table, Ids{0, 4});
         },
         {"id 4 at position 1", "4 rows (0 to 3)"}},
        {[&] { embedding(table, Ids{-1}); }, {"id -1 at position 0"}},
        {[&] { Linear(0, 4, rng); }, {"Linear(0, 4)", "at least 1"}},
        {[&] { Linear(4, 0, rng); }, {"Linear(4, 0)"}},
        {[&] { Embedding(0, 4, rng); }, {"Embedding(0, 4)"}},
    };
    for (const auto& [call, named] : cases) EXPECT_TRUE(refuses<ValueError>(call, named));
}

}  // namespace
}  // namespace tfs::test
