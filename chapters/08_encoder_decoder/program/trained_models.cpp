// chapters/08_encoder_decoder/program/trained_models.cpp · the trained models, where they can do what is asked
#include "chapters/08_encoder_decoder/program/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/program/trained.hpp"

namespace tfs {

namespace {

const std::string mapped_date = "8 Apr 1998", mapped_answer = "1998-04-08";  // what the model writes

Tokens mapped_sentence(const Show& show) {
    return show.options.text == SharedOptions{}.text
               ? split_words("the dog chased the cat because it was hungry")
               : show.tokens;
}

}  // namespace

std::optional<TrainedModels> load_trained_models(Show& show, const std::vector<std::string>& changed) {
    return trained_or_reason(show, "the maps are those of random weights", [&] {
        TrainedModels models{load_network<ItReader>(weights_file("it"), it_reader_kind()),
                             load_network<CharacterDecoder>(weights_file("characters"), character_kind()),
                             load_network<DateTranslator>(weights_file("dates"), date_kind())};
        if (!changed.empty())
            throw ValueError(fmt::format("no trained model for {}", fmt::join(changed, ", ")));
        (void)encoder_maps(models.reader, mapped_sentence(show));
        return models;
    });
}

std::vector<HeatMapFigure> trained_figures(const Show& show, const TrainedModels& models) {
    return {cross_figure(models.dates, mapped_date, mapped_answer),
            encoder_figure(models.reader, mapped_sentence(show)), decoder_figure(models.writer)};
}

void show_trained_cross_map(Show& show, const TrainedModels& models) {
    const CrossStackOutput maps = date_maps(models.dates, mapped_date, mapped_answer);
    print_heat_map(show.out, attention_map(maps.cross_weights[0], 0, 0),
                   {.title = fmt::format("\"{}\" -> {}: cross-attention of a trained model, layer 1",
                                         mapped_date, mapped_answer),
                    .rows = labels_of(mapped_answer, "_"),
                    .columns = labels_of(mapped_date, "_"),
                    .row_axis = "target",
                    .column_axis = "source"},
                   show.style);
}

}  // namespace tfs
