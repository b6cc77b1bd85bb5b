// tests/mistakes/00_tensors/add_bias.down_the_rows.cpp · step 0.1 done wrong:
// the row number picks the entry of the bias
// The checklist must say: "was added down the rows"
#include "chapters/00_tensors/given/checks.hpp"
#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

Array add_bias(const Array& x, const Array& bias) {
    require_bias(x, bias);
    Array y = Array::from_shape(x.shape());
    const std::size_t n = bias.size();
    for (std::size_t i = 0; i < x.size(); ++i) {
        y.data()[i] = x.data()[i] + bias.data()[i / n % n];
    }
    return y;
}

}  // namespace tfs
