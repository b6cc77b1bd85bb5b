// tests/support/golden.cpp
#include "tests/support/golden.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/io/safetensors.hpp"

namespace tfs::test {

Tensor normal(const Shape& shape, std::uint64_t seed, double mean, double deviation) {
    Rng rng(seed);
    return Tensor(rng.normal_array(shape, mean, deviation));
}

Golden::Golden(const std::string& file_name) {
    for (const NamedTensor& entry :
         load_safetensors(std::string(TFS_SOURCE_DIR) + "/tests/golden/" + file_name)) {
        tensors_.emplace_back(entry.name, entry.tensor);
    }
}

Tensor Golden::operator[](const std::string& name) const {
    for (const auto& [key, tensor] : tensors_) {
        if (key == name) return tensor;
    }
    throw FileError(fmt::format("golden file: it has no tensor '{}'; run tests/golden/make_golden.py", name));
}

bool Golden::contains(const std::string& name) const {
    for (const auto& [key, tensor] : tensors_) {
        if (key == name) return true;
    }
    return false;
}

Mask as_mask(const Tensor& stored) {
    return Mask::from(stored.shape(), std::vector<int>(stored.values().begin(), stored.values().end()));
}

Ids as_ids(const Tensor& stored) {
    Ids ids = Ids::from_shape(stored.shape());
    std::copy(stored.values().begin(), stored.values().end(), ids.begin());
    return ids;
}

}  // namespace tfs::test
