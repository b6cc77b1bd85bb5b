// chapters/00_tensors/program/timed/matmul_reordered.cpp · the loops of a product with the inner two swapped
#include "chapters/00_tensors/program/timed/matmul_reordered.hpp"

namespace tfs {

Array matmul_reordered(const Array& a, const Array& b) {
    const std::size_t batch = a.shape(0), m = a.shape(1), k = a.shape(2), n = b.shape(2);
    Array c(Array::shape_type{batch, m, n}, 0.0f);
    for (std::size_t s = 0; s < batch; ++s) {
        for (std::size_t i = 0; i < m; ++i) {
            float* c_row = c.data() + (s * m + i) * n;
            for (std::size_t p = 0; p < k; ++p) {
                const float a_ip = a.data()[(s * m + i) * k + p];
                const float* b_row = b.data() + (s * k + p) * n;
                for (std::size_t j = 0; j < n; ++j) c_row[j] += a_ip * b_row[j];
            }
        }
    }
    return c;
}

}  // namespace tfs
