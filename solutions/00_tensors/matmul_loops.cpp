// Step 0.2 · matmul_loops · ●●○ · 10 min
// solutions/00_tensors/matmul_loops.cpp
#include "chapters/00_tensors/given/tensor_checks.hpp"
#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

Array matmul_loops(const Array& a, const Array& b) {
    require_product("matmul_loops", a, b);
    Array c(Array::shape_type{a.shape(0), a.shape(1), b.shape(2)}, 0.0f);  // (batch, m, n), all 0
    // begin: Fill c with the products, by loops over the buffers.
    const std::size_t batch = a.shape(0), m = a.shape(1), k = a.shape(2), n = b.shape(2);
    for (std::size_t s = 0; s < batch; ++s) {
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                float sum = 0.0f;
                for (std::size_t p = 0; p < k; ++p) {
                    sum += a.data()[(s * m + i) * k + p] * b.data()[(s * k + p) * n + j];
                }
                c.data()[(s * m + i) * n + j] = sum;
            }
        }
    }
    // end
    return c;
}

}  // namespace tfs
