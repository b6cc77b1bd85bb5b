// tests/08_encoder_decoder/encoder_decoder_suspects.hpp · what wrong answers to step encoder_decoder give
#pragma once

#include <functional>
#include <vector>

#include "tests/08_encoder_decoder/stack_suspects.hpp"

namespace tfs::test {

// The decoder's block i, which looks at this output of an encoder.
inline Layer on(const EncoderDecoder& model, const Tensor& memory, const Padding& source = {},
                const Padding& target = {}) {
    return [&model, memory, source, target](std::size_t i, const Tensor& x) {
        const EncoderDecoderBlock& block = model.blocks[i];
        return block(x, block.cross.keys_values(memory), source, target).output;
    };
}

// An encoder that runs in another way than it should: what the decoder makes of it.
inline std::vector<Suspect> encoder_suspects(const EncoderDecoder& model, const Tensor& source,
                                             const Padding& s, const Tensor& target, const Padding& t) {
    Stack causal = model.encoder;
    causal.kind = StackKind::decoder;
    const Tensor right = model.encoder(source, s).output;
    const auto of = [=, &model](const Tensor& memory) {
        return [=, &model] { return (*model.final_norm)(twice(on(model, memory, s, t), target)); };
    };
    return {
        {causal_encoder, of(causal(source, s).output)},
        {"the encoder runs twice, the second time on its own output", of(model.encoder(right, s).output)},
        {"the memory is normed again", of((*model.encoder.final_norm)(right))},
        {"the memory is the source added to the encoder's output: the blocks have their residual connections",
         of(source + right)}};
}

// Other memories, and other ways to hand the memory on.
inline std::vector<Suspect> memory_suspects(const EncoderDecoder& model, const Tensor& source,
                                            const Padding& s, const Tensor& target, const Padding& t) {
    const Norm norm = *model.final_norm, encoders = *model.encoder.final_norm;
    const Tensor memory = model.encoder(source, s).output;
    const std::vector<TransformerBlock>& low_and_high = model.encoder.blocks;
    const Tensor low = low_and_high[0](source, s).output, high = low_and_high[1](low, s).output;
    const auto read = [=, &model](const Tensor& m) {
        return [=, &model] { return norm(twice(on(model, m, s, t), target)); };
    };
    const auto by_block = [=, &model](const std::function<KeysValues(std::size_t)>& given) {
        return [=, &model] {
            const auto layer = [&](std::size_t i, const Tensor& x) {
                return model.blocks[i](x, given(i), s, t).output;
            };
            return norm(twice(layer, target));
        };
    };
    const auto kept = [&model](std::size_t i, const Tensor& m) {
        return model.blocks[i].cross.keys_values(m);
    };
    std::vector<Suspect> suspects = encoder_suspects(model, source, s, target, t);
    const std::vector<Suspect> others{
        {"the memory goes through the decoder's norm", read(norm(memory))},
        {"the memory goes through the norm of a block's cross-attention; that is for x alone",
         by_block([=, &model](std::size_t i) { return kept(i, model.blocks[i].cross.norm(memory)); })},
        {"the decoder reads the source itself: the encoder is left out", read(source)},
        {"the memory is not normed: the encoder's final norm is left out", read(high)},
        {"all blocks get the keys and values that the decoder's first block made of the memory; block i must "
         "get its own, memory.layers[i]",
         by_block([=](std::size_t) { return kept(0, memory); })},
        {"all blocks get the keys and values that the decoder's last block made of the memory; block i must "
         "get its own, memory.layers[i]",
         by_block([=](std::size_t) { return kept(1, memory); })},
        {"the keys and values of the blocks are exchanged: block i gets memory.layers[i]",
         by_block([=](std::size_t i) { return kept(1 - i, memory); })},
        {"the keys and values of the memory are made by self_attention: `cross` makes them",
         by_block([=, &model](std::size_t i) { return model.blocks[i].self_attention.keys_values(memory); })},
        {"each block reads the encoder's block of the same number; all read the encoder's output",
         by_block([=](std::size_t i) { return kept(i, i == 0 ? low : high); })},
        {"the decoder ends with the encoder's final norm; it has its own",
         [=, &model] { return encoders(twice(on(model, memory, s, t), target)); }}};
    suspects.insert(suspects.end(), others.begin(), others.end());
    return suspects;
}

// Without padding, of a source as long as the target: one of them, or the memory, in the place of another.
inline std::vector<Suspect> exchange_suspects(const EncoderDecoder& model, const Tensor& source,
                                              const Tensor& target) {
    const Tensor memory = model.encoder(source).output, of_target = model.encoder(target).output;
    const auto read = [&model](const Tensor& m, const Tensor& x) {
        return [=, &model] { return (*model.final_norm)(twice(on(model, m), x)); };
    };
    return {{"the encoder runs on the target; its input is the source", read(of_target, target)},
            {"source and target are exchanged", read(of_target, source)},
            {"target and memory are exchanged: decode(target, memory)", read(target, memory)}};
}

}  // namespace tfs::test
