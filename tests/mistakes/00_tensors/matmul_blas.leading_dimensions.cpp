// tests/mistakes/00_tensors/matmul_blas.leading_dimensions.cpp · step 0.3 done wrong:
// the leading dimensions of column-major matrices, as in the manual of BLAS
// The checklist must say: "nothing was written: BLAS refused"
#include "chapters/00_tensors/given/checks.hpp"
#include "chapters/00_tensors/tensors.hpp"
#include "common/kernels/gemm.hpp"

namespace tfs {

Array matmul_blas(const Array& a, const Array& b) {
    require_product("matmul_blas", a, b);
    Array c(Array::shape_type{a.shape(0), a.shape(1), b.shape(2)}, 0.0f);  // (batch, m, n), all 0
    const std::size_t batch = a.shape(0), m = a.shape(1), k = a.shape(2), n = b.shape(2);
    kernels::Gemm product;
    product.m = m, product.n = n, product.k = k;
    product.lda = m, product.ldb = k, product.ldc = m;
    for (std::size_t s = 0; s < batch; ++s) {
        kernels::gemm(product, a.data() + s * m * k, b.data() + s * k * n, c.data() + s * m * n);
    }
    return c;
}

}  // namespace tfs
