// tests/mistakes/00_tensors/finite_difference.sign.cpp · step 0.5 done wrong: f(x - h) - f(x + h)
// The checklist must say: "the sign is the wrong way round"
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
        const double high = point.data()[i], above = f(point);
        point.data()[i] = x.data()[i] - step;
        const double low = point.data()[i], below = f(point);
        point.data()[i] = x.data()[i];
        gradient.data()[i] =
            static_cast<float>((below - above) / (high - low));  // high - low: 2h as it was rounded
    }
    return gradient;
}

}  // namespace tfs
