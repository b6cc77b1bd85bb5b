// Step 0.3 · matmul_blas · ●●○ · 5 min
// exercises/00_tensors/matmul_blas.cpp · check yours with ./tutorial check 0.3
#include "chapters/00_tensors/given/checks.hpp"
#include "chapters/00_tensors/tensors.hpp"
#include "common/kernels/gemm.hpp"

namespace tfs {

Array matmul_blas(const Array& a, const Array& b) {
    require_product("matmul_blas", a, b);
    Array c(Array::shape_type{a.shape(0), a.shape(1), b.shape(2)}, 0.0f);  // (batch, m, n), all 0
    // TODO 0.3: Fill c with one call of kernels::gemm (common/kernels/gemm.hpp) for each batch element.
    throw NotImplemented("0.3 matmul_blas");
    return c;
}

}  // namespace tfs
