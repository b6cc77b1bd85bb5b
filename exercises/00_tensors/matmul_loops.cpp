// Step 0.2 · matmul_loops · ●●○ · 10 min
// exercises/00_tensors/matmul_loops.cpp · check yours with ./tutorial check 0.2
#include "chapters/00_tensors/given/tensor_checks.hpp"
#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

Array matmul_loops(const Array& a, const Array& b) {
    require_product("matmul_loops", a, b);
    Array c(Array::shape_type{a.shape(0), a.shape(1), b.shape(2)}, 0.0f);  // (batch, m, n), all 0
    // TODO 0.2: Fill c with the products, by loops over the buffers.
    throw NotImplemented("0.2 matmul_loops");
    return c;
}

}  // namespace tfs
