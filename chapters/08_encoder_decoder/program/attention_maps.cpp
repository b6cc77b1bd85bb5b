// chapters/08_encoder_decoder/program/attention_maps.cpp · who looks at whom in the three models: counts and maps
#include "chapters/08_encoder_decoder/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>

#include "chapters/08_encoder_decoder/program/position_pairs.hpp"

namespace tfs {

namespace {

// One map of weights, blank where nobody looks: what the steps gave decides, not what the mask should be.
HeatMapPanel map_of(const std::string& title, const Tensor& weights, std::size_t head, const Tokens& rows,
                    const Tokens& columns) {
    return blank_where_zero(attention_panel(title, weights, head, rows, columns));
}

// All maps of one attention: a view for each layer.
std::vector<View> sheet_of(const HeatMapFigure& frame, const std::vector<Tensor>& layers, const Tokens& rows,
                           const Tokens& columns) {
    std::vector<LayerMaps> maps;
    for (std::size_t i = 0; i < layers.size(); ++i)
        maps.push_back({fmt::format("layer {}", i + 1), layers[i], rows, columns});
    return attention_views(frame, maps);
}

// A row of the table of who looks at whom.
struct LookingRow {
    const char *kind, *attention;
    const std::vector<Tensor>& layers;
    bool causal;
    const char* use;
};

void print_row(std::ostream& out, const LookingRow& row) {
    const std::size_t queries = row.layers[0].size(-2), keys = row.layers[0].size(-1);
    const PairCount pairs = count_looking(row.layers);
    std::string remark = row.use;
    if (row.causal && pairs.later > 0) remark = fmt::format("NOT causal: {} keys are later", pairs.later);
    fmt::print(out, "  {:<17} {:<16} {:>14} {:>14}{}\n", row.kind, row.attention,
               fmt::format("{} x {}", queries, keys), fmt::format("{} of {}", pairs.all, queries * keys),
               remark.empty() ? "" : "   " + remark);
}

}  // namespace

HeatMapFigure show_who_looks(Show& show, const ThreeModels& models, const ThreeOutputs& outputs) {
    const CrossStackOutput& both = outputs.both;
    fmt::print(show.out, "  {:<17} {:<16} {:>14} {:>14}   {}\n", "kind", "attention", "queries x keys",
               "pairs looking", "the kind is used for");
    for (const LookingRow& row : std::vector<LookingRow>{
             {"encoder", "self", outputs.encoder.weights, false, "reading: classes, tags, search"},
             {"decoder", "self, causal", outputs.decoder.weights, true, "writing, token by token"},
             {"encoder-decoder", "encoder, self", outputs.memory.weights, false, "one text from another:"},
             {"", "decoder, causal", both.self_weights, true, "translation, summaries"},
             {"", "cross", both.cross_weights, false, ""}})
        print_row(show.out, row);
    const Tokens &source = models.source_words, &target = models.target_words;
    HeatMapFigure figure{
        .name = "who_looks",
        .title = "Who looks at whom: layer 1, head 1 of each kind, untrained (grey: weight 0)",
        .panels_per_row = 2,
        .caption =
            "In an encoder every query looks at every key. In a decoder no query looks at a later key: grey "
            "cells have the weight 0. The upper two models share all parameters. Each row is a query; values "
            "under .05 are not "
            "written. The models are untrained: the patterns mean nothing."};
    figure.panels = {
        map_of("encoder (BERT's kind)", outputs.encoder.weights[0], 0, source, source),
        map_of("decoder (GPT's kind)", outputs.decoder.weights[0], 0, source, source),
        map_of("encoder-decoder (T5's kind): decoder", both.self_weights[0], 0, target, target),
        map_of("encoder-decoder: target looks at source", both.cross_weights[0], 0, target, source)};
    return figure;
}

void show_cross_map(Show& show, const ThreeModels& models, const CrossStackOutput& output) {
    print_heat_map(show.out, attention_map(output.cross_weights[0], 0, 0),
                   {.title = "cross-attention, layer 1, head 1",
                    .rows = models.target_words,
                    .columns = models.source_words,
                    .row_axis = "target",
                    .column_axis = "source"},
                   show.style);
}

std::vector<std::vector<View>> draw_all_maps(const ThreeModels& models, const ThreeOutputs& outputs) {
    const Tokens &source = models.source_words, &target = models.target_words;
    const HeatMapFigure encoder{
        .name = "maps_encoder",
        .title = "Encoder, untrained",
        .caption =
            "Every source token looks at all source tokens, earlier and later: no cell is masked. Each row "
            "is a query, and its weights sum to 1. The model is untrained, so the patterns mean nothing "
            "yet."};
    const HeatMapFigure decoder{
        .name = "maps_decoder",
        .title = "Self-attention of the decoder, untrained",
        .caption =
            "Each target token looks at itself and at earlier ones; grey cells are later tokens, with the "
            "weight 0. Each row is a query, and its weights sum to 1. The model is untrained, so the "
            "patterns mean nothing yet."};
    const HeatMapFigure cross{
        .name = "maps_cross",
        .title = "Cross-attention, untrained",
        .row_axis = "target",
        .column_axis = "source",
        .caption =
            "Every target token looks at the whole source: no cell is masked. Each row is a target token, "
            "and its weights sum to 1. The model is untrained, so the patterns mean nothing yet."};
    return {sheet_of(encoder, outputs.memory.weights, source, source),
            sheet_of(decoder, outputs.both.self_weights, target, target),
            sheet_of(cross, outputs.both.cross_weights, target, source)};
}

}  // namespace tfs
