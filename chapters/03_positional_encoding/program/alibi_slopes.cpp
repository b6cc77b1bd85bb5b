// chapters/03_positional_encoding/program/alibi_slopes.cpp · ALiBi: its slopes, and the two ways of writing its bias
#include <fmt/format.h>

#include <algorithm>
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

// The bias of a few heads.
HeatMapFigure bias_figure() {
    constexpr std::size_t num_heads = 8, seq = 8;
    HeatMapFigure figure{
        .name = "alibi",
        .title = fmt::format("What ALiBi adds to the scores, {} heads", num_heads),
        .caption =
            "The penalty grows with the distance (paler cells): quickly in heads with a steep slope, hardly "
            "in the last head. Keys after the query are grey, because a causal mask hides them. Numbers are "
            "rounded: a 0 off the diagonal is a small penalty."};
    const Tensor bias = alibi_bias(num_heads, seq, seq), slopes = alibi_slopes(num_heads);
    for (const std::size_t head : {0u, 2u, 4u, 7u}) {
        figure.panels.push_back({.title = fmt::format("head {}, slope {:.3g}", head + 1, slopes.at({head})),
                                 .values = reshape(slice(bias, 1, head, head + 1), {seq, seq}).array(),
                                 .allowed = causal_square(seq),
                                 .scale = ColourScale::sequential,
                                 .quantity = "bias"});
    }
    return figure;
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
    report.add(bias_figure());
    return report;
}

}  // namespace

Section alibi() {
    return {.id = "alibi",
            .title = "ALiBi",
            .level = Level::deeper,
            .options = {options::heads, options::seed},
            .run = show_alibi};
}

}  // namespace tfs
