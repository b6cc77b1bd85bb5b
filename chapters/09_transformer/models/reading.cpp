// chapters/09_transformer/models/reading.cpp · the parts of the model, called one by one
#include "chapters/09_transformer/models/reading.hpp"

#include <cmath>
#include <numeric>

#include "chapters/01_attention/attention.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "common/base/errors.hpp"

namespace tfs {

namespace {

// One row of (1, heads, seq, d).
std::vector<float> row_of(const Tensor& x, std::size_t head, std::size_t position) {
    const std::size_t width = x.size(3), begin = (head * x.size(2) + position) * width;
    const auto row = x.values().subspan(begin, width);
    return {row.begin(), row.end()};
}

double score_of(const std::vector<float>& query, const std::vector<float>& key) {
    const double product = std::inner_product(query.begin(), query.end(), key.begin(), 0.0);
    return product / std::sqrt(static_cast<double>(query.size()));
}

}  // namespace

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

WeightParts weight_parts(const TransformerBlock& block, const Tensor& stream, std::size_t head,
                         std::size_t query, std::size_t key) {
    const AttentionSublayer& sublayer = block.attention;
    const std::size_t heads = sublayer.attention.num_heads;
    if (head >= heads || query >= stream.size(1) || key > query)
        throw ValueError("weight_parts: there is no such head, query or key, or the key is later");
    const Tensor x = sublayer.position == NormPosition::pre ? sublayer.norm(stream) : stream;
    const Tensor by_head = split_heads(sublayer.attention.w_q(x), heads);
    const Tensor queries =
        sublayer.rotary ? apply_rotary(by_head, *sublayer.rotary, sublayer.layout) : by_head;
    const KeysValues given = sublayer.keys_values(x);
    const std::size_t shared = head / (heads / sublayer.kv_heads);
    WeightParts parts{.query = row_of(queries, head, query),
                      .key = row_of(given.keys, shared, key),
                      .value = row_of(given.values, shared, key)};
    for (std::size_t j = 0; j <= query; ++j)
        parts.scores.push_back(score_of(parts.query, row_of(given.keys, shared, j)));
    parts.score = parts.scores[key];
    return parts;
}

}  // namespace tfs
