// chapters/04_normalization/program/invariance.cpp · what a shift and a stretch of a row do to LayerNorm and RMSNorm
#include "chapters/04_normalization/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

void measure_invariance(Show& show) {
    Rng rng(show.options.seed);
    const Tensor x(rng.normal_array({64, 768}, 0.5));
    const LayerNorm layer(768);
    const RMSNorm root(768);
    const auto verdict = [](const Tensor& a, const Tensor& b) {
        const double moved = largest_difference(a.array(), b.array());
        return moved < 1e-3 ? std::string("unchanged") : fmt::format("changes by {:.2f}", moved);
    };
    fmt::print(show.out, "{:>18} {:>20} {:>20}\n", "", "LayerNorm", "RMSNorm");
    fmt::print(show.out, "{:>18} {:>20} {:>20}\n", "3 x in place of x", verdict(layer(x * 3.0f), layer(x)),
               verdict(root(x * 3.0f), root(x)));
    fmt::print(show.out, "{:>18} {:>20} {:>20}\n", "x + 5", verdict(layer(x + 5.0f), layer(x)),
               verdict(root(x + 5.0f), root(x)));
    const Tensor centred = x - mean(x, -1, KeepDims::yes);
    fmt::print(show.out, "  RMSNorm of x - mean(x) against LayerNorm of x: {}\n",
               verdict(root(centred), layer(x)));
}

}  // namespace tfs
