// chapters/08_encoder_decoder/program/kinds.cpp · the three kinds on one input: shapes and maps
#include "chapters/08_encoder_decoder/program/kinds.hpp"

#include <fmt/ostream.h>

#include <algorithm>

namespace tfs {

namespace {

// Embeddings plus positions: (1, seq, d_model).
Tensor embedded(const Tokens& tokens, std::size_t d_model, Rng& rng) {
    const Vocabulary vocabulary = build_vocabulary(tokens);
    const Embedding words(vocabulary.words.size(), d_model, rng);
    const LearnedPositionalEmbedding places(d_model, tokens.size(), rng);
    return places(words(vocabulary.ids));
}

// One seed gives encoder and decoder the same weights: only the mask differs.
Stack seeded(StackKind kind, const KindSettings& s) {
    Rng rng(s.seed);
    return Stack(kind, s.config, rng);
}

EncoderDecoder seeded_both(const KindSettings& s) {
    Rng rng(s.seed + 1);
    return EncoderDecoder(s.config, rng);
}

// One map of weights, crossed where nobody looks: what the steps gave decides, not what the mask should be.
HeatMapPanel map_of(const std::string& title, const Tensor& weights, std::size_t head, const Tokens& rows,
                    const Tokens& columns) {
    return attention_panel(title, weights, head, rows, columns,
                           Mask(not_zero(attention_map(weights, 0, head))));
}

// The pairs (query, key) whose weight is above 0 in any layer and head.
Pairs looking(const std::vector<Tensor>& layers) {
    xt::xarray<bool> looks = xt::xarray<bool>::from_shape({layers[0].size(-2), layers[0].size(-1)});
    std::fill_n(looks.data(), looks.size(), false);
    for (const Tensor& weights : layers)
        for (std::size_t i = 0; i < weights.size(); ++i)
            if (weights.values()[i] > 0.0f) looks.data()[i % looks.size()] = true;
    return count_pairs(looks);
}

std::string causal_note(const Tensor& weights) {
    return looking({weights}).later == 0 ? "layer 1, causal" : "layer 1, NOT causal";
}

}  // namespace

Kinds::Kinds(const KindSettings& s)
    : encoder(seeded(StackKind::encoder, s)), decoder(seeded(StackKind::decoder, s)), both(seeded_both(s)) {
    Rng rng(s.seed + 2);
    source = embedded(s.source, s.config.block.d_model, rng);
    target = embedded(s.target, s.config.block.d_model, rng);
}

xt::xarray<bool> not_zero(const Array& values) {
    xt::xarray<bool> result = xt::xarray<bool>::from_shape(values.shape());
    for (std::size_t i = 0; i < values.size(); ++i) result.data()[i] = values.data()[i] != 0.0f;
    return result;
}

Pairs count_pairs(const xt::xarray<bool>& pairs) {
    Pairs count;
    for (std::size_t i = 0; i < pairs.shape(0); ++i) {
        for (std::size_t j = 0; j < pairs.shape(1); ++j) {
            if (!pairs(i, j)) continue;
            ++count.all;
            if (j > i) ++count.later;
        }
    }
    return count;
}

KindOutputs trace_kinds(Trace& trace, const Kinds& kinds) {
    const std::vector<std::string> weights{"batch", "heads", "query", "key"};
    const KindOutputs outputs{kinds.encoder(kinds.source), kinds.decoder(kinds.source),
                              kinds.both.encode(kinds.source), kinds.both(kinds.source, kinds.target)};
    trace.step("source", kinds.source, {"batch", "source", "d_model"}, "embeddings + positions");
    trace.step("encoder", outputs.encoder.output, {"batch", "source", "d_model"}, "a vector for each word");
    trace.step("its weights", outputs.encoder.weights[0], weights, "layer 1, both ways");
    trace.step("decoder", outputs.decoder.output, {"batch", "source", "d_model"}, "same input, looks back");
    trace.step("its weights", outputs.decoder.weights[0], weights, causal_note(outputs.decoder.weights[0]));
    trace.step("target", kinds.target, {"batch", "target", "d_model"}, "embeddings + positions");
    trace.step("memory", outputs.memory.output, {"batch", "source", "d_model"}, "its encoder's output");
    trace.step("self weights", outputs.both.self_weights[0], weights,
               causal_note(outputs.both.self_weights[0]));
    trace.step("cross weights", outputs.both.cross_weights[0], weights, "target x source");
    trace.step("output", outputs.both.output, {"batch", "target", "d_model"}, "as long as the target");
    trace.check_rows_sum_to_one("cross weights", outputs.both.cross_weights[0]);
    return outputs;
}

HeatMapFigure show_who_looks(std::ostream& out, const KindSettings& s, const KindOutputs& outputs) {
    const auto line = [&](const char* kind, const char* attention, const std::vector<Tensor>& layers,
                          bool causal, const char* use) {
        const std::size_t queries = layers[0].size(-2), keys = layers[0].size(-1);
        const Pairs pairs = looking(layers);
        std::string remark = use;
        if (causal && pairs.later > 0) remark = fmt::format("NOT causal: {} keys are later", pairs.later);
        fmt::print(out, "  {:<17} {:<16} {:>6} {:>6} {:>14}{}\n", kind, attention, queries, keys,
                   fmt::format("{} of {}", pairs.all, queries * keys), remark.empty() ? "" : "   " + remark);
    };
    fmt::print(out, "  {:<17} {:<16} {:>6} {:>6} {:>14}   {}\n", "kind", "attention", "query", "key",
               "pairs looking", "the kind is used for");
    line("encoder", "self", outputs.encoder.weights, false, "reading: classes, tags, search");
    line("decoder", "self, causal", outputs.decoder.weights, true, "writing, token by token");
    line("encoder-decoder", "encoder, self", outputs.memory.weights, false, "one text from another:");
    line("", "decoder, causal", outputs.both.self_weights, true, "translation, summaries");
    line("", "cross", outputs.both.cross_weights, false, "");
    HeatMapFigure figure{
        .name = "who_looks",
        .title = "Who looks at whom: layer 1, head 1 of each kind, untrained (crossed: weight 0)",
        .panels_per_row = 2};
    figure.panels = {
        map_of("encoder (BERT's kind)", outputs.encoder.weights[0], 0, s.source, s.source),
        map_of("decoder (GPT's kind)", outputs.decoder.weights[0], 0, s.source, s.source),
        map_of("encoder-decoder (T5's kind): decoder", outputs.both.self_weights[0], 0, s.target, s.target),
        map_of("encoder-decoder: target (query) looks at source (key)", outputs.both.cross_weights[0], 0,
               s.target, s.source)};
    return figure;
}

void show_cross_map(Trace& trace, std::ostream& out, const KindSettings& s, const KindOutputs& outputs) {
    const Tensor& weights = outputs.both.cross_weights[0];
    print_heat_map(out, attention_map(weights, 0, 0),
                   {.title = "cross-attention, layer 1, head 1",
                    .rows = s.target,
                    .columns = s.source,
                    .row_axis = "target",
                    .column_axis = "source"},
                   terminal_style(s.ascii));
    trace.check_rows_sum_to_one("cross weights", weights);
}

std::vector<HeatMapFigure> draw_all_maps(const KindSettings& s, const KindOutputs& outputs) {
    const std::size_t all = s.config.block.num_heads, heads = std::min<std::size_t>(all, 8);
    const auto sheet = [&](const std::string& name, const std::string& what,
                           const std::vector<Tensor>& weights, const Tokens& rows, const Tokens& columns) {
        HeatMapFigure figure{.name = "maps_" + name,
                             .title = fmt::format("{}, untrained: layers (L) down, {}heads (H) to the right",
                                                  what, heads < all ? "the first 8 " : ""),
                             .panels_per_row = heads};
        for (std::size_t i = 0; i < weights.size(); ++i)
            for (std::size_t h = 0; h < heads; ++h)
                figure.panels.push_back(
                    map_of(fmt::format("L{} H{}", i + 1, h + 1), weights[i], h, rows, columns));
        return figure;
    };
    std::vector<HeatMapFigure> sheets{
        sheet("encoder", "Encoder", outputs.memory.weights, s.source, s.source),
        sheet("decoder", "Self-attention of the decoder", outputs.both.self_weights, s.target, s.target),
        sheet("cross", "Cross-attention", outputs.both.cross_weights, s.target, s.source)};
    sheets[2].row_axis = "target";
    sheets[2].column_axis = "source";
    return sheets;
}

}  // namespace tfs
