// Step 0.4 · row_statistics · ●●○ · 10 min
// exercises/00_tensors/row_statistics.cpp · check yours with ./tutorial check 0.4
#include "chapters/00_tensors/given/checks.hpp"
#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

RowStatistics row_statistics(const Array& x) {
    require_rows(x);
    const Shape rows_shape(x.shape().begin(), x.shape().end() - 1);  // (...), without the last axis
    RowStatistics result{Array::from_shape(rows_shape), Array::from_shape(rows_shape)};
    // TODO 0.4: Fill result.mean and result.variance, one number for each row of n = x.shape().back()
    // floats. Go over a row twice: first for its mean, then for the mean of (x_j - mean)^2, divided by n.
    // Don't use E[x^2] - E[x]^2: it needs one pass only, but where the mean is large it subtracts two
    // nearly equal numbers.
    throw NotImplemented("0.4 row_statistics");
    return result;
}

}  // namespace tfs
