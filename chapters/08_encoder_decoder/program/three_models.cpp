// chapters/08_encoder_decoder/program/three_models.cpp · an encoder, a decoder and an encoder-decoder of one size, and how data flows through them
#include <fmt/format.h>

#include <algorithm>

#include "chapters/08_encoder_decoder/program/options.hpp"
#include "common/figures/panels.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

namespace {

// A sublayer with its residual connection. Its norm is left out. Returns how high its middle is.
double add_sublayer(FlowColumn& column, const std::string& name, Hue hue) {
    column.branch();
    const double middle = column.box(name, hue);
    column.add();
    return middle;
}

// A bracket beside the block that is repeated, at `x`; its ends point to the right or to the left.
void add_bracket(PlanePanel& panel, double x, double end, double low, double high, const std::string& times) {
    panel.line(x, low, x, high);
    panel.line(x, low, x + end, low);
    panel.line(x, high, x + end, high);
    panel.text(x - 2.5 * end, (low + high) / 2, times);
}

// The encoder's and the decoder's block, and the arrow of the memory.
PlaneFigure data_flow(const StackConfig& config, std::size_t source, std::size_t target) {
    const std::size_t width = config.block.d_model;
    const std::string from = named_shape({source, width}, {"source", "d_model"});
    const std::string to = named_shape({target, width}, {"target", "d_model"});
    const std::string times = fmt::format("{} x", config.num_layers);
    constexpr double decoder_at = 400.0, beyond = FlowColumn::reach + 14.0, below = 18.0;
    PlanePanel panel{.low_x = -beyond - 40.0, .high_x = decoder_at + beyond + 40.0, .low_y = -8.0};

    FlowColumn encoder(panel, 0.0, from);
    add_sublayer(encoder, "self-attention", Hue::attention);
    add_sublayer(encoder, "feed-forward", Hue::feed_forward);
    add_bracket(panel, -beyond, 8.0, below, encoder.height() + 8.0, times);
    const double memory = encoder.box("final LayerNorm", Hue::norm);
    panel.text(0.0, encoder.height() + 18.0, "encoder");

    FlowColumn decoder(panel, decoder_at, to, 1);
    add_sublayer(decoder, "causal self-attention", Hue::attention);
    const double cross = add_sublayer(decoder, "cross-attention", Hue::attention);
    add_sublayer(decoder, "feed-forward", Hue::feed_forward);
    add_bracket(panel, decoder_at + beyond, -8.0, below, decoder.height() + 8.0, times);
    decoder.box("final LayerNorm", Hue::norm);
    decoder.output("decoder: " + to);
    panel.high_y = decoder.height() + 22.0;

    // The memory: out of the side of the encoder, into the side of the cross-attention.
    const double out = FlowColumn::box_width / 2, in = decoder_at - out, turn = (out + in) / 2;
    panel.line(out, memory, turn, memory, Hue::cross, 2.0);
    panel.line(turn, memory, turn, cross, Hue::cross, 2.0);
    panel.arrow(turn, cross, in, cross, Hue::cross, 1.3);
    panel.text(turn, memory + 14.0, "memory, for K and V");
    panel.text(decoder_at - 14.0, cross - 27.0, "Q");
    return {.name = "flow",
            .title = fmt::format("Each of the {} decoder blocks reads the memory, the output of the encoder",
                                 config.num_layers),
            .panels = {panel},
            .panels_per_row = 1,
            .caption =
                "The encoder runs once. The memory gives keys and values to the cross-attention in "
                "each decoder block. A bracket shows the block "
                "that is repeated, and how often. The norm before each sublayer is left out."};
}

// Which word the decoder reads and which one it must guess, in training. Nothing for a single word.
std::optional<PlaneFigure> shifted_target(const Tokens& target) {
    const std::size_t columns = std::min<std::size_t>(target.size(), 6) - 1;
    if (columns == 0) return {};
    PlaneFigure figure{.name = "shifted",
                       .title = "Training: the decoder reads the target and guesses it one word further",
                       .panels = {{"", -1.2, 1.5 * static_cast<double>(columns), -0.1, 3.7}},
                       .caption =
                           "Below: the words that the decoder reads. Above: the word that it must guess "
                           "at each place. The "
                           "lines show what a guess may use of the target: the words up to its own place "
                           "(bold line), so never the "
                           "answer. The first word marks the start. The source is not drawn."};
    PlanePanel& panel = figure.panels[0];
    const auto middle = [](std::size_t column) { return 1.5 * static_cast<double>(column) + 0.7; };
    const auto word = [&](const std::string& label, std::size_t column, double bottom, Hue hue) {
        panel.box(middle(column) - 0.65, bottom, middle(column) + 0.65, bottom + 0.6, hue, label);
    };
    for (std::size_t guess = 0; guess < columns; ++guess) {
        for (std::size_t read = 0; read < guess; ++read)
            panel.line(middle(read), 0.6, middle(guess), 3.0, Hue::without, 0.8);
        panel.arrow(middle(guess), 0.6, middle(guess), 3.0, Hue::decoder, 1.2);
    }
    for (std::size_t column = 0; column < columns; ++column) {
        word(target[column], column, 0.0, Hue::encoder);
        word(target[column + 1], column, 3.0, Hue::decoder);
    }
    for (const auto& [label, y] : {std::pair{"reads", 0.3}, {"decoder", 1.8}, {"guesses", 3.3}})
        panel.text(-0.65, y, label);
    return figure;
}

// Embeddings plus positions: (1, seq, d_model).
Tensor embedded(const Tokens& tokens, std::size_t d_model, Rng& rng) {
    const Vocabulary vocabulary = build_vocabulary(tokens);
    const Embedding words(vocabulary.words.size(), d_model, rng);
    const LearnedPositionalEmbedding positions(d_model, tokens.size(), rng);
    return positions(words(vocabulary.ids));
}

std::string causal_note(const Tensor& weights) {
    const std::size_t queries = weights.size(-2), keys = weights.size(-1);
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (i % keys > i / keys % queries && weights.values()[i] > 0.0f) return "layer 1, NOT causal";
    return "layer 1, causal";
}

Report trace_encoder_decoder(const Request& request, const ThreeModels& models) {
    Report report;
    report.note(fmt::format(
        "{} source tokens, {} target tokens; {} layers, d_model {}, {} heads, pre-norm; seed {}; untrained.",
        models.source.size(1), models.target.size(1), request[options::layers], request[options::d_model],
        request[options::heads], request[options::seed]));
    const std::vector<std::string> of_source{"batch", "source", "d_model"},
        of_target{"batch", "target", "d_model"}, of_weights{"batch", "heads", "query", "key"};
    const CrossStackOutput both = models.both(models.source, models.target, {}, {}, with_weights);
    const Tensor &self = both.self_weights[0], &cross = both.cross_weights[0];
    report.step("source", models.source, of_source, "embeddings + positions");
    report.step("target", models.target, of_target, "embeddings + positions");
    report.step("memory", models.both.encode(models.source).output, of_source, "the encoder's output");
    report.step("self weights", self, of_weights, causal_note(self));
    report.step("cross weights", cross, of_weights, "target x source");
    report.step("output", both.output, of_target, "as long as the target");
    report.check_rows_sum_to_one("cross weights", cross);
    return report;
}

Report show_three_kinds(const Request& request) {
    const ThreeModels models = three_models(request);
    Report report = part_or_gap([&] { return trace_encoder_decoder(request, models); });
    report.add(data_flow(models.config, models.source.size(1), models.target.size(1)));  // needs no step
    if (const auto figure = shifted_target(models.target_words)) report.add(*figure);
    return report;
}

}  // namespace

ThreeModels three_models(const Request& request) {
    const std::uint64_t seed = request[options::seed];
    Rng for_encoder(seed), for_decoder(seed), for_both(seed + 1), for_inputs(seed + 2);
    const std::size_t d_model = request[options::d_model];
    const BlockConfig block{.d_model = d_model, .num_heads = request[options::heads], .d_ff = 4 * d_model};
    const StackConfig config{block, request[options::layers], true};
    const Tokens source = request.words(options::text), target = request.words(options::target);
    return {.config = config,
            .encoder = Stack(StackKind::encoder, config, for_encoder),
            .decoder = Stack(StackKind::decoder, config, for_decoder),
            .both = EncoderDecoder(config, for_both),
            .source_words = source,
            .target_words = target,
            .source = embedded(source, d_model, for_inputs),
            .target = embedded(target, d_model, for_inputs)};
}

Sections three_models_sections() {
    return {{"three-kinds", "Three kinds, one input (untrained)", show_three_kinds, options::of_models}};
}

}  // namespace tfs
