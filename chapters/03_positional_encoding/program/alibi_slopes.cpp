// chapters/03_positional_encoding/program/alibi_slopes.cpp · ALiBi: its slopes, and the two ways of writing its bias
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

std::string slopes_in_words(std::size_t heads) {
    constexpr std::size_t most = 12;
    const Tensor slopes = alibi_slopes(heads);
    std::string text = fmt::format("slopes of {} heads:", heads);
    for (std::size_t h = 0; h < std::min(heads, most); ++h) text += fmt::format(" {:.3g}", slopes.at({h}));
    return heads > most ? text + " ..." : text;
}

// The factor exp(bias) of a few heads.
LineFigure alibi_figure() {
    constexpr std::size_t num_heads = 8, most = 48;
    LinePanel panel{.title = "",
                    .x_axis = "distance of the key",
                    .y_axis = "factor on the key's weight",
                    .from_zero = true};
    const Tensor bias = alibi_bias(num_heads, 1, most + 1, most), slopes = alibi_slopes(num_heads);
    for (const std::size_t head : {0u, 2u, 4u, 7u}) {
        Series series{.name = fmt::format("head {}: slope 1/{:.0f}", head + 1, 1.0f / slopes.at({head})),
                      .hue = Hue::ordered};
        for (std::size_t d = 0; d <= most; ++d)
            series.add(static_cast<double>(d),
                       std::exp(static_cast<double>(bias.at({0, head, 0, most - d}))));
        panel.series.push_back(std::move(series));
    }
    return {.name = "alibi",
            .title = "ALiBi: the steeper its slope, the fewer words back a head reads",
            .panels = {std::move(panel)},
            .panels_per_row = 1,
            .caption =
                "The penalty multiplies the weight of a key by exp(-slope · distance), before the row is "
                "divided by its sum."};
}

// ALiBi as the paper defines it and as its published code adds it: the same weights under a causal mask.
Report show_alibi(const Request& request) {
    const std::size_t num_heads = request[options::heads];
    constexpr std::size_t seq = 12, offset = 5, d_k = 64;
    Rng rng(request[options::seed]);
    const auto draw = [&](std::size_t rows) { return Tensor(rng.normal_array({1, num_heads, rows, d_k})); };
    const Tensor q = draw(seq - offset), k = draw(seq);
    std::vector<float> positions(seq);
    std::iota(positions.begin(), positions.end(), 0.0f);
    const Tensor paper = alibi_bias(num_heads, seq - offset, seq, offset),
                 published =
                     reshape(alibi_slopes(num_heads), {1, num_heads, 1, 1}) * Tensor::from({seq}, positions);
    const auto change = [&](const std::optional<Mask>& mask) {
        return format(
            difference(attention_weights(q, k, mask, paper), attention_weights(q, k, mask, published)),
            magnitude(4));
    };
    Report report;
    report.note(slopes_in_words(num_heads));
    report.note(slopes_in_words(num_heads == 12 ? 6 : 12));
    report.note("weights with -slope (i - j) against those with slope j, causal: " +
                change(causal_mask(seq - offset, seq, offset)));
    report.note("the same without the causal mask: " + change(std::nullopt));
    report.add(alibi_figure());
    return report;
}

}  // namespace

Sections alibi_slopes_sections() {
    return {{"alibi", "ALiBi", show_alibi, {options::heads, options::seed}, Level::deeper}};
}

}  // namespace tfs
