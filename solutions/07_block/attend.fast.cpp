// Step 7.1 · attend, fast
// solutions/07_block/attend.fast.cpp · where a caller keeps keys and values, attention looks at them in place
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/block_checks.hpp"

namespace tfs {

KeysValues AttentionSublayer::keys_values(const Tensor& x, const Offset& offset) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    const Tensor keys = split_heads(attention.w_k(x), kv_heads);
    const Tensor values = split_heads(attention.w_v(x), kv_heads);
    return {rotary ? apply_rotary(keys, *rotary, layout, offset) : keys, values};
}

AttentionOutput AttentionSublayer::attend(const Tensor& x, const KeysValues& given,
                                          const std::optional<Mask>& mask, const Pass& pass) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    const Tensor by_head = split_heads(attention.w_q(x), attention.num_heads);  // (batch, heads, query, d_k)
    const Tensor queries = rotary ? apply_rotary(by_head, *rotary, layout, pass.offset) : by_head;
    const auto bias = bias_of(x.size(1), given);
    const HeadRows *const keys = given.keys.rows(), *const values = given.values.rows();
    if (keys && values && (pass.rng == nullptr || dropout == 0.0)) {  // heads of queries share those of keys
        const auto [heads, weights] = attend_in_place(queries, *keys, *values, mask, bias, pass.keep_weights);
        return {attention.w_o(merge_heads(heads)), weights};
    }
    const std::size_t group = attention.num_heads / kv_heads;
    const auto [heads, weights] =
        attention_with_dropout(queries, repeat_heads(given.keys, group), repeat_heads(given.values, group),
                               mask, dropout, pass.rng, bias, pass.keep_weights);
    return {attention.w_o(merge_heads(heads)), weights};  // (batch, query, d_model)
}

}  // namespace tfs
