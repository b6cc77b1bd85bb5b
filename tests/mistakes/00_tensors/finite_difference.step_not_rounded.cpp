// tests/mistakes/00_tensors/finite_difference.step_not_rounded.cpp · step 0.5 done wrong:
// divided by 2h, and not by the distance of the two points as floats
// The checklist must say: "divided by 2h, but the points are floats: subtract the one from the other"
#include <fmt/format.h>

#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

Array finite_difference_gradient(const std::function<double(const Array&)>& f, const Array& x, float step) {
    if (!(step > 0.0f)) {
        throw ValueError(
            fmt::format("finite_difference_gradient: the step is {}; it must be positive", step));
    }
    Array gradient = Array::from_shape(x.shape());
    Array point = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
        point.data()[i] = x.data()[i] + step;
        const double above = f(point);
        point.data()[i] = x.data()[i] - step;
        const double below = f(point);
        point.data()[i] = x.data()[i];
        gradient.data()[i] = static_cast<float>((above - below) / (2.0 * step));
    }
    return gradient;
}

}  // namespace tfs
