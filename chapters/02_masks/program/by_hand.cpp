// chapters/02_masks/program/by_hand.cpp · the example for pencil and paper: the mean of the past, and one with scores
#include "chapters/02_masks/program/sections.hpp"

#include <fmt/ostream.h>

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tfs {

namespace {

constexpr std::size_t length = 4;

std::string joined(std::span<const float> row, const char* format) {
    std::string text;
    for (const float value : row) text += fmt::format(fmt::runtime(format), value);
    return text;
}

Tensor hidden(const Tensor& scores, const Mask& mask) {
    return masked_fill(scores, mask, -std::numeric_limits<float>::infinity());
}

// Four values, all scores 0: each query takes the mean of what it sees.
void print_mean_of_the_past(std::ostream& out) {
    const Tensor values = Tensor::from({1, 1, length, 1}, {4, 2, 6, 8});
    const Tensor mask = hidden(Tensor::zeros({1, 1, length, length}), causal_mask(length));  // 0 + the mask
    const Tensor weights = softmax(mask), means = matmul(weights, values);
    fmt::print(out, "  values 4 2 6 8, all scores 0\n  query {:>24} {:>26} {:>9}\n", "mask (is added)",
               "weights", "result");
    for (std::size_t i = 0; i < length; ++i)
        fmt::print(out, "  {:>5} {:>24} {:>26} {:>9.2f}\n", i,
                   joined(mask.values().subspan(i * length, length), "{:>6}"),
                   joined(weights.values().subspan(i * length, length), "{:>6.2f}"), means.values()[i]);
}

HeatMapPanel panel(const std::string& title, const Tensor& values, const Tokens& words,
                   const std::optional<Mask>& mask, ColourScale scale) {
    HeatMapPanel result = attention_panel(title, values, 0, words, words, mask);
    result.scale = scale;
    result.quantity = scale == ColourScale::probability ? "weight" : "score";
    return result;
}

}  // namespace

HeatMapFigure show_by_hand(Show& show) {
    print_mean_of_the_past(show.out);
    const Tokens words = split_words("the cat saw dogs");
    std::vector<float> nouns;  // every word looks for nouns
    for (std::size_t i = 0; i < length; ++i) nouns.insert(nouns.end(), {0, 2, 0, 2});
    const Tensor scores = Tensor::from({1, 1, length, length}, nouns);
    const Mask causal = causal_mask(length);
    const Tensor free = softmax(scores), masked = hidden(scores, causal), weights = softmax(masked);
    const auto row_of_saw = [](const Tensor& map) {
        return joined(map.values().subspan(2 * length, length), "{:>6.2f}");
    };
    fmt::print(show.out, "  \"saw\" looks for nouns   scores {}   weights {}\n", row_of_saw(scores),
               row_of_saw(free));
    fmt::print(show.out, "  under the causal mask   scores {}   weights {}\n", row_of_saw(masked),
               row_of_saw(weights));
    return {
        .name = "steps",
        .title = "What a causal mask lets through, step by step",
        .panels = {panel("1. scores", scores, words, std::nullopt, ColourScale::sequential),
                   panel("2. the mask hides later words", scores, words, causal, ColourScale::sequential),
                   panel("3. softmax: weights", weights, words, causal, ColourScale::probability)},
        .panels_per_row = 3,
        .caption =
            "We chose the scores: every word looks for nouns, \"cat\" and \"dogs\". The mask sets what comes "
            "later to -inf (grey). Softmax then shares a weight of 1 among what is left of each row: \"the\" "
            "sees only itself, and \"saw\" reads \"cat\", because it can't see \"dogs\" yet."};
}

}  // namespace tfs
