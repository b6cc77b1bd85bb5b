// chapters/08_encoder_decoder/program/three_models.cpp · an encoder, a decoder and an encoder-decoder of one size, on one input
#include "chapters/08_encoder_decoder/program/three_models.hpp"

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

}  // namespace

ThreeModels make_three_models(const StackConfig& config, const Tokens& source, const Tokens& target,
                              std::uint64_t seed) {
    Rng for_encoder(seed), for_decoder(seed), for_both(seed + 1), for_inputs(seed + 2);
    const std::size_t d_model = config.block.d_model;
    return {.config = config,
            .encoder = Stack(StackKind::encoder, config, for_encoder),
            .decoder = Stack(StackKind::decoder, config, for_decoder),
            .both = EncoderDecoder(config, for_both),
            .source_words = source,
            .target_words = target,
            .source = embedded(source, d_model, for_inputs),
            .target = embedded(target, d_model, for_inputs)};
}

ThreeOutputs trace_three_models(Show& show, const ThreeModels& models) {
    const std::vector<std::string> source{"batch", "source", "d_model"}, target{"batch", "target", "d_model"},
        weights{"batch", "heads", "query", "key"};
    const ThreeOutputs outputs{models.encoder(models.source, {}, with_weights),
                               models.decoder(models.source, {}, with_weights),
                               models.both.encode(models.source, {}, with_weights),
                               models.both(models.source, models.target, {}, {}, with_weights)};
    const Tensor& of_both = outputs.both.self_weights[0];
    Trace& trace = show.trace;
    trace.step("source", models.source, source, "embeddings + positions");
    trace.step("target", models.target, target, "embeddings + positions");
    trace.step("memory", outputs.memory.output, source, "the encoder's output");
    trace.step("self weights", of_both, weights, causal_note(of_both));
    trace.step("cross weights", outputs.both.cross_weights[0], weights, "target x source");
    trace.step("output", outputs.both.output, target, "as long as the target");
    trace.check_rows_sum_to_one("cross weights", outputs.both.cross_weights[0]);
    return outputs;
}

}  // namespace tfs
