// chapters/09_transformer/models/reading.cpp · the parts of the model, called one by one
#include "chapters/09_transformer/models/reading.hpp"

#include "chapters/01_attention/attention.hpp"
#include "chapters/09_transformer/given/transformer.hpp"

namespace tfs {

Reading read_through(const Transformer& model, const Ids& ids, Weights keep) {
    require_one_sequence("read_through", model.config);
    const Stack& stack = std::get<Stack>(model.stack);
    const Tensor x = model.embed(ids);
    const auto padding = padding_of(model.config, ids, {});
    const auto mask = self_attention_mask(stack.kind, x.size(1), padding, {});
    Reading reading{{x}, {}, {}};
    for (const TransformerBlock& block : stack.blocks) {  // as TransformerBlock, half by half
        const AttentionOutput read = block.attention(reading.streams.back(), mask, {.keep_weights = keep});
        reading.halves.push_back(read.output);
        reading.streams.push_back(block.feed_forward(read.output));
        reading.weights.push_back(read.weights);
    }
    return reading;
}

Tensor lens(const Transformer& model, const Tensor& stream) {
    const auto& norm = std::get<Stack>(model.stack).final_norm;
    return model.logits(norm ? (*norm)(stream) : stream);
}

}  // namespace tfs
