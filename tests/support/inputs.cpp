// tests/support/inputs.cpp · what checklists feed to a step
#include "tests/support/inputs.hpp"

namespace tfs::test {

Tensor normal(const Shape& shape, std::uint64_t seed, double mean, double deviation) {
    Rng rng(seed);
    return Tensor(rng.normal_array(shape, mean, deviation));
}

}  // namespace tfs::test
