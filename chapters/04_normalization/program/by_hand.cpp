// chapters/04_normalization/program/by_hand.cpp · the row of the lesson that fits on paper
#include "chapters/04_normalization/program/sections.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

void show_by_hand(Show& show) {
    const Tensor x = Tensor::from({4}, {-1.0f, 5.0f, 5.0f, 7.0f});
    const auto in_decimals = [](const Tensor& row) {
        return fmt::format("{:5.2f}", fmt::join(row.values().begin(), row.values().end(), "  "));
    };
    fmt::print(show.out,
               "  x = -1, 5, 5, 7: mean {:.0f}, standard deviation {:.0f}, root mean square {:.0f}\n",
               mean(x, -1).item(), sqrt(variance(x, -1)).item(), sqrt(mean(x * x, -1)).item());
    fmt::print(show.out, "  LayerNorm {}\n", in_decimals(LayerNorm(4)(x)));
    fmt::print(show.out, "  RMSNorm   {}\n", in_decimals(RMSNorm(4)(x)));
}

}  // namespace tfs
