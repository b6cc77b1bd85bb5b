// Step 7.1 · attend · ●●○ · 15 min
// exercises/07_block/attend.cpp · check yours with ./tutorial check 7.1
#include "chapters/01_attention/attention.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/block_checks.hpp"

namespace tfs {

KeysValues AttentionSublayer::keys_values(const Tensor& x, const Offset& offset) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    // TODO 7.1: This file compiles and runs, and has two faults: one in this function, one in the next one.
    const Tensor keys = split_heads(attention.w_k(x), kv_heads);    // (batch, kv_heads, key, d_k)
    const Tensor values = split_heads(attention.w_v(x), kv_heads);  // (batch, kv_heads, key, d_v)
    if (!rotary) return {keys, values};
    return {apply_rotary(keys, *rotary, layout, offset), apply_rotary(values, *rotary, layout, offset)};
}

AttentionOutput AttentionSublayer::attend(const Tensor& x, const KeysValues& given,
                                          const std::optional<Mask>& mask, const Pass& pass) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    // TODO 7.1: One fault: compare each line with the contract, block.hpp. Which fields of `pass` are used?
    // `repeat_heads`, which is given, makes as many heads of keys and values as there are of queries.
    const Tensor by_head = split_heads(attention.w_q(x), attention.num_heads);  // (batch, heads, query, d_k)
    const Tensor queries = rotary ? apply_rotary(by_head, *rotary, layout) : by_head;
    const std::size_t group = attention.num_heads / kv_heads;  // heads of queries that share one of keys
    const Tensor keys = repeat_heads(given.keys, group), values = repeat_heads(given.values, group);
    const auto bias = bias_of(x.size(1), given);  // of ALiBi
    const auto [heads, weights] =
        attention_with_dropout(queries, keys, values, mask, dropout, pass.rng, bias, pass.keep_weights);
    return {attention.w_o(merge_heads(heads)), weights};  // (batch, query, d_model)
}

}  // namespace tfs
