// chapters/02_masks/program/options.hpp · what several sections of chapter 02 share: options, masks as maps and as grids
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "chapters/02_masks/masks.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const TextOption text = sentence(32);  // maps side by side with more rows can't be read
inline const CountOption window{"--window", 3, 1, 32,
                                "how many keys a window shows to a query, with its own"};

}  // namespace options

// --- every_mask.cpp

// The (query, key) map of a mask for one sequence, written out.
[[nodiscard]] xt::xarray<bool> map_of(const Mask& mask, std::size_t queries, std::size_t keys);

// Which query may attend to which key.
[[nodiscard]] HeatMapPanel mask_panel(const std::string& name, const Mask& mask, const Tokens& rows,
                                      const Tokens& columns);

// --- later_words.cpp

// A cell of a grid of outputs by inputs; with another `last` it reaches over several inputs.
struct GridCell {
    std::size_t first, last;
    std::string label;
    Hue hue;
    bool light;
};
// A grid with a row for each output and a column for each input, both numbered. Cells are 1 high and `width` wide.
[[nodiscard]] PlanePanel outputs_by_inputs(
    const std::string& title, std::size_t seq, double width,
    const std::function<std::vector<GridCell>(std::size_t output)>& cells_of);

}  // namespace tfs
