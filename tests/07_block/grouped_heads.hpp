// tests/07_block/grouped_heads.hpp · attention with fewer heads of keys than of queries, and the same written out in full
#pragma once

#include <vector>

#include "tests/07_block/checklist.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {

inline BlockConfig grouped_config(std::size_t kv_heads) {
    BlockConfig config = llama_block(24, 6, 10, 16);
    config.num_kv_heads = kv_heads;
    config.attention_bias = AttentionBias::all;
    return config;
}

inline AttentionSublayer grouped_half(std::size_t kv_heads) {
    Rng rng(9);
    AttentionSublayer half(grouped_config(kv_heads), rng);
    for (Linear* linear : {&half.attention.w_q, &half.attention.w_k, &half.attention.w_v})
        linear->bias->mutable_array() = normal(linear->bias->shape(), 10).array();
    return half;
}

// The rows of a projection, those of each head as often as it is used. in_turn: the heads a b a b, not a a b b.
inline Tensor rows_repeated(const Tensor& rows, std::size_t kv_heads, std::size_t times, bool in_turn) {
    const std::size_t d_k = rows.size(0) / kv_heads;
    std::vector<Tensor> parts;
    for (std::size_t i = 0; i < kv_heads * times; ++i) {
        const std::size_t head = in_turn ? i % kv_heads : i / times;
        parts.push_back(slice(rows, 0, head * d_k, (head + 1) * d_k));
    }
    return concat(parts, 0);
}

// The same half with as many heads of keys as of queries, whose weights are those of the grouped one, several times.
inline AttentionSublayer written_out(const AttentionSublayer& grouped, bool in_turn = false) {
    AttentionSublayer half = grouped;
    const std::size_t kv = grouped.kv_heads, times = grouped.attention.num_heads / kv;
    half.kv_heads = grouped.attention.num_heads;
    for (Linear* linear : {&half.attention.w_k, &half.attention.w_v}) {
        linear->weight = rows_repeated(linear->weight, kv, times, in_turn);
        linear->bias = rows_repeated(*linear->bias, kv, times, in_turn);
    }
    return half;
}

// What the half gives with chapter 01's parts: its keys and values have as many heads as its queries.
inline AttentionOutput plain_attention(const AttentionSublayer& half, const Tensor& x,
                                       const OptionalMask& mask) {
    return rotary_heads(half.attention, x, *half.rotary, half.layout, mask);
}

inline Tensor projected(const AttentionSublayer& half, const AttentionOutput& heads) {
    return half.attention.w_o(merge_heads(heads.output));
}

}  // namespace tfs::test
