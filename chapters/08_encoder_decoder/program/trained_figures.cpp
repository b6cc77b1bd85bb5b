// chapters/08_encoder_decoder/program/trained_figures.cpp · one figure for each kind of model, with trained weights
#include "chapters/08_encoder_decoder/program/trained_figures.hpp"

#include <fmt/format.h>

namespace tfs {

namespace {

// Says which word looks most at a later one, as no decoder does. Empty where none does.
std::string look_ahead(const Tensor& weights, const std::vector<std::string>& words) {
    for (std::size_t query = 0; query < words.size(); ++query)
        if (const std::size_t key = most_seen(weights, query); key > query)
            return fmt::format(" In layer 1, \"{}\" (word {}) looks most at a later word, \"{}\".",
                               words[query], query + 1, words[key]);
    return {};
}

}  // namespace

HeatMapFigure encoder_figure(const ItReader& reader, const std::vector<std::string>& sentence) {
    const std::vector<Tensor> maps = encoder_maps(reader, sentence);
    const std::size_t it = place_of_it(sentence);
    HeatMapFigure figure{
        .name = "encoder",
        .title = "An encoder looks both ways (trained, head 1)",
        .caption = fmt::format(
            "Each row is a word, and shows how much it looks at each word of the sentence.{} In the last "
            "layer \"it\" looks at \"{}\". The model was trained to say which animal \"it\" is, so only this "
            "row "
            "of the last layer means something; the others are pale.",
            look_ahead(maps.front(), sentence), sentence[most_seen(maps.back(), it)])};
    figure.panels = {
        attention_panel("layer 1", maps.front(), 0, sentence, sentence),
        attention_panel(fmt::format("layer {}", maps.size()), maps.back(), 0, sentence, sentence)};
    figure.panels[1].meant = {it};
    return figure;
}

HeatMapFigure decoder_figure(const CharacterDecoder& writer) {
    const std::string text = "half of my";
    const std::vector<Tensor> maps = writer_maps(writer, text);
    const std::vector<std::string> letters = labels_of(text);
    const auto panel = [&](std::size_t layer, std::size_t head) {
        return blank_where_zero(attention_panel(fmt::format("layer {}, head {}", layer + 1, head + 1),
                                                maps.at(layer), head, letters, letters));
    };
    return {
        .name = "decoder",
        .title = "A decoder looks back only (trained; grey: weight 0)",
        .panels = {panel(0, 0), panel(1, 3)},
        .caption = fmt::format(
            "The model reads \"{}\" and guesses each next character. So no row sees a later character: "
            "these cells are grey. In the left head, the letters of this text look most at the character "
            "before, its spaces (␣) at themselves. From the first space on, the right head looks most at the "
            "last space so far. Other texts show both less clearly.",
            text)};
}

HeatMapFigure cross_figure(const DateTranslator& dates, const std::string& date, const std::string& answer) {
    return {
        .name = "cross",
        .title = "A date, read and written anew (trained)",
        .row_axis = "target",
        .column_axis = "source",
        .panels = {attention_panel(fmt::format("{} → {}", date, answer),
                                   date_maps(dates, date, answer).cross_weights[0], 0, labels_of(answer),
                                   labels_of(date))},
        .panels_per_row = 1,
        .caption =
            "A trained model reads the date on top, the source, and writes the date on the left, the target. "
            "Each row shows where it looks in the source while it writes the row's own character: at "
            "the year for the year, at Apr for the month, at 8 for the day. ␣ is a space."};
}

}  // namespace tfs
