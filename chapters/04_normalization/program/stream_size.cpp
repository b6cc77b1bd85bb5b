// chapters/04_normalization/program/stream_size.cpp · why one normalises: the size of the stream against the depth, and what it does to a head
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "chapters/01_attention/models/noun_finder.hpp"
#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t stream_width = 128, stream_tokens = 16, deepest = 96, stream_seeds = 6;
constexpr std::array layer_sizes{0.5, 1.0, 2.0};

using Sizes = std::array<double, deepest>;  // the root mean square of the stream after each layer
struct StreamSizes {
    std::array<Sizes, layer_sizes.size()> without;  // for each of layer_sizes
    Sizes with;                                     // LayerNorm, and the last of layer_sizes
};

// x = x + layer(x). A layer is two random matrices with a ReLU between them, which makes of x a result `size` times as large
// as x. All streams go through the same matrices; the sizes are means over several draws of them.
StreamSizes sizes_by_depth(std::uint64_t first_seed) {
    const LayerNorm norm(stream_width);
    const double keeps = 1.0 / std::sqrt(static_cast<double>(stream_width));
    const NoGrad no_grad;
    StreamSizes sizes{};
    for (std::size_t draw = 0; draw < stream_seeds; ++draw) {
        Rng rng(first_seed + draw);
        const Tensor begin(rng.normal_array({stream_tokens, stream_width}));
        std::array<Tensor, layer_sizes.size()> without{begin, begin, begin};
        Tensor with = begin;
        for (std::size_t layer = 0; layer < deepest; ++layer) {
            const Tensor in(rng.normal_array({stream_width, stream_width}, 0.0, std::sqrt(2.0) * keeps));
            const Tensor out(rng.normal_array({stream_width, stream_width}, 0.0, keeps));
            const auto add_layer = [&](Tensor& x, const Tensor& read, double size) {
                x = x + matmul(maximum(matmul(read, in), 0.0f), out) * static_cast<float>(size);
                return root_mean_square(x.values()) / static_cast<double>(stream_seeds);
            };
            for (std::size_t i = 0; i < layer_sizes.size(); ++i)
                sizes.without[i][layer] += add_layer(without[i], without[i], layer_sizes[i]);
            sizes.with[layer] += add_layer(with, norm(with), layer_sizes.back());
        }
    }
    return sizes;
}

Series curve_of(const std::string& name, const Sizes& sizes, Hue hue) {
    Series curve{.name = name, .hue = hue};
    for (const std::size_t layers : {1u, 2u, 4u, 8u, 16u, 24u, 32u, 48u, 64u, 80u, 96u})
        curve.add(static_cast<double>(layers), sizes[layers - 1]);
    return curve;
}

Report show_stream(const Request& request) {
    const StreamSizes sizes = sizes_by_depth(request[options::seed]);
    LinePanel panel{"16 tokens of width 128, the mean of six draws", "sublayers",
                    "size of the stream, logarithmic", false, true};
    for (std::size_t i = 0; i < layer_sizes.size(); ++i) {
        panel.series.push_back(
            curve_of(fmt::format("no norm, sublayers add {} times their input", layer_sizes[i]),
                     sizes.without[i], Hue::without));
    }
    panel.series.push_back(curve_of("LayerNorm, sublayers add 2 times their input", sizes.with, Hue::with));
    Table table{.columns = {{"sublayers", whole()},
                            {"0.5, no norm", significant(2)},
                            {"1, no norm", significant(2)},
                            {"2, no norm", significant(2)},
                            {"2, LayerNorm", significant(2)}}};
    for (const std::size_t layers : {1u, 6u, 24u, 96u}) {
        const std::size_t at = layers - 1;
        table.add({layers, sizes.without[0][at], sizes.without[1][at], sizes.without[2][at], sizes.with[at]});
    }
    Report report;
    report.note(
        "Size of the stream (root mean square; 1 at first; the mean of six draws) if each sublayer adds "
        "a result that is 0.5, 1 or 2 times as large as its input:");
    report.add(table);
    report.add(LineFigure{
        .name = "stream",
        .title = "Without a norm the stream explodes with depth; with LayerNorm it does not",
        .panels = {std::move(panel)},
        .caption =
            "Without a norm each sublayer multiplies the size of the stream. With LayerNorm "
            "each sublayer reads a row of size 1, and the stream grows only like the root of the depth."});
    return report;
}

