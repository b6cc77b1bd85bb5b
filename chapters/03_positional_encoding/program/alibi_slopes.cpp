// chapters/03_positional_encoding/program/alibi_slopes.cpp · ALiBi: its slopes, and the two ways of writing its bias
#include "chapters/03_positional_encoding/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>

#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/program/positioned_attention.hpp"
#include "chapters/03_positional_encoding/program/score_difference.hpp"

namespace tfs {

void measure_alibi(Show& show) {
    const std::size_t num_heads = show.options.heads;
    constexpr std::size_t seq = 12, offset = 5;
    Rng rng(show.options.seed);
    const auto draw = [&](std::size_t rows) { return Tensor(rng.normal_array({1, num_heads, rows, d_k})); };
    const Tensor q = draw(seq - offset), k = draw(seq), v = draw(seq),
                 bias = alibi_bias(num_heads, seq - offset, seq, offset);
    for (const std::size_t heads : {num_heads, num_heads == 12 ? std::size_t{6} : std::size_t{12}}) {
        const Tensor slopes = alibi_slopes(heads);
        std::string listed;
        for (std::size_t h = 0; h < std::min<std::size_t>(heads, 12); ++h)
            listed += fmt::format(" {:.3g}", slopes.at({h}));
        fmt::print(show.out, "  slopes of {} heads:{}{}\n", heads, listed, heads > 12 ? " ..." : "");
    }
    std::vector<float> positions;
    for (std::size_t j = 0; j < seq; ++j) positions.push_back(static_cast<float>(j));
    const Tensor published =
        reshape(alibi_slopes(num_heads), {1, num_heads, 1, 1}) * Tensor::from({seq}, positions);
    const Mask mask = causal_mask(seq - offset, seq, offset);
    fmt::print(show.out, "  weights with -slope (i - j) against those with slope j, causal: {}\n",
               small_or_number(difference(biased_attention(q, k, v, bias, mask).weights,
                                          biased_attention(q, k, v, published, mask).weights),
                               3, 4));
    fmt::print(show.out, "  the same without the causal mask: {}\n",
               small_or_number(difference(biased_attention(q, k, v, bias).weights,
                                          biased_attention(q, k, v, published).weights),
                               3, 4));
}

HeatMapFigure bias_figure(std::size_t num_heads, std::size_t seq) {
    HeatMapFigure figure{
        .name = "alibi",
        .title = fmt::format("What ALiBi adds to the scores, {} heads", num_heads),
        .caption =
            "The penalty grows with the distance (paler cells): quickly in heads with a steep slope, hardly "
            "in the "
            "last head. Keys after the query are grey, because a causal mask hides them. Numbers are "
            "rounded: a 0 off the diagonal is a small penalty."};
    const Tensor bias = alibi_bias(num_heads, seq, seq), slopes = alibi_slopes(num_heads);
    const std::size_t shown = std::min<std::size_t>(num_heads, 4);
    for (std::size_t i = 0; i < shown; ++i) {
        const std::size_t head = shown == 1 ? 0 : i * (num_heads - 1) / (shown - 1);
        figure.panels.push_back({.title = fmt::format("head {}, slope {:.3g}", head + 1, slopes.at({head})),
                                 .values = reshape(slice(bias, 1, head, head + 1), {seq, seq}).array(),
                                 .allowed = causal_square(seq),
                                 .scale = ColourScale::sequential,
                                 .quantity = "bias"});
    }
    return figure;
}

}  // namespace tfs
