// chapters/06_residual_dropout/program/kept_entries.hpp · which entries dropout kept
#pragma once

#include <string>

#include "common/tensor.hpp"

namespace tfs {

// "76 of 320 dropped": the entries that are 0.
std::string dropped_count(const Tensor& dropped);

// true where an entry is not 0.
xt::xarray<bool> kept_entries(const Array& values);

}  // namespace tfs
