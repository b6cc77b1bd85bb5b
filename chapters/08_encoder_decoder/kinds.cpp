// chapters/08_encoder_decoder/kinds.cpp · the three kinds on one input: shapes and maps
#include "chapters/08_encoder_decoder/kinds.hpp"

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

Encoder seeded_encoder(const KindSettings& s) {
    Rng rng(s.seed);
    return Encoder(s.config, rng);
}

Decoder seeded_decoder(const KindSettings& s) {
    Rng rng(s.seed);  // the same weights as the encoder: only the mask differs
    return Decoder(s.config, rng);
}

EncoderDecoder seeded_both(const KindSettings& s) {
    Rng rng(s.seed + 1);
    return EncoderDecoder(s.config, rng);
}

xt::xarray<bool> causal(std::size_t seq) {
    xt::xarray<bool> allowed = causal_mask(seq).array();  // (1, 1, seq, seq)
    allowed.reshape({seq, seq});
    return allowed;
}

HeatMapPanel map_of(const std::string& title, const Tensor& weights, std::size_t head, const Tokens& rows,
                    const Tokens& columns, bool is_causal) {
    HeatMapPanel panel{title, attention_map(weights, 0, head), rows, columns};
    if (is_causal) panel.allowed = causal(rows.size());
    return panel;
}

}  // namespace

Kinds::Kinds(const KindSettings& s)
    : encoder(seeded_encoder(s)), decoder(seeded_decoder(s)), both(seeded_both(s)) {
    Rng rng(s.seed + 2);
    source = embedded(s.source, s.config.block.d_model, rng);
    target = embedded(s.target, s.config.block.d_model, rng);
}

KindOutputs trace_kinds(Trace& trace, const Kinds& kinds) {
    const std::vector<std::string> weights{"batch", "heads", "query", "key"};
    const KindOutputs outputs{kinds.encoder(kinds.source), kinds.decoder(kinds.source),
                              kinds.both.encode(kinds.source), kinds.both(kinds.source, kinds.target)};
    trace.step("source", kinds.source, {"batch", "source", "d_model"}, "embeddings + positions");
    trace.step("encoder", outputs.encoder.output, {"batch", "source", "d_model"}, "a vector for each word");
    trace.step("its weights", outputs.encoder.weights[0], weights, "layer 1, both ways");
    trace.step("decoder", outputs.decoder.output, {"batch", "source", "d_model"}, "same input, looks back");
    trace.step("its weights", outputs.decoder.weights[0], weights, "layer 1, causal");
    trace.step("target", kinds.target, {"batch", "target", "d_model"}, "embeddings + positions");
    trace.step("memory", outputs.memory.output, {"batch", "source", "d_model"}, "its encoder's output");
    trace.step("self weights", outputs.both.self_weights[0], weights, "layer 1, causal");
    trace.step("cross weights", outputs.both.cross_weights[0], weights, "target x source");
    trace.step("output", outputs.both.output, {"batch", "target", "d_model"}, "as long as the target");
    trace.check_rows_sum_to_one("cross weights", outputs.both.cross_weights[0]);
    return outputs;
}

HeatMapFigure show_who_looks(std::ostream& out, const KindSettings& s, const KindOutputs& outputs) {
    const std::size_t n = s.source.size(), t = s.target.size();
    const auto line = [&](const char* kind, const char* attention, std::size_t may, std::size_t queries,
                          std::size_t keys) {
        fmt::print(out, "  {:<17} {:<16} {:>6} {:>6} {:>8} of {}\n", kind, attention, queries, keys, may,
                   queries * keys);
    };
    fmt::print(out, "  {:<17} {:<16} {:>6} {:>6} {:>8}\n", "kind", "attention", "query", "key", "may look");
    line("encoder", "self", n * n, n, n);
    line("decoder", "self, causal", n * (n + 1) / 2, n, n);
    line("encoder-decoder", "encoder, self", n * n, n, n);
    line("", "decoder, causal", t * (t + 1) / 2, t, t);
    line("", "cross", t * n, t, n);
    HeatMapFigure figure{.name = "who_looks",
                         .title = "Who may look at whom: layer 1, head 1 of each kind, untrained",
                         .panels_per_row = 2};
    figure.panels = {
        map_of("encoder (BERT's kind)", outputs.encoder.weights[0], 0, s.source, s.source, false),
        map_of("decoder (GPT's kind)", outputs.decoder.weights[0], 0, s.source, s.source, true),
        map_of("encoder-decoder (T5's kind): decoder", outputs.both.self_weights[0], 0, s.target, s.target,
               true),
        map_of("encoder-decoder: target looks at source", outputs.both.cross_weights[0], 0, s.target,
               s.source, false)};
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
                           const std::vector<Tensor>& weights, const Tokens& rows, const Tokens& columns,
                           bool is_causal) {
        HeatMapFigure figure{.name = "maps_" + name,
                             .title = fmt::format("{}, untrained: layers (L) down, {}heads (H) to the right",
                                                  what, heads < all ? "the first 8 " : ""),
                             .panels_per_row = heads};
        for (std::size_t i = 0; i < weights.size(); ++i)
            for (std::size_t h = 0; h < heads; ++h)
                figure.panels.push_back(
                    map_of(fmt::format("L{} H{}", i + 1, h + 1), weights[i], h, rows, columns, is_causal));
        return figure;
    };
    std::vector<HeatMapFigure> sheets{
        sheet("encoder", "Encoder", outputs.memory.weights, s.source, s.source, false),
        sheet("decoder", "Self-attention of the decoder", outputs.both.self_weights, s.target, s.target,
              true),
        sheet("cross", "Cross-attention", outputs.both.cross_weights, s.target, s.source, false)};
    sheets[2].row_axis = "target";
    sheets[2].column_axis = "source";
    return sheets;
}

}  // namespace tfs
