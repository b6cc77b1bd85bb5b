// tests/mistakes/00_tensors/add_bias.first_entry_only.cpp · step 0.1 done wrong:
// the bias is read as if it were one number
// The checklist must say: "only the first entry of the bias was used"
#include "chapters/00_tensors/given/checks.hpp"
#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

Array add_bias(const Array& x, const Array& bias) {
    require_bias(x, bias);
    Array y = Array::from_shape(x.shape());
    for (std::size_t i = 0; i < x.size(); ++i) {
        y.data()[i] = x.data()[i] + *bias.data();
    }
    return y;
}

}  // namespace tfs
