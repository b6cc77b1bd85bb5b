// chapters/02_masks/program/options.hpp · what several sections of chapter 02 share: options, a padded batch, masks as pictures
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "chapters/02_masks/masks.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const TextOption text = sentence(32);  // maps side by side with more rows can't be read
inline const CountOption heads = number_of_heads(), d_model = model_width(1, 1024);
inline const CountOption window{"--window", 3, 1, 32,
                                "how many keys a window shows to a query, with its own"};

}  // namespace options

// --- every_mask.cpp

inline constexpr std::int64_t pad_id = 0;

// A sentence and two more, padded with "<pad>" to the length of the longest.
struct PaddedBatch {
    std::vector<Tokens> sentences;
    Ids ids = {};           // (batch, seq)
    std::size_t words = 0;  // how many different ones, with "<pad>"
};
[[nodiscard]] PaddedBatch padded_batch(const Tokens& text);

// The (query, key) map of one sequence of a mask, written out.
[[nodiscard]] xt::xarray<bool> map_of(const Mask& mask, std::size_t queries, std::size_t keys,
                                      std::size_t sequence = 0);

// Which query may attend to which key.
[[nodiscard]] HeatMapPanel mask_panel(const std::string& name, const Mask& mask, const Tokens& rows,
                                      const Tokens& columns, std::size_t sequence = 0);

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
