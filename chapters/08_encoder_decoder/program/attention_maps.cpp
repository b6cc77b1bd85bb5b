// chapters/08_encoder_decoder/program/attention_maps.cpp · who looks at whom: counted in untrained models, the map of a trained one
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chapters/08_encoder_decoder/program/options.hpp"
#include "chapters/08_encoder_decoder/program/position_pairs.hpp"
#include "chapters/08_encoder_decoder/program/trained_figures.hpp"

namespace tfs {

namespace {

const std::string mapped_date = "8 Apr 1998", mapped_answer = "1998-04-08";  // what the model writes

// What one run of all three gives.
struct ThreeOutputs {
    StackOutput encoder, decoder;
    Memory memory;
    CrossStackOutput both;
};

// Pairs of positions that do look at each other: a weight above 0 in any layer and head.
Table counts_of(const ThreeOutputs& outputs) {
    Table table{.columns = {{"kind"},
                            {"attention"},
                            {"queries x keys", whole()},
                            {"pairs looking", whole()},
                            {"the kind is used for"}}};
    const auto add = [&](const char* kind, const char* attention, const std::vector<Tensor>& layers,
                         const std::string& use, bool causal = false) {
        const std::size_t queries = layers[0].size(-2), keys = layers[0].size(-1);
        const PairCount pairs = count_looking(layers);
        const bool wrong = causal && pairs.later > 0;
        table.add({kind, attention, fmt::format("{} x {}", queries, keys),
                   fmt::format("{} of {}", pairs.all, queries * keys),
                   wrong ? fmt::format("NOT causal: {} keys are later", pairs.later) : use});
    };
    add("encoder", "self", outputs.encoder.weights, "reading: classes, tags, search");
    add("decoder", "self, causal", outputs.decoder.weights, "writing, token by token", true);
    add("encoder-decoder", "encoder, self", outputs.memory.weights, "one text from another:");
    add("", "decoder, causal", outputs.both.self_weights, "translation, summaries", true);
    add("", "cross", outputs.both.cross_weights, "");
    return table;
}

// Layer 1, head 1 of each model. Blank where nobody looks: what the steps gave decides, not what the mask should be.
HeatMapFigure untrained_figure(const ThreeModels& models, const ThreeOutputs& outputs) {
    const auto panel = [](const std::string& title, const std::vector<Tensor>& layers, const Tokens& rows,
                          const Tokens& columns) {
        return blank_where_zero(attention_panel(title, layers[0], 0, rows, columns));
    };
    const Tokens &source = models.source_words, &target = models.target_words;
    return {
        .name = "who_looks",
        .title = "Who looks at whom: layer 1, head 1 of each kind, untrained (grey: weight 0)",
        .panels = {panel("encoder (BERT's kind)", outputs.encoder.weights, source, source),
                   panel("decoder (GPT's kind)", outputs.decoder.weights, source, source),
                   panel("encoder-decoder (T5's kind): decoder", outputs.both.self_weights, target, target),
                   panel("encoder-decoder: target looks at source", outputs.both.cross_weights, target,
                         source)},
        .panels_per_row = 2,
        .caption =
            "In an encoder every query looks at every key. In a decoder no query looks at a later key: grey "
            "cells have the weight 0. The upper two models share all parameters. Each row is a query; values "
            "under .05 are not written. The models are untrained: the patterns mean nothing."};
}

// The cross map of layer 1, head 1 in numbers: target (down) x source (right).
Map cross_map(const std::string& title, const CrossStackOutput& output, const Tokens& target,
              const Tokens& source) {
    return {
        attention_map(output.cross_weights[0], 0, 0),
        {.title = title, .rows = target, .columns = source, .row_axis = "target", .column_axis = "source"}};
}

// ValueError if an option asks for models of other sizes, or for another target.
void require_trained_sizes(const Request& request) {
    std::vector<std::string> changed;
    for (const CountOption& option : {options::heads, options::d_model, options::layers})
        if (request[option] != option.value)
            changed.push_back(fmt::format("{} {}", option.flag, request[option]));
    if (request[options::target] != options::target.value) changed.push_back(options::target.flag);
    if (!changed.empty()) throw ValueError(fmt::format("no trained model for {}", fmt::join(changed, ", ")));
}

Report untrained_report(const ThreeModels& models, const ThreeOutputs& outputs) {
    Report report;
    report.add(cross_map("cross-attention, layer 1, head 1", outputs.both, models.target_words,
                         models.source_words));
    report.add(untrained_figure(models, outputs));
    return report;
}

// The map of a trained model where it can do what is asked, else of random weights, and a line that says why.
Report show_who_looks(const Request& request) {
    const ThreeModels models = three_models(request);
    const ThreeOutputs outputs{models.encoder(models.source, {}, with_weights),
                               models.decoder(models.source, {}, with_weights),
                               models.both.encode(models.source, {}, with_weights),
                               models.both(models.source, models.target, {}, {}, with_weights)};
    Report report;
    report.add(counts_of(outputs));
    std::optional<HeatMapFigure> trained;
    if (!request[options::untrained])
        trained = trained_or_reason(report, "the maps are those of random weights", [&] {
            require_trained_sizes(request);
            return cross_figure(load_network<DateTranslator>(weights_file("dates"), date_kind()), mapped_date,
                                mapped_answer);
        });
    if (!trained) {
        report.add(untrained_report(models, outputs));
        return report;
    }
    report.add(*trained);
    return report;
}

const TextOption date{"--date", mapped_date, "a date that the model reads", 32};
const TextOption answer{"--answer", mapped_answer, "what it writes, as in 1998-04-08", 32};

Report show_trained_cross_map(const Request& request) {
    Report report;
    const auto dates = trained_or_reason(report, "no map is shown", [] {
        return load_network<DateTranslator>(weights_file("dates"), date_kind());
    });
    if (!dates) return report;
    report.add(cross_map(fmt::format("\"{}\" -> {}: cross-attention of a trained model, layer 1",
                                     request[date], request[answer]),
                         date_maps(*dates, request[date], request[answer]), labels_of(request[answer], "_"),
                         labels_of(request[date], "_")));
    return report;
}

}  // namespace

Sections attention_maps_sections() {
    return {{"who-looks", "Who looks at whom", show_who_looks, with(options::of_models, options::untrained)},
            {"cross-map",
             "Cross-attention of a trained model",
             show_trained_cross_map,
             {date, answer},
             Level::deeper}};
}

}  // namespace tfs
