// common/figures/attention_panel.hpp · the weights of one head as a panel of a figure
#pragma once

#include "common/figures/figure.hpp"
#include "common/tensor/mask.hpp"
#include "common/tensor/tensor.hpp"

namespace tfs {

// The map of one head of the first sequence as a panel of a figure, the cells that `mask` forbids blank. Throws
// ShapeError where there is no such head, or the mask does not broadcast to the map.
HeatMapPanel attention_panel(const std::string& title, const Tensor& weights, std::size_t head,
                             const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                             const std::optional<Mask>& mask = std::nullopt);

}  // namespace tfs
