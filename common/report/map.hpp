// common/report/map.hpp · a heat map with numbers, in the terminal
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "common/tensor/mask.hpp"
#include "common/terminal/terminal.hpp"

namespace tfs {

struct MapText {
    std::string title = {};
    std::vector<std::string> rows = {}, columns = {};  // the tokens: queries and keys; empty = numbers
    std::optional<xt::xarray<bool>> allowed =
        std::nullopt;            // (query, key), false = masked; drawn as masked, never as 0.00
    bool row_statistics = true;  // each row's sum and entropy -sum p ln p, in nats
    bool row_entropy = true;     // false: the sum alone, for rows that need not sum to 1
    std::string masked_means = "masked, not 0";  // the legend's words for what is not allowed
    std::string row_axis = "query", column_axis = "key";
};

// Prints values (query, key) with two decimals and shades, at most 110 columns wide: long tokens are cut, and
// columns that don't fit follow in a further group below. Throws ShapeError if values is not 2-D, or
// labels or `allowed` don't fit it.
void print_map(std::ostream& out, const Array& values, const MapText& text, Terminal style);

}  // namespace tfs
