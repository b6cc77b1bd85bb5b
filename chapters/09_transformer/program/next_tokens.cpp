// chapters/09_transformer/program/next_tokens.cpp · the token that a model expects after each position
#include "chapters/09_transformer/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>

namespace tfs {

void print_best_tokens(Show& show, const TransformerOutput& output, const TextIds& text) {
    const Tensor chances = softmax(output.logits);
    const std::size_t vocab = chances.size(-1);
    std::size_t itself = 0;
    std::ostream& out = show.out;
    fmt::print(out, "  {:<12} {:<12} {:>11}\n", "position", "best token", "probability");
    for (std::size_t t = 0; t < text.tokens.size(); ++t) {
        const auto row = chances.values().subspan(t * vocab, vocab);
        const auto best = std::max_element(row.begin(), row.end());
        const std::string& guess = text.words[static_cast<std::size_t>(best - row.begin())];
        itself += guess == text.tokens[t] ? 1 : 0;
        if (t < 12)
            out << "  " << pad(truncate(text.tokens[t], 12, "~"), 12) << ' '
                << pad(truncate(guess, 12, "~"), 12) << fmt::format(" {:>11.3f}\n", *best);
    }
    fmt::print(out, "  {} of {} positions prefer the token that stands there; a guess at random has {:.3f}\n",
               itself, text.tokens.size(), 1.0 / static_cast<double>(vocab));
}

HeatMapFigure draw_scores(const TransformerOutput& output, const TextIds& text, const std::string& name) {
    const Tensor chances = softmax(output.logits);
    const Array map = reshape(chances, {chances.size(1), chances.size(2)}).array();
    return {
        .name = "scores",
        .title = fmt::format("{}: the probability of each next token", name),
        .row_axis = "position",
        .column_axis = "next token",
        .panels =
            {{"softmax(logits)", map, text.tokens, text.words, {}, ColourScale::probability, "probability"}},
        .panels_per_row = 1};
}

}  // namespace tfs
