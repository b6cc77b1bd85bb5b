// tests/00_tensors/matmul_blas_test.cpp · matmul_blas, which is given: PyTorch's values, and what it refuses
#include "tests/00_tensors/checklist.hpp"

namespace tfs::test {
namespace {

TEST(matmul_blas, equals_pytorch) {
    EXPECT_TRUE(
        matches(matmul_blas(golden_array("bmm.a"), golden_array("bmm.b")), golden_array("bmm.output")));
}

TEST(matmul_blas, is_zero_where_k_is_0) {
    EXPECT_TRUE(matches(matmul_blas(Array::from_shape({1, 2, 0}), Array::from_shape({1, 0, 3})),
                        Tensor::zeros({1, 2, 3}).array()));
}

TEST(matmul_blas, refuses_shapes_that_do_not_fit) {
    EXPECT_THROW(matmul_blas(normal_array({1, 2, 3}, 1), normal_array({1, 2, 3}, 2)), ShapeError);
    EXPECT_THROW(matmul_blas(normal_array({2, 2, 3}, 1), normal_array({1, 3, 2}, 2)), ShapeError);
    EXPECT_THROW(matmul_blas(normal_array({2, 3}, 1), normal_array({3, 2}, 2)), ShapeError);
}

}  // namespace
}  // namespace tfs::test
