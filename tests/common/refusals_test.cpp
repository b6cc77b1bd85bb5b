// tests/common/refusals_test.cpp · wrong shapes and sizes: the message names the operation, the shapes and the likely cause
#include "common/base/address_sanitizer.hpp"
#include "common/nn.hpp"
#include "common/nn/cost.hpp"
#include "common/tensor.hpp"
#include "common/tensor/named_axes.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

template <class... Size>
Tensor zeros(Size... sizes) {
    return Tensor::zeros({static_cast<std::size_t>(sizes)...});
}

const Tensor a = zeros(2, 3);

TEST(shape_errors, of_broadcasts_name_the_operation_both_shapes_and_the_axis) {
    const Tensor b = zeros(2, 4);
    const std::string sentence =
        ": (2, 3) and (2, 4) don't broadcast: sizes 3 and 4 disagree at axis -1 (axes are aligned at the "
        "last one; a size of 1 is repeated; is KeepDims::yes, a reshape or a transpose missing?)";
    expect_refused<ShapeError>({{[&] { a + b; }, {"add" + sentence}},
                                {[&] { a - b; }, {"subtract" + sentence}},
                                {[&] { (void)(a * b); }, {"multiply" + sentence}},
                                {[&] { a / b; }, {"divide" + sentence}},
                                {[] { a + zeros(2); }, {"add: (2, 3) and (2)"}}});
}

TEST(shape_errors, of_products) {
    const Tensor q = zeros(2, 4, 9, 16), bias = zeros(3);
    expect_refused<ShapeError>(
        {{[&] { matmul(q, q); },
          {"matmul: (2, 4, 9, 16) x (2, 4, 9, 16): 16 columns meet 9 rows; transpose b (the keys"}},
         {[] { matmul(zeros(9, 16), zeros(16, 5), Transpose::b); },
          {"(16, 5)ᵀ", "transposed once too often"}},
         {[] { matmul(a, zeros(3)); }, {"matmul", "(3)", "at least two axes", "(n, 1)"}},
         {[] { matmul(zeros(2, 4, 3), zeros(5, 3, 4)); }, {"matmul", "(2)", "(5)", "don't broadcast"}},
         {[] { linear(a, zeros(3, 2)); }, {"linear: x (2, 3)", "(3, 2)", "(out, in)"}},
         {[] { linear(Tensor(), zeros(3, 2)); }, {"linear: x ()"}},
         {[] { linear(a, zeros(3)); }, {"linear", "weight (3)"}},
         {[&] { linear(a, zeros(4, 3), &bias); }, {"bias (3)", "out is 4 in weight and 3 in bias"}}});
    EXPECT_EQ(thrown_by([] { matmul(a, zeros(4, 5)); }).sentence,
              "matmul: (2, 3) x (4, 5): 3 columns meet 4 rows")
        << "no transpose would fit, so none is suggested";
}

TEST(shape_errors, of_axes_that_are_out_of_range_or_empty) {
    const Tensor empty = zeros(2, 0);
    expect_refused<ShapeError>({{[] { sum(a, 2); }, {"sum: axis 2 is out of range", "2 axes has -2 to 1"}},
                                {[] { mean(a, -3); }, {"mean: axis -3"}},
                                {[] { max(a, 5); }, {"max: axis 5"}},
                                {[] { variance(a, 9); }, {"variance: axis 9"}},
                                {[] { transpose(a, 0, 2); }, {"transpose: axis 2"}},
                                {[] { slice(a, 2, 0, 1); }, {"slice: axis 2"}},
                                {[] { concat(std::vector(2, a), 2); }, {"concat: axis 2"}},
                                {[] { a.size(2); }, {"size: axis 2"}},
                                {[] { sum(Tensor(), 0); }, {"sum: a scalar has no axis 0"}},
                                {[] { sum(zeros(4), 1); }, {"a tensor of 1 axis has -1 to 0"}},
                                {[&] { mean(empty, 1); }, {"mean: axis 1 of shape (2, 0) is empty"}},
                                {[&] { max(empty, 1); }, {"max: axis 1 of shape (2, 0) is empty"}},
                                {[&] { variance(empty, -1); }, {"variance: axis -1 of shape (2, 0)"}},
                                {[&] { mean(empty); }, {"mean", "is empty"}}});
    EXPECT_EQ(sum(empty, 1).values()[0], 0.0f);
}

TEST(shape_errors, of_what_moves_and_reads_values) {
    const Tensor x(Array(1.0f), true);
    const Shape four_by_two{4, 2}, square{2, 2};
    const std::vector<Tensor> wider{a, zeros(2, 4)}, flat{a, zeros(3)};
    const auto outside = [] { a.at({0, 3}); };
    expect_refused<ShapeError>(
        {{[&] { reshape(a, four_by_two); }, {"reshape: (2, 3) has 6 elements, (4, 2) would have 8"}},
         {[&] { concat(wider, 0); }, {"concat: (2, 3) and (2, 4)", "axis 0"}},
         {[&] { concat(flat, 0); }, {"concat: (2, 3) and (3)"}},
         {[] { concat({}, 0); }, {"concat: there is no tensor to join"}},
         {[] { slice(a, 1, 1, 4); }, {"slice: 1 … 4", "axis 1 of shape (2, 3)"}},
         {[] { slice(a, 1, 2, 1); }, {"slice: 2 … 1"}},
         {[] { embedding(zeros(4), Ids{0}); }, {"embedding", "(4) must be (count, size)"}},
         {[&] { Tensor::from(square, {1}); }, {"1 values don't fill the shape (2, 2)", "4"}},
         {outside, {"at: index (0, 3)", "(2, 3)"}},
         {[] { a.at({1}); }, {"at: index (1)"}},
         {[] { a.item(); }, {"item", "(2, 3)", "6 values"}},
         {[&] { add_to_grad(x, Array::from_shape({2})); }, {"gradient of shape (2)", "()"}}});
}

