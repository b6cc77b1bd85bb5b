// chapters/04_normalization/program/stream_size.cpp · why one normalises: the size of the stream against the depth
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t stream_width = 256, stream_tokens = 16, deepest = 96;
constexpr std::array layer_sizes{0.5, 1.0, 2.0};

// The root mean square of x after each layer, x = x + layer(x). A layer is two random matrices with a ReLU between them, which
// makes of x a result `size` times as large as x.
std::vector<double> sizes_by_depth(double size, bool normalise, std::uint64_t seed) {
    Rng rng(seed);
    const LayerNorm norm(stream_width);
    const double keeps = 1.0 / std::sqrt(static_cast<double>(stream_width));
    const NoGrad no_grad;
    Tensor x(rng.normal_array({stream_tokens, stream_width}));
    std::vector<double> sizes;
    for (std::size_t layer = 0; layer < deepest; ++layer) {
        const Tensor in(rng.normal_array({stream_width, stream_width}, 0.0, std::sqrt(2.0) * keeps));
        const Tensor out(rng.normal_array({stream_width, stream_width}, 0.0, size * keeps));
        x = x + matmul(maximum(matmul(normalise ? norm(x) : x, in), 0.0f), out);
        sizes.push_back(root_mean_square(x.values()));
    }
    return sizes;
}

Series curve_of(const std::string& name, const std::vector<double>& sizes, Hue hue) {
    Series curve{.name = name, .hue = hue};
    for (const std::size_t layers : {1u, 2u, 4u, 8u, 16u, 24u, 32u, 48u, 64u, 80u, 96u})
        curve.add(static_cast<double>(layers), sizes[layers - 1]);
    return curve;
}

Report show_stream(const Request& request) {
    std::array<std::vector<double>, layer_sizes.size()> without;
    const std::vector<double> with = sizes_by_depth(layer_sizes.back(), true, request[options::seed]);
    LinePanel panel{"16 tokens of width 256", "layers", "size of the stream, logarithmic", false, true};
    for (std::size_t i = 0; i < layer_sizes.size(); ++i) {
        without[i] = sizes_by_depth(layer_sizes[i], false, request[options::seed]);
        panel.series.push_back(
            curve_of(fmt::format("no norm, layers add {} times their input", layer_sizes[i]), without[i],
                     Hue::without));
    }
    panel.series.push_back(curve_of("LayerNorm, layers add 2 times their input", with, Hue::with));
    Table table{.columns = {{"layers", whole()},
                            {"0.5, no norm", significant(2)},
                            {"1, no norm", significant(2)},
                            {"2, no norm", significant(2)},
                            {"2, LayerNorm", significant(2)}}};
    for (const std::size_t layers : {1u, 6u, 24u, 96u}) {
        const std::size_t at = layers - 1;
        table.add({layers, without[0][at], without[1][at], without[2][at], with[at]});
    }
    Report report;
    report.note(
        "Size of the stream (root mean square; 1 at first) if each layer adds a result that is 0.5, 1 or 2 "
        "times as large as its input:");
    report.add(table);
    report.add(LineFigure{
        .name = "stream",
        .title = "Without a norm the stream explodes with depth; with LayerNorm it does not",
        .panels = {std::move(panel)},
        .caption = "Without a norm each layer multiplies the size of the stream: after 96 layers even weak "
                   "layers have made it tens of thousands of times as large. With LayerNorm each layer reads "
                   "a row of size 1, and the stream grows only like the root of the depth."});
    return report;
}

}  // namespace

Section stream_size() {
    return {.id = "stream",
            .title = "The stream grows with each layer",
            .options = {options::seed},
            .run = show_stream};
}

}  // namespace tfs
