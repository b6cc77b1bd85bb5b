// common/figures/panels.hpp · panels that many figures need: the weights of heads, the data flow through a block
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/figures/figure.hpp"
#include "common/tensor/mask.hpp"
#include "common/tensor/tensor.hpp"

namespace tfs {

// --- the weights of heads

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

// --- a column of boxes in a plane: the data flow through a block, from the bottom up

// Draws into a panel, in about pixels. The stream and what leads around a branch are bold.
class FlowColumn {
  public:
    static constexpr double box_width = 156.0;
    // From the middle of the column to the outermost line of a residual connection.
    static constexpr double reach = box_width / 2 + 20.0;

    // Begins at the bottom with `input`. Residual connections lead around the boxes on the left (-1) or on the right (1).
    FlowColumn(PlanePanel& panel, double middle, const std::string& input, int side = -1);

    // An arrow up, with what it carries beside it, into a box. Returns how high the middle of the box is.
    double box(const std::string& name, Hue hue, const std::string& carried = {});

    // From here on the boxes are a branch, until add() adds what they give to the stream.
    void branch();
    void add(const std::string& carried = {});

    // The arrow out of the last box, and words above it.
    void output(const std::string& words);

    double height() const { return height_; }

  private:
    void rise(const std::string& carried);

    PlanePanel& panel_;
    double middle_, height_ = 10.0;
    double branched_ = 0.0;  // how high the connection around the branch begins
    int side_;
    bool in_branch_ = false;
};

}  // namespace tfs
