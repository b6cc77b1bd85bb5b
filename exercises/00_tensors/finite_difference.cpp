// Step 0.4 · finite_difference · ●●○ · 10 min
// exercises/00_tensors/finite_difference.cpp · check yours with ./tutorial check 0.4
#include <fmt/format.h>

#include <cmath>

#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

Array finite_difference_gradient(const std::function<double(const Array&)>& f, const Array& x, float step) {
    if (!std::isfinite(step) || step <= 0.0f) {
        throw ValueError(
            fmt::format("finite_difference_gradient: the step is {}; it must be positive and finite", step));
    }
    Array gradient = Array::from_shape(x.shape());
    // TODO 0.4: Fill gradient with central differences, one entry after the other.
    throw NotImplemented("0.4 finite_difference");
    return gradient;
}

}  // namespace tfs
