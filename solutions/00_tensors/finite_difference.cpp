// Step 0.4 · finite_difference · ●●○ · 10 min
// solutions/00_tensors/finite_difference.cpp
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
    // begin: Fill gradient with central differences, one entry after the other.
    Array point = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
        point.data()[i] = x.data()[i] + step;
        const double high = point.data()[i], above = f(point);
        point.data()[i] = x.data()[i] - step;
        const double low = point.data()[i], below = f(point);
        point.data()[i] = x.data()[i];
        gradient.data()[i] =
            static_cast<float>((above - below) / (high - low));  // high - low: 2h as it was rounded
    }
    // end
    return gradient;
}

}  // namespace tfs
