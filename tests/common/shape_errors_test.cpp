// tests/common/shape_errors_test.cpp · wrong shapes: the message names the operation, both shapes and the likely cause
#include "common/nn.hpp"
#include "common/tensor.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const Tensor a = Tensor::zeros({2, 3});

TEST(shape_errors, arithmetic_names_the_operation_both_shapes_and_the_axis) {
    const Tensor b = Tensor::zeros({2, 4});
    const std::vector<std::string> parts{"(2, 3)", "(2, 4)", "sizes 3 and 4 disagree at axis -1",
                                         "is KeepDims::yes, a reshape or a transpose missing"};
    const auto with = [&](const char* operation) {
        std::vector<std::string> all = parts;
        all.push_back(operation);
        return all;
    };
    EXPECT_TRUE(refuses<ShapeError>([&] { a + b; }, with("add:")));
    EXPECT_TRUE(refuses<ShapeError>([&] { a - b; }, with("subtract:")));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)(a * b); }, with("multiply:")));
    EXPECT_TRUE(refuses<ShapeError>([&] { a / b; }, with("divide:")));
}

TEST(shape_errors, a_bias_per_row_is_not_broadcast_over_columns) {
    EXPECT_TRUE(refuses<ShapeError>([] { a + Tensor::zeros({2}); },
                                    {"add: (2, 3) and (2)", "aligned at the last one"}));
}

TEST(shape_errors, matmul_suggests_the_transpose_that_would_fit) {
    const Tensor q = Tensor::zeros({2, 4, 9, 16}), k = Tensor::zeros({2, 4, 9, 16});
    EXPECT_TRUE(refuses<ShapeError>([&] { matmul(q, k); }, {"matmul: (2, 4, 9, 16) x (2, 4, 9, 16)",
                                                            "16 columns meet 9 rows", "transpose b"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            matmul(Tensor::zeros({9, 16}), Tensor::zeros({16, 5}), Transpose::b);
        },
        {"(16, 5)ᵀ", "transposed once too often"}));
}

TEST(shape_errors, matmul_without_a_suggestion_where_no_transpose_fits) {
    try {
        matmul(a, Tensor::zeros({4, 5}));
        FAIL() << "nothing was thrown";
    } catch (const ShapeError& error) {
        EXPECT_STREQ(error.what(), "matmul: (2, 3) x (4, 5): 3 columns meet 4 rows");
    }
}

TEST(shape_errors, matmul_wants_two_axes_and_broadcastable_leading_axes) {
    EXPECT_TRUE(refuses<ShapeError>([] { matmul(a, Tensor::zeros({3})); },
                                    {"matmul", "(3)", "at least two axes", "(n, 1)"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            matmul(Tensor::zeros({2, 4, 3}), Tensor::zeros({5, 3, 4}));
        },
        {"matmul", "(2)", "(5)", "don't broadcast"}));
}

TEST(shape_errors, products_beyond_what_blas_can_count) {
    const std::size_t too_many = std::size_t{1} << 31U;
    const Tensor tall = Tensor::zeros({too_many, 0});
    EXPECT_TRUE(refuses<ShapeError>([&] { matmul(tall, Tensor::zeros({0, 1})); }, {"matmul", "2147483648"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { linear(tall, Tensor::zeros({1, 0})); }, {"linear", "2147483648"}));
    const Tensor stack = Tensor::zeros({2, too_many / 2, 0});  // folded into one matrix of too many rows
    EXPECT_TRUE(refuses<ShapeError>([&] { matmul(stack, Tensor::zeros({0, 1})); }, {"matmul", "2147483648"}));
}

TEST(shape_errors, more_elements_than_can_be_counted) {
    const std::size_t huge = std::size_t{1} << 40U;
    EXPECT_TRUE(refuses<ShapeError>([&] { Tensor::zeros({huge, huge}); }, {"1099511627776", "too large"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { reshape(a, {huge, huge, 6}); }, {"too large"}));
    // Without elements too: the strides of such an array can't be counted.
    EXPECT_TRUE(refuses<ShapeError>([&] { Tensor::zeros({huge, huge, 0}); }, {"too large"}));
    EXPECT_EQ(Tensor::zeros({huge, 0}).size(), 0U);
}

TEST(shape_errors, axis_out_of_range_names_the_range) {
    EXPECT_TRUE(
        refuses<ShapeError>([] { sum(a, 2); }, {"sum: axis 2 is out of range", "2 axes has -2 to 1"}));
    EXPECT_TRUE(refuses<ShapeError>([] { mean(a, -3); }, {"mean: axis -3"}));
    EXPECT_TRUE(refuses<ShapeError>([] { max(a, 5); }, {"max: axis 5"}));
    EXPECT_TRUE(refuses<ShapeError>([] { variance(a, 9); }, {"variance: axis 9"}));
    EXPECT_TRUE(refuses<ShapeError>([] { transpose(a, 0, 2); }, {"transpose: axis 2"}));
    EXPECT_TRUE(refuses<ShapeError>([] { slice(a, 2, 0, 1); }, {"slice: axis 2"}));
    EXPECT_TRUE(refuses<ShapeError>([] { concat({a, a}, 2); }, {"concat: axis 2"}));
    EXPECT_TRUE(refuses<ShapeError>([] { a.size(2); }, {"size: axis 2"}));
    EXPECT_TRUE(refuses<ShapeError>([] { sum(Tensor(), 0); }, {"sum: a scalar has no axis 0"}));
    EXPECT_TRUE(refuses<ShapeError>([] { sum(Tensor::zeros({4}), 1); }, {"a tensor of 1 axis has -1 to 0"}));
}

TEST(shape_errors, reducing_an_empty_axis) {
    const Tensor empty = Tensor::zeros({2, 0});
    EXPECT_TRUE(refuses<ShapeError>([&] { mean(empty, 1); }, {"mean: axis 1 of shape (2, 0) is empty"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { max(empty, 1); }, {"max: axis 1 of shape (2, 0) is empty"}));
    EXPECT_TRUE(
        refuses<ShapeError>([&] { variance(empty, -1); }, {"variance: axis -1 of shape (2, 0) is empty"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { mean(empty); }, {"mean", "is empty"}));
    EXPECT_EQ(sum(empty, 1).values()[0], 0.0f);
}

TEST(shape_errors, reshape_names_both_counts) {
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            reshape(a, {4, 2});
        },
        {"reshape: (2, 3) has 6 elements, (4, 2) would have 8"}));
}

TEST(shape_errors, concat_names_the_part_that_differs) {
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            concat({a, Tensor::zeros({2, 4})}, 0);
        },
        {"concat: (2, 3) and (2, 4)", "axis 0"}));
    EXPECT_TRUE(refuses<ShapeError>([] { concat({a, Tensor::zeros({3})}, 0); }, {"concat: (2, 3) and (3)"}));
    EXPECT_TRUE(refuses<ShapeError>([] { concat({}, 0); }, {"concat: there is no tensor to join"}));
}

