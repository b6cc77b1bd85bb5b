// tests/mistakes/00_tensors/matmul_blas.first_product_only.cpp · step 0.3 done wrong:
// one call for the whole batch
// The checklist must say: "only the first batch element was computed"
#include "chapters/00_tensors/given/checks.hpp"
#include "chapters/00_tensors/tensors.hpp"
#include "common/kernels/gemm.hpp"

namespace tfs {

Array matmul_blas(const Array& a, const Array& b) {
    require_product("matmul_blas", a, b);
    Array c(Array::shape_type{a.shape(0), a.shape(1), b.shape(2)}, 0.0f);  // (batch, m, n), all 0
    const std::size_t m = a.shape(1), k = a.shape(2), n = b.shape(2);
    kernels::Gemm product;
    product.m = m, product.n = n, product.k = k;
    product.lda = k, product.ldb = n, product.ldc = n;  // the length of a row of each
    kernels::gemm(product, a.data(), b.data(), c.data());
    return c;
}

}  // namespace tfs
