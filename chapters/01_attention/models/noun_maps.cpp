// chapters/01_attention/models/noun_maps.cpp · what the last word of a sentence looks at, as a figure of several chapters
#include "chapters/01_attention/models/noun_maps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tfs {

ArcPanel last_word_arcs(const std::vector<std::string>& sentence, const std::vector<float>& weights) {
    ArcPanel panel{.title = {}, .words = sentence, .storeys = {{}}};
    for (std::size_t to = 0; to < sentence.size(); ++to)
        panel.storeys[0].push_back(
            {.from = sentence.size() - 1, .to = to, .weight = std::clamp<double>(weights[to], 0.0, 1.0)});
    return panel;
}

ArcFigure noun_maps(const NounFinder& model, std::vector<std::string> sentence,
                    const std::vector<std::string>& last_words) {
    ArcFigure figure{
        .name = "nouns",
        .title = {},
        .caption = "The arcs show what the last word looks at most, with the share of its attention."};
    std::vector<std::string> findings;
    for (const std::string& word : last_words) {
        sentence.back() = word;
        const NounGuess guess = guess_noun(model, sentence);
        figure.panels.push_back(last_word_arcs(sentence, guess.weights));
        findings.push_back(fmt::format("“{}” looks at “{}”", word, sentence[guess.most]));
    }
    figure.title = fmt::format("{}", fmt::join(findings, ", "));
    if (last_words.size() > 1)
        figure.caption +=
            " Living beings are tired and things are soft, so the same trained head finds another noun.";
    return figure;
}

}  // namespace tfs
