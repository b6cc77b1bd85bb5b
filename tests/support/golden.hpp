// tests/support/golden.hpp · what checklists feed to a step and compare with: drawn values, and those of PyTorch
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "common/tensor.hpp"
#include "tests/support/runs.hpp"

namespace tfs::test {

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Normally distributed values; the same seed gives the same.
Tensor normal(const Shape& shape, std::uint64_t seed, double mean = 0.0, double deviation = 1.0);

// A file of tests/golden/, which tests/golden/make_golden.py makes of PyTorch's values, read once.
class Golden {
  public:
    explicit Golden(const std::string& file_name);     // as in "01_attention.safetensors"
    Tensor operator[](const std::string& name) const;  // FileError where the file has no such tensor
    bool contains(const std::string& name) const;

  private:
    std::vector<std::pair<std::string, Tensor>> tensors_;
};

// Masks and ids are stored as floats: 0 and 1 for a mask.
Mask as_mask(const Tensor& stored);
Ids as_ids(const Tensor& stored);

#ifdef TFS_CHAPTER  // in a checklist, where CMake says of which chapter; "common" in the tests of common/

// The golden values that these tests compare with.
inline const Golden& golden() {
    static const Golden file(TFS_CHAPTER ".safetensors");
    return file;
}

// Wrong answers run in processes of their own: the file is read before. A chapter without one has none to read.
inline const Prepared golden_read("", [] {
    try {
        (void)golden();
    } catch (const FileError&) {
    }
});

// One of them as an input that collects its gradient.
inline Tensor leaf(const std::string& name) { return Tensor(golden()[name].array(), true); }

inline Mask golden_mask(const std::string& name) { return as_mask(golden()[name]); }
inline Ids golden_ids(const std::string& name) { return as_ids(golden()[name]); }

#endif

}  // namespace tfs::test
