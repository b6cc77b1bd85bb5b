// chapters/09_transformer/models/two_sequences.cpp · the encoder-decoder from ids to logits, in two halves; it writes
#include <variant>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

Memory Transformer::encode(const Ids& source, const Pass& pass) const {
    require_two_sequences("encode", config);
    require_ids("encode: source", config, source);
    const Pass of_source = pass.of_source();
    const Tensor x = embed(source, of_source);  // (batch, source, d_model)
    return std::get<EncoderDecoder>(stack).encode(x, padding_of(config, source), of_source);
}

// The padding of the source is in the memory, for cross-attention; that of the target hides keys of self-attention.
TransformerOutput Transformer::decode(const Ids& target, const Memory& memory, const Pass& pass) const {
    require_two_sequences("decode", config);
    require_ids("decode: target", config, target, pass.offset);
    require_memory("decode", config, memory, target);
    const Tensor x = embed(target, pass);  // (batch, target, d_model)
    const CrossStackOutput run =
        std::get<EncoderDecoder>(stack).decode(x, memory, padding_of(config, target, pass), pass);
    return {logits(run.output), run.output, run.self_weights, run.cross_weights};
}

TransformerOutput Transformer::operator()(const Ids& source, const Ids& target, const Pass& pass) const {
    require_two_sequences("Transformer", config);
    require_source_and_target("Transformer", config, source, target, pass.offset);
    return decode(target, encode(source, pass), pass);
}

Ids translate_greedy(const Transformer& model, const Ids& source, std::int64_t start_id,
                     std::size_t new_tokens, std::optional<std::int64_t> end_id) {
    require_two_sequences("translate_greedy", model.config);
    require_token("translate_greedy", "start_id", model.config, start_id);
    if (end_id) require_token("translate_greedy", "end_id", model.config, *end_id);
    require_one_row("translate_greedy", "source", source);
    require_room("translate_greedy", model.config, "start_id", 1, new_tokens);
    const NoGrad no_grad;
    const Memory memory = model.encode(source);
    const auto decode = [&](const Ids& target) { return model.decode(target, memory).logits; };
    return generate_greedy(decode, one_token(start_id), new_tokens, end_id);
}

}  // namespace tfs
