// chapters/06_residual_dropout/program/stream_sizes.cpp · the puzzle: the size of the stream with the factor and without it
#include <fmt/ostream.h>

#include <algorithm>
#include <string>

#include "chapters/06_residual_dropout/program/sections.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

LineFigure show_stream_sizes(Show& show) {
    const std::string mine = "with branch_factor", none = "factor 1";
    const bool own = show.on_own_steps();  // our factor would give the puzzle away
    LinePanel size{"largest size of the stream", "layers", "size", true, false, {}, true};
    LinePanel change{"change by all layers together", "layers", "size", true, false, {}, true};
    size.series = {{none}, {mine}, {"limit", {1.0, 128.0}, {2.0, 2.0}}};
    change.series = {{mine}, {"limit", {1.0, 128.0}, {0.25, 0.25}}};
    fmt::print(show.out, "  {:<7} {:>9} {:>20} {:>28} {:>10}\n", "layers", own ? "factor" : "",
               "size with factor 1", "size with branch_factor", "change");
    for (std::size_t layers = 1; layers <= 128; layers *= 2) {
        const float factor = branch_factor(layers);
        const StreamSizes plain = stream_sizes(layers, 1.0f, show.options.seed),
                          scaled = stream_sizes(layers, factor, show.options.seed);
        const auto largest = [](const StreamSizes& sizes) {
            return *std::max_element(sizes.after_layer.begin(), sizes.after_layer.end());
        };
        const double at = static_cast<double>(layers);
        size.series[0].add(at, largest(plain)), size.series[1].add(at, largest(scaled));
        change.series[0].add(at, scaled.change);
        if (layers == 1 || layers == 8 || layers == 128)
            fmt::print(show.out, "  {:<7} {:>9} {:>20.2f} {:>28.2f} {:>10.2f}\n", layers,
                       own ? fmt::format("{:.3f}", factor) : "", largest(plain), largest(scaled),
                       scaled.change);
    }
    return {.name = "stream",
            .title = "The size of the stream, with the factor of the puzzle and without",
            .panels = {size, change},
            .caption =
                "Drawn from branch_factor. Left: with factor 1 the stream grows with the depth; with "
                "branch_factor it must stay below the limit of 2 after every layer. Right: all layers "
                "together must still "
                "change the stream, by 0.25 or more."};
}

}  // namespace tfs
