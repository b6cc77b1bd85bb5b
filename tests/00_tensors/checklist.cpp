// tests/00_tensors/checklist.cpp · what the checks of several steps of chapter 00 share
#include "tests/00_tensors/checklist.hpp"

#include <utility>

namespace tfs::test {

Array array(const Shape& shape, std::vector<float> values) {
    return Tensor::from(shape, std::move(values)).array();
}

testing::AssertionResult matches(const Array& actual, const Array& expected,
                                 const std::vector<Suspect>& suspects, Tolerance tolerance) {
    return close(Tensor(actual), Tensor(expected), tolerance, suspects);
}

}  // namespace tfs::test
