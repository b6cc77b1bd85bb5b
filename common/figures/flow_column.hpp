// common/figures/flow_column.hpp · a column of boxes in a plane: the data flow through a block, from the bottom up
#pragma once

#include <string>

#include "common/figures/figure.hpp"

namespace tfs {

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
    void line(PlaneShape::Kind kind, double from_x, double from_y, double to_x, double to_y, bool stream,
              const std::string& label = {});
    void rise(const std::string& carried);

    PlanePanel& panel_;
    double middle_, height_ = 10.0;
    double branched_ = 0.0;  // how high the connection around the branch begins
    int side_;
    bool in_branch_ = false;
};

}  // namespace tfs
