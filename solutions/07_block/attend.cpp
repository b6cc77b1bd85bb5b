// Step 7.1 · attend · ●●● · 25 min
// solutions/07_block/attend.cpp
#include <vector>

#include "chapters/01_attention/attention.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/checks.hpp"

namespace tfs {

Tensor repeat_heads(const Tensor& x, std::size_t times) {
    require_repeatable(x, times);
    // begin: Each head `times` times, its copies side by side.
    if (times == 1) return x;
    const std::size_t batch = x.size(0), heads = x.size(1), seq = x.size(2), d = x.size(3);
    const Tensor alone = reshape(x, {batch, heads, 1, seq, d});
    const Tensor copies = concat(std::vector<Tensor>(times, alone), 2);  // (batch, heads, times, seq, d)
    return reshape(copies, {batch, heads * times, seq, d});
    // end
}

KeysValues AttentionSublayer::keys_values(const Tensor& x, std::size_t offset) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    // begin: The keys and values of x, in `kv_heads` heads; with rotary positions where there is a `rotary`.
    const Tensor keys = split_heads(attention.w_k(x), kv_heads);    // (batch, kv_heads, key, d_k)
    const Tensor values = split_heads(attention.w_v(x), kv_heads);  // (batch, kv_heads, key, d_v)
    return {rotary ? apply_rotary(keys, *rotary, layout, offset) : keys, values};
    // end
}

AttentionOutput AttentionSublayer::attend(const Tensor& x, const KeysValues& given,
                                          const std::optional<Mask>& mask, const Pass& pass) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    // begin: The queries of x attend to the keys and values that are given, in training with dropout on the weights.
    const Tensor by_head = split_heads(attention.w_q(x), attention.num_heads);  // (batch, heads, query, d_k)
    const Tensor queries = rotary ? apply_rotary(by_head, *rotary, layout, pass.offset) : by_head;
    const std::size_t group = attention.num_heads / kv_heads;  // heads of queries that share one of keys
    const Tensor keys = repeat_heads(given.keys, group), values = repeat_heads(given.values, group);
    const auto [heads, weights] = attention_with_dropout(queries, keys, values, mask, dropout, pass.rng);
    return {attention.w_o(merge_heads(heads)), weights};  // (batch, query, d_model)
    // end
}

}  // namespace tfs
