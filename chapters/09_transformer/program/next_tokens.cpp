// chapters/09_transformer/program/next_tokens.cpp · the token that a model expects after each position
#include "chapters/09_transformer/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <span>

namespace tfs {

namespace {

std::span<const float> row_of(const Tensor& chances, std::size_t position) {
    const std::size_t vocab = chances.size(-1);
    return chances.values().subspan(position * vocab, vocab);
}

const std::string& best_token(const Tensor& chances, std::size_t position, const TextIds& text) {
    const auto row = row_of(chances, position);
    return text.words[static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin())];
}

// The positions that prefer the token that stands there.
std::size_t count_itself(const Tensor& chances, const TextIds& text) {
    std::size_t count = 0;
    for (std::size_t t = 0; t < text.tokens.size(); ++t)
        count += best_token(chances, t, text) == text.tokens[t] ? 1 : 0;
    return count;
}

}  // namespace

void print_best_tokens(Show& show, const TransformerOutput& output, const TextIds& text) {
    const Tensor chances = softmax(output.logits);
    std::ostream& out = show.out;
    fmt::print(out, "  {:<12} {:<12} {:>11}\n", "position", "best token", "probability");
    for (std::size_t t = 0; t < std::min<std::size_t>(text.tokens.size(), 12); ++t) {
        const auto row = row_of(chances, t);
        out << "  " << pad(truncate(text.tokens[t], 12, "~"), 12) << ' '
            << pad(truncate(best_token(chances, t, text), 12, "~"), 12)
            << fmt::format(" {:>11.3f}\n", *std::max_element(row.begin(), row.end()));
    }
    fmt::print(out, "  {} of {} positions prefer the token that stands there; a guess at random has {:.3f}\n",
               count_itself(chances, text), text.tokens.size(), 1.0 / static_cast<double>(chances.size(-1)));
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
        .panels_per_row = 1,
        .caption = fmt::format("In {} of {} rows the largest probability is that of the row's own token. "
                               "Each row is a position and sums to 1; values under .05 are not written.",
                               count_itself(chances, text), text.tokens.size())};
}

}  // namespace tfs
