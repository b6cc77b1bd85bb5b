// tests/00_tensors/matmul_loops_test.cpp · step matmul_loops: PyTorch's values, values worked out by hand, BLAS
#include <cmath>

#include "tests/00_tensors/checklist.hpp"

namespace tfs::test {
namespace {

// Only two products of four are compared: what is read at a wrong place for them lies within the buffers, and is the same each time.
testing::AssertionResult first_two_are_right() {
    const Array a = normal_array({4, 9, 7}, 5), b = normal_array({4, 7, 11}, 6), c = matmul_loops(a, b);
    const testing::AssertionResult right_shape = has_shape(Tensor(c), {4, 9, 11});
    return right_shape ? matches(first_of(c, 2), first_of(matmul_blas(a, b), 2)) : right_shape;
}

TEST(matmul_loops, multiplies_two_square_matrices) {
    EXPECT_TRUE(matches(matmul_loops(array({1, 2, 2}, {1, 2, 3, 4}), array({1, 2, 2}, {5, 6, 7, 8})),
                        array({1, 2, 2}, {19, 22, 43, 50})));
}

TEST(matmul_loops, gives_each_batch_element_its_own_product) { EXPECT_TRUE(first_two_are_right()); }

TEST(matmul_loops, multiplies_matrices_of_any_sizes) {
    ASSERT_TRUE(first_two_are_right());
    for (const Shape& sizes : {Shape{1, 2, 3, 2}, {2, 5, 4, 3}, {3, 2, 9, 4}, {2, 1, 7, 1}, {1, 6, 1, 2}}) {
        const Array a = normal_array({sizes[0], sizes[1], sizes[2]}, 7),
                    b = normal_array({sizes[0], sizes[2], sizes[3]}, 8);
        EXPECT_TRUE(matches(matmul_loops(a, b), matmul_blas(a, b)));
    }
}

TEST(matmul_loops, equals_pytorch) {
    ASSERT_TRUE(first_two_are_right());
    EXPECT_TRUE(
        matches(matmul_loops(golden_array("bmm.a"), golden_array("bmm.b")), golden_array("bmm.output")));
}

TEST(matmul_loops, is_zero_where_k_is_0) {
    ASSERT_TRUE(first_two_are_right());
    EXPECT_TRUE(matches(matmul_loops(Array::from_shape({1, 2, 0}), Array::from_shape({1, 0, 3})),
                        Tensor::zeros({1, 2, 3}).array()));
}

TEST(matmul_loops, hides_no_infinity_behind_a_zero) {
    const auto kind = [](float x) { return std::isnan(x) ? "NaN" : std::to_string(x); };
    const Array zero = array({1, 1, 2}, {0, 1}), infinite = array({1, 2, 1}, {infinity, 2});
    EXPECT_EQ(kind(matmul_loops(zero, infinite).data()[0]), "NaN") << "0 * infinity + 1 * 2";
    const Array across = array({1, 1, 2}, {infinity, 1}), down = array({1, 2, 1}, {0, 2});
    EXPECT_EQ(kind(matmul_loops(across, down).data()[0]), "NaN") << "infinity * 0 + 1 * 2";
}

TEST(matmul_loops, refuses_only_shapes_that_do_not_fit) {
    matmul_loops(normal_array({2, 2, 3}, 1), normal_array({2, 3, 2}, 2));
    EXPECT_THROW(matmul_loops(normal_array({1, 2, 3}, 1), normal_array({1, 2, 3}, 2)), ShapeError);
    EXPECT_THROW(matmul_loops(normal_array({2, 2, 3}, 1), normal_array({1, 3, 2}, 2)), ShapeError);
    EXPECT_THROW(matmul_loops(normal_array({2, 3}, 1), normal_array({3, 2}, 2)), ShapeError);
}

}  // namespace
}  // namespace tfs::test
