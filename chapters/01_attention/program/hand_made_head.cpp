// chapters/01_attention/program/hand_made_head.cpp · the puzzle's head: what its last word looks at
#include <fmt/format.h>

#include <algorithm>

#include "chapters/01_attention/models/feature_words.hpp"
#include "chapters/01_attention/program/options.hpp"

namespace tfs {

namespace {

Report show_head_by_hand(const Request&) {
    Report report;
    const SelfAttention head = as_attention(head_by_hand());
    ArcFigure figure{.name = "by_hand",
                     .title = "What the last word looks at",
                     .caption = "Nothing was trained: the matrices are those of the puzzle."};
    for (const std::string adjective : {"tired", "soft"}) {
        const Tokens sentence = split_words("the cat sat on the mat because it was " + adjective);
        const auto [output, weights] = head(features_of(sentence));
        const std::size_t last = sentence.size() - 1, noun = noun_spoken_of(sentence);
        const Tensor row = reshape(slice(weights, 1, last, last + 1), {1, sentence.size()});
        report.note(fmt::format("{} gives {} a weight of {:.2f}; output: animate {:.2f}, thing {:.2f}",
                                adjective, sentence[noun], row.at({0, noun}), output.at({0, last, 0}),
                                output.at({0, last, output.size(-1) - 1})));
        figure.panels.push_back(last_word_arcs({sentence, {row.values().begin(), row.values().end()}}));
    }
    report.add(figure);
    return report;
}

}  // namespace

Sections hand_made_head_sections() { return {{"puzzle", "Puzzle: a head by hand", show_head_by_hand}}; }

}  // namespace tfs
