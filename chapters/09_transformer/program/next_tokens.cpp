// chapters/09_transformer/program/next_tokens.cpp · the token that a model expects after each position
#include <fmt/format.h>

#include <algorithm>

#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t positions_shown = 12;

// The token with the largest probability after a position.
struct Best {
    std::string token;
    float probability = 0.0f;
};

std::vector<Best> best_after_each(const Tensor& chances, const TextIds& text) {
    const std::size_t vocab = chances.size(-1);
    std::vector<Best> best;
    for (std::size_t t = 0; t < text.tokens.size(); ++t) {
        const auto row = chances.values().subspan(t * vocab, vocab);
        const auto most = std::max_element(row.begin(), row.end());
        best.push_back({text.words[static_cast<std::size_t>(most - row.begin())], *most});
    }
    return best;
}

Report show_best_tokens(const Request& request) {
    const AskedModel asked = asked_model(request);
    const TextIds& text = asked.text;
    const Tensor chances = softmax(asked_weights(request, asked)(text.ids).logits);
    const std::vector<Best> best = best_after_each(chances, text);
    Table table{.columns = {{"position"}, {"best token"}, {"probability", fixed(3)}}};
    std::size_t itself = 0;  // the positions that prefer the token that stands there
    for (std::size_t t = 0; t < best.size(); ++t) {
        itself += best[t].token == text.tokens[t] ? 1 : 0;
        if (t < positions_shown) table.add({text.tokens[t], best[t].token, best[t].probability});
    }
    Report report;
    report.add(table);
    report.note(
        fmt::format("{} of {} positions prefer the token that stands there; a guess at random has {:.3f}",
                    itself, best.size(), 1.0 / static_cast<double>(chances.size(-1))));
    report.add(HeatMapFigure{
        .name = "scores",
        .title = 2 * itself > best.size() && !asked.from_file && asked.config.tied_output
                     ? "This untrained tied model predicts the word it just read"
                     : asked.label + ": the probability of each next token",
        .row_axis = "word just read",
        .column_axis = "next token",
        .panels = {{"",
                    reshape(chances, {chances.size(1), chances.size(2)}).array(),
                    text.tokens,
                    text.words,
                    {},
                    ColourScale::probability,
                    "probability"}},
        .panels_per_row = 1,
        .caption =
            fmt::format("Each row gives the probabilities of the token that follows its word. In {} of {} "
                        "rows the word itself is the most likely one.",
                        itself, best.size())});
    return report;
}

}  // namespace

Sections next_tokens_sections() {
    return {{"next-tokens", "Which token has the largest logit at each position", show_best_tokens,
             options::of_model, Level::deeper}};
}

}  // namespace tfs