// --- a trained head, fed with a stream of many sizes

constexpr std::array stream_sizes{0.125f, 0.25f, 0.5f, 1.0f, 2.0f, 4.0f, 8.0f};

// The weights of the last word, a row for each size of the stream.
Array last_rows(const NounFinder& model, const Tensor& x, const LayerNorm* norm) {
    Array rows = Array::from_shape({stream_sizes.size(), x.size(1)});
    for (std::size_t i = 0; i < stream_sizes.size(); ++i) {
        const Tensor sized = x * stream_sizes[i], fed = norm ? (*norm)(sized) : sized;
        const Tensor weights = model.attention(fed, fed, fed).weights;
        for (std::size_t key = 0; key < x.size(1); ++key)
            rows(i, key) = weights.at({0, 0, x.size(1) - 1, key});
    }
    return rows;
}

HeatMapPanel rows_panel(const char* title, const Array& values, const Tokens& tokens) {
    HeatMapPanel panel{.title = title, .values = values, .columns = tokens};
    for (const float size : stream_sizes) panel.rows.push_back(fmt::format("x {}", size));
    return panel;
}

Report show_norm_before_attention(const Request& request) {
    const Tokens words = request.words(options::text);
    Report report;
    const auto model =
        trained_or_reason(report, "no trained map of this text", [&] { return trained_noun_finder(words); });
    if (!model) return report;
    const NoGrad no_grad;
    const Tensor x = model->embedding(model->tokenizer.encode(words));
    // One gamma for all features: the size of the embeddings that this head was trained with.
    LayerNorm norm(x.size(-1));
    norm.gamma = norm.gamma.detach() * static_cast<float>(root_mean_square(model->embedding.weight.values()));
    const Array without = last_rows(*model, x, nullptr), with = last_rows(*model, x, &norm);
    const auto trained = std::find(stream_sizes.begin(), stream_sizes.end(), 1.0f) - stream_sizes.begin();
    const float* row = without.data() + static_cast<std::size_t>(trained) * words.size();
    const auto noun = static_cast<std::size_t>(std::max_element(row, row + words.size()) - row);
    Table table{.columns = {{"size"}, {"without a norm", fixed(2)}, {"with LayerNorm", fixed(2)}}};
    for (std::size_t i = 1; i < stream_sizes.size(); i += 2)
        table.add({fmt::format("x {}", stream_sizes[i]), without(i, noun), with(i, noun)});
    report.note(fmt::format(
        "How much \"{}\" attends to \"{}\", if the stream is so many times as large as in training:",
        words.back(), words[noun]));
    report.add(table);
    report.add(HeatMapFigure{
        .name = "before_attention",
        .title = "Without a norm, the size of the stream decides how sharply a head looks",
        .row_axis = "size of the stream",
        .column_axis = "key",
        .panels = {rows_panel("without a norm", without, words),
                   rows_panel("LayerNorm before attention", with, words)},
        .caption = fmt::format(
            "One trained head, and the row of \"{}\" for each size of the stream. Without a norm a small "
            "stream makes the head look evenly everywhere, a large one at only one word. With LayerNorm "
            "before attention the size has no effect.",
            words.back())});
    return report;
}

}  // namespace

Sections stream_size_sections() {
    return {{"stream", "The stream grows with each layer", show_stream, {options::seed}},
            {"before-attention",
             "Attention needs a stream of one size",
             show_norm_before_attention,
             {options::text}}};
}

}  // namespace tfs
