// chapters/08_encoder_decoder/program/three_models.cpp · an encoder, a decoder and an encoder-decoder of one size, on one input
#include <fmt/format.h>

#include "chapters/08_encoder_decoder/program/options.hpp"
#include "chapters/08_encoder_decoder/program/position_pairs.hpp"

namespace tfs {

namespace {

// Embeddings plus positions: (1, seq, d_model).
Tensor embedded(const Tokens& tokens, std::size_t d_model, Rng& rng) {
    const Vocabulary vocabulary = build_vocabulary(tokens);
    const Embedding words(vocabulary.words.size(), d_model, rng);
    const LearnedPositionalEmbedding positions(d_model, tokens.size(), rng);
    return positions(words(vocabulary.ids));
}

std::string causal_note(const Tensor& weights) {
    return count_looking({weights}).later == 0 ? "layer 1, causal" : "layer 1, NOT causal";
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
    return {{"three-kinds", "Three kinds, one input", show_three_kinds, options::of_models}};
}

}  // namespace tfs