TEST(shape_errors, slice_outside_of_the_axis) {
    EXPECT_TRUE(refuses<ShapeError>([] { slice(a, 1, 1, 4); }, {"slice: 1 … 4", "axis 1 of shape (2, 3)"}));
    EXPECT_TRUE(refuses<ShapeError>([] { slice(a, 1, 2, 1); }, {"slice: 2 … 1"}));
}

TEST(shape_errors, linear_names_the_layout_of_the_weight) {
    const Tensor bias = Tensor::zeros({3});
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            linear(a, Tensor::zeros({3, 2}));
        },
        {"linear: x (2, 3)", "(3, 2)", "(out, in)"}));
    EXPECT_TRUE(refuses<ShapeError>([] { linear(Tensor(), Tensor::zeros({3, 2})); }, {"linear: x ()"}));
    EXPECT_TRUE(refuses<ShapeError>([] { linear(a, Tensor::zeros({3})); }, {"linear", "weight (3)"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            linear(a, Tensor::zeros({4, 3}), &bias);
        },
        {"bias (3)", "4 outputs"}));
}

TEST(shape_errors, embedding_wants_a_matrix) {
    EXPECT_TRUE(refuses<ShapeError>([] { embedding(Tensor::zeros({4}), Ids{0}); },
                                    {"embedding", "(count, size), not (4)"}));
}

TEST(shape_errors, embedding_names_the_id_its_position_and_the_range) {
    const Tensor table = Tensor::zeros({4, 2});
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            embedding(table, Ids{0, 4});
        },
        {"id 4 at position 1", "4 rows (0 to 3)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { embedding(table, Ids{-1}); }, {"id -1 at position 0"}));
}

TEST(shape_errors, tensor_from_names_the_counts) {
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            Tensor::from({2, 2}, {1, 2, 3});
        },
        {"3 values don't fill the shape (2, 2)", "4"}));
}

TEST(shape_errors, reading_outside_of_a_tensor) {
    EXPECT_TRUE(refuses<ShapeError>([] { a.at({0, 3}); }, {"at: index (0, 3)", "(2, 3)"}));
    EXPECT_TRUE(refuses<ShapeError>([] { a.at({1}); }, {"at: index (1)"}));
    EXPECT_TRUE(refuses<ShapeError>([] { a.item(); }, {"item", "(2, 3)", "6 values"}));
}

TEST(shape_errors, a_gradient_of_another_shape) {
    const Tensor x(Array(1.0f), true);
    EXPECT_TRUE(refuses<ShapeError>([&] { add_to_grad(x, Array::from_shape({2})); },
                                    {"gradient of shape (2)", "()"}));
}

TEST(shape_errors, layers_refuse_a_size_of_zero) {
    Rng rng(1);
    EXPECT_TRUE(refuses<ValueError>([&] { Linear(0, 4, rng); }, {"Linear(0, 4)", "at least 1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { Linear(4, 0, rng); }, {"Linear(4, 0)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { Embedding(0, 4, rng); }, {"Embedding(0, 4)"}));
}

}  // namespace
}  // namespace tfs::test
