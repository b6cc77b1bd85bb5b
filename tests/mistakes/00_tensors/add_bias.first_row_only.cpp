// tests/mistakes/00_tensors/add_bias.first_row_only.cpp · step 0.1 done wrong: the loop ends with the bias
// The checklist must say: "only the first row got the bias"
#include "chapters/00_tensors/given/checks.hpp"
#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

Array add_bias(const Array& x, const Array& bias) {
    require_bias(x, bias);
    Array y = Array::from_shape(x.shape());
    const std::size_t n = bias.size();
    for (std::size_t i = 0; i < x.size(); ++i) {
        y.data()[i] = x.data()[i] + (i < n ? bias.data()[i] : 0.0f);
    }
    return y;
}

}  // namespace tfs
