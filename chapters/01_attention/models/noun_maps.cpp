// chapters/01_attention/models/noun_maps.cpp · what the last word of a sentence looks at, as a figure of several chapters
#include "chapters/01_attention/models/noun_maps.hpp"

namespace tfs {

HeatMapFigure noun_maps(const NounFinder& model, std::vector<std::string> sentence,
                        const std::vector<std::string>& last_words) {
    HeatMapFigure figure{
        .name = "nouns",
        .title = "What the last word looks at: one trained head",
        .caption =
            "The model was trained to answer at the last word only: which noun is tired, or "
            "soft? Living beings are tired and things are soft, so the same model finds another "
            "noun. Rows with grey names were never asked, and mean nothing."};
    for (const std::string& word : last_words) {
        sentence.back() = word;
        figure.panels.push_back(attention_panel("… " + word, model.weights(model.tokenizer.encode(sentence)),
                                                0, sentence, sentence));
        figure.panels.back().meant = {sentence.size() - 1};
    }
    return figure;
}

}  // namespace tfs
