// tests/mistakes/00_tensors/row_statistics.down_the_columns.cpp · step 0.4 done wrong:
// the columns of a matrix are reduced, not its rows
// The checklist must say: "over the wrong axis"
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
        const float* values = x.data() + row;
        const std::size_t stride = result.mean.size();
        float sum = 0.0f;
        for (std::size_t j = 0; j < n; ++j) sum += values[j * stride];
        const float mean = sum / count;
        float squares = 0.0f;
        for (std::size_t j = 0; j < n; ++j)
            squares += (values[j * stride] - mean) * (values[j * stride] - mean);
        result.mean.data()[row] = mean;
        result.variance.data()[row] = squares / count;
    }
    return result;
}

}  // namespace tfs
