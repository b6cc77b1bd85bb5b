// tests/mistakes/00_tensors/row_statistics.one_pass.cpp · step 0.4 done wrong: E[x^2] - E[x]^2, which cancels
// The checklist must say: "subtracts two nearly equal numbers"
#include "chapters/00_tensors/given/checks.hpp"
#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

RowStatistics row_statistics(const Array& x) {
    require_rows(x);
    const Shape rows_shape(x.shape().begin(), x.shape().end() - 1);  // (...), without the last axis
    RowStatistics result{Array::from_shape(rows_shape), Array::from_shape(rows_shape)};
    const std::size_t n = x.shape().back();
    const float count = static_cast<float>(n);
    for (std::size_t row = 0; row < result.mean.size(); ++row) {
        const float* values = x.data() + row * n;
        float sum = 0.0f;
        for (std::size_t j = 0; j < n; ++j) sum += values[j];
        const float mean = sum / count;
        float squares = 0.0f;
        for (std::size_t j = 0; j < n; ++j) squares += values[j] * values[j];
        result.mean.data()[row] = mean;
        result.variance.data()[row] = squares / count - mean * mean;
    }
    return result;
}

}  // namespace tfs
