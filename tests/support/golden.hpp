// tests/support/golden.hpp · values from PyTorch, made by tests/golden/make_golden.py
#pragma once

#include <string>

#include "common/tensor.hpp"

namespace tfs::test {

// A file of tests/golden/, read once.
class Golden {
  public:
    explicit Golden(const std::string& file_name);     // as in "01_attention.safetensors"
    Tensor operator[](const std::string& name) const;  // FileError where the file has no such tensor
    bool contains(const std::string& name) const;

  private:
    std::vector<std::pair<std::string, Tensor>> tensors_;
};

}  // namespace tfs::test
