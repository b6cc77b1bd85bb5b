// tests/mistakes/00_tensors/finite_difference.halved_distance.cpp · step 0.5 done wrong:
// divided by h where the points are 2h apart
// The checklist must say: "divided by h, but the two points are 2h apart"
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
        gradient.data()[i] = static_cast<float>((above - below) / step);
    }
    return gradient;
}

}  // namespace tfs