TEST(value_errors, of_ids_outside_of_the_table_and_layers_of_size_zero) {
    Rng rng(1);
    const Tensor table = zeros(4, 2);
    const Ids too_large{0, 4};
    expect_refused<ValueError>(
        {{[&] { embedding(table, too_large); }, {"id 4 at position 1", "4 rows (0 to 3)"}},
         {[&] { embedding(table, Ids{-1}); }, {"id -1 at position 0"}},
         {[&] { Linear(0, 4, rng); }, {"Linear(0, 4)", "at least 1"}},
         {[&] { Linear(4, 0, rng); }, {"Linear(4, 0)"}},
         {[&] { Embedding(0, 4, rng); }, {"Embedding(0, 4)"}}});
}

// ---- sizes that no array can have -----------------------------------------------------------------------------------

constexpr std::size_t two_to_32 = std::size_t{1} << 32U;  // times itself it is 0 in std::size_t

TEST(make_array, has_the_shape_that_was_asked_for) {
    EXPECT_EQ(shape_of(make_array({2, 3})), (Shape{2, 3}));
    EXPECT_EQ(make_array<std::int64_t>({}).size(), 1u);
    EXPECT_EQ(make_array<bool>({two_to_32, 0, 3}).size(), 0u);
}

TEST(make_array, refuses_what_can_not_be_counted_addressed_or_kept) {
    // The strides of an array without values overflow all the same.
    const Shape countless{two_to_32, 3, two_to_32}, empty{two_to_32, 0, two_to_32},
        half{two_to_32 / 2, two_to_32}, quarter{two_to_32 / 4, two_to_32}, huge{two_to_32, two_to_32 / 64};
    expect_refused<ShapeError>({{[&] { (void)make_array(countless); },
                                 {"(4294967296, 3, 4294967296)", "more values than can be counted"}},
                                {[&] { (void)make_array(empty); },
                                 {"(4294967296, 0, 4294967296)", "more values than can be counted"}},
                                {[&] { (void)make_array(half); }, {"too large for any memory"}},
                                {[&] { (void)make_array<bool>(half); }, {"too large"}},
                                {[&] { require_addressable(quarter, 8); }, {"(1073741824, 4294967296)"}}});
    if (has_address_sanitizer) return;  // which ends the program here
    EXPECT_TRUE(
        refuses<ShapeError>([&] { (void)make_array(huge); }, {"(4294967296, 67108864)", "GB", "memory"}));
}

TEST(sizes, that_overflow_are_refused_by_what_makes_arrays) {
    Rng rng(1), none = Rng::zeros();
    const Shape square{two_to_32, two_to_32}, quarter{two_to_32 / 4, two_to_32};
    const std::vector<std::string> named{"4294967296"};
    const Tensor row = zeros(1, two_to_32, 0), column = zeros(two_to_32, 1, 0);
    const std::vector<Tensor> parts(16, zeros(1ull << 60, 0));
    expect_refused<ShapeError>({{[&] { Tensor::zeros(square); }, named},
                                {[&] { (void)rng.uniform_array(square, 0, 1); }, named},
                                {[&] { (void)rng.normal_array(square); }, named},
                                {[&] { (void)rng.bernoulli_array(square, 0.5); }, named},
                                {[&] { (void)none.uniform_array(square, 0, 1); }, named},
                                {[&] { Linear(two_to_32, two_to_32, rng); }, named},
                                {[&] { Embedding(1ull << 60, 512, rng); }, {"1152921504606846976"}},
                                {[&] { reshape(a, square); }, {"too large"}},
                                {[&] { (void)sum(zeros(0, two_to_32, two_to_32), 0); }, named},
                                {[&] { (void)sum(row + column, -1); }, named},
                                {[&] { (void)matmul(zeros(two_to_32, 0), zeros(0, two_to_32)); }, named},
                                {[&] { (void)linear(zeros(two_to_32, two_to_32, 0), zeros(3, 0)); }, named},
                                {[&] { (void)concat(parts, 0); }, {"concat", "1152921504606846976"}},
                                {[&] { (void)part_with_result("a", quarter, {}, 2); }, {}}});
}

TEST(sizes, of_products_beyond_what_blas_can_count_are_refused) {
    const std::size_t too_many = std::size_t{1} << 31U;
    const Tensor tall = zeros(too_many, 0);
    const Tensor stack = zeros(2, too_many / 2, 0);  // folded into one matrix of too many rows
    expect_refused<ShapeError>({{[&] { matmul(tall, zeros(0, 1)); }, {"matmul", "2147483648"}},
                                {[&] { linear(tall, zeros(1, 0)); }, {"linear", "2147483648"}},
                                {[&] { matmul(stack, zeros(0, 1)); }, {"matmul", "2147483648"}}});
}

// ---- shapes by the names of their axes -------------------------------------------------------------------------------

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
        {sentence_of({{"w", Shape{3, 8}, "seq d"}, {"x", Shape{8, 3}, "seq d", "is it another x?"}}),
         "f: w (3, 8), x (8, 3) must be (seq, d), (seq, d): seq is 3 in w and 8 in x; are the last two axes "
         "of "
         "x transposed, or is it another x?"},
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
