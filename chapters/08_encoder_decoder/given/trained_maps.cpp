// chapters/08_encoder_decoder/given/trained_maps.cpp · who looks at whom in two models that chapter 10 trained, given
#include "chapters/08_encoder_decoder/given/trained_maps.hpp"

#include <fmt/format.h>

#include <algorithm>

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

Stack encoder_of(const ItReader& reader) {
    Rng none = Rng::zeros();
    Stack encoder(StackKind::encoder, {reader.blocks.front().config, reader.blocks.size()}, none);
    encoder.blocks = reader.blocks;
    encoder.final_norm = reader.final_norm;
    return encoder;
}

std::vector<Tensor> encoder_maps(const ItReader& reader, const std::vector<std::string>& sentence) {
    const NoGrad no_grad;
    const Ids ids = reader.ids_of(sentence);
    (void)place_of_it(sentence);
    return encoder_of(reader)(reader.embed(ids)).weights;
}

std::vector<std::string> labels_of(const std::string& text, const std::string& space) {
    std::vector<std::string> letters;
    for (const char letter : text) letters.push_back(letter == ' ' ? space : std::string(1, letter));
    return letters;
}

HeatMapFigure trained_who_looks(const TrainedModels& models, const std::vector<std::string>& sentence,
                                const std::string& date) {
    const std::vector<Tensor> encoder = encoder_maps(models.reader, sentence);
    const DateAnswer read = read_date(models.dates, date);
    const std::size_t it = place_of_it(sentence);
    const std::vector<std::string> source = labels_of(date, "␣"), target = labels_of(read.answer, "␣");
    std::vector<std::string> before = target;  // what each row has last: the beginning, then what was written
    before.insert(before.begin(), "<s>");
    before.pop_back();
    HeatMapFigure figure{
        .name = "who_looks",
        .title = "Who looks at whom in two trained models, head 1 (grey: weight 0)",
        .caption = fmt::format(
            "In an encoder every query looks at every key.{} In the last layer \"it\" looks at \"{}\"; rows "
            "with grey names were never asked. Below, a decoder writes a date; a row is a character that it "
            "writes. Left, no row looks at a later one: grey cells have the weight 0. Right, each digit "
            "looks "
            "at the part of the source that it is made from.",
            look_ahead(encoder.front(), sentence), sentence[most_seen(encoder.back(), it)])};
    figure.panels = {attention_panel("encoder, layer 1", encoder.front(), 0, sentence, sentence),
                     attention_panel(fmt::format("encoder, layer {}", encoder.size()), encoder.back(), 0,
                                     sentence, sentence),
                     blank_where_zero(attention_panel("decoder, layer 1: written so far",
                                                      read.maps.self_weights[0], 0, target, before)),
                     attention_panel(fmt::format("target looks at source: \"{}\"", date),
                                     read.maps.cross_weights[0], 0, target, source)};
    figure.panels[1].meant = {it};
    return figure;
}

}  // namespace tfs
