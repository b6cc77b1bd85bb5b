// chapters/00_tensors/given/matmul_blas.cpp · the product of each batch element by BLAS, given
#include "chapters/00_tensors/given/tensor_checks.hpp"
#include "chapters/00_tensors/tensors.hpp"
#include "common/kernels/gemm.hpp"

namespace tfs {

Array matmul_blas(const Array& a, const Array& b) {
    require_product("matmul_blas", a, b);
    Array c(Array::shape_type{a.shape(0), a.shape(1), b.shape(2)}, 0.0f);  // (batch, m, n), all 0
    const std::size_t batch = a.shape(0), m = a.shape(1), k = a.shape(2), n = b.shape(2);
    kernels::Gemm product;
    product.m = m, product.n = n, product.k = k;
    product.lda = k, product.ldb = n, product.ldc = n;  // the length of a row of each
    for (std::size_t s = 0; s < batch; ++s) {
        kernels::gemm(product, a.data() + s * m * k, b.data() + s * k * n, c.data() + s * m * n);
    }
    return c;
}

}  // namespace tfs
