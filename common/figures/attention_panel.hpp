// common/figures/attention_panel.hpp · the weights of heads as panels of figures
#pragma once

#include "common/figures/figure.hpp"
#include "common/tensor/mask.hpp"
#include "common/tensor/tensor.hpp"

namespace tfs {

// One map (query, key) of weights (batch, heads, query, key). Throws ShapeError if there is no such sequence or head.
Array attention_map(const Tensor& weights, std::size_t sequence, std::size_t head);

// The map of one head of the first sequence as a panel of a figure, the cells that `mask` forbids blank. Throws
// ShapeError if there is no such head, or the mask does not broadcast to the map.
HeatMapPanel attention_panel(const std::string& title, const Tensor& weights, std::size_t head,
                             const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                             const std::optional<Mask>& mask = std::nullopt);

// The same panel with every cell blank whose weight is 0: nobody looks there, whatever the mask should have been.
HeatMapPanel blank_where_zero(HeatMapPanel panel);

// All heads of one layer: their weights (batch, heads, query, key), of which the first sequence is shown.
struct LayerMaps {
    std::string name;  // of the view: "layer 1"
    Tensor weights;
    std::vector<std::string> rows = {}, columns = {};
};

// The maps of these layers, a view for each; of more than six heads, a view for each six. The views have the title, axes
// and caption of `frame`, one scale of colours, and the names NAME, NAME_2, NAME_3 … A cell with the weight 0 is blank.
std::vector<View> attention_views(const HeatMapFigure& frame, const std::vector<LayerMaps>& layers);

}  // namespace tfs
