// chapters/06_residual_dropout/program/kept_entries.cpp · which entries dropout kept
#include "chapters/06_residual_dropout/program/kept_entries.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tfs {

std::string dropped_count(const Tensor& dropped) {
    const auto zeros = std::count(dropped.values().begin(), dropped.values().end(), 0.0f);
    return fmt::format("{} of {} dropped", zeros, dropped.size());
}

xt::xarray<bool> kept_entries(const Array& values) {
    xt::xarray<bool> result = xt::xarray<bool>::from_shape(values.shape());
    for (std::size_t i = 0; i < values.size(); ++i) result.data()[i] = values.data()[i] != 0.0f;
    return result;
}

}  // namespace tfs
