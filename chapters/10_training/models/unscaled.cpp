// chapters/10_training/models/unscaled.cpp · the first model without 1/sqrt(d_k)
#include "chapters/10_training/models/unscaled.hpp"

#include <cmath>

namespace tfs {

namespace {

struct QueriesKeysValues {
    Tensor q, k, v;  // (batch, heads, seq, d_k)
};

// With the queries sqrt(d_k) times as long, the division by sqrt(d_k) in attention has no effect.
QueriesKeysValues projected(const NounFinder& model, const Ids& ids, bool scaled) {
    const MultiHeadAttention& attention = model.attention;
    const Tensor x = model.embedding(ids);
    const Tensor q = split_heads(attention.w_q(x), attention.num_heads);
    const float factor = scaled ? 1.0f : std::sqrt(static_cast<float>(q.size(3)));
    return {q * factor, split_heads(attention.w_k(x), attention.num_heads),
            split_heads(attention.w_v(x), attention.num_heads)};
}

double mean_entropy_of_last_rows(const Tensor& weights) {
    double sum = 0.0;
    for (std::size_t row = 0; row < weights.size(0); ++row)
        for (std::size_t key = 0; key < weights.size(3); ++key) {
            const double weight = weights.at({row, 0, weights.size(2) - 1, key});
            if (weight > 0.0) sum -= weight * std::log(weight);
        }
    return sum / static_cast<double>(weights.size(0));
}

}  // namespace

Tensor logits_without_scale(const NounFinder& model, const Ids& ids) {
    const auto [q, k, v] = projected(model, ids, false);
    return model.output(model.attention.w_o(merge_heads(scaled_dot_product_attention(q, k, v).output)));
}

FirstAttention first_attention(const NounFinder& model, const Batch& batch, bool scaled) {
    const auto [q, k, v] = projected(model, batch.inputs, scaled);
    const float d_k = static_cast<float>(q.size(3));
    const Tensor scores =
        parameter(matmul(q, k, Transpose::b) / std::sqrt(d_k));  // (batch, heads, query, key)
    const Tensor weights = softmax(scores);
    const Tensor logits = model.output(model.attention.w_o(merge_heads(matmul(weights, v))));
    cross_entropy(logits, batch.targets).backward();
    clear_grads(model.parameters());
    return {mean_entropy_of_last_rows(weights), gradient_length({{"scores", scores}})};
}

}  // namespace tfs
