// Step 7.1 · attend, fast
// solutions/07_block/attend.fast.cpp · where a caller keeps keys and values, attention looks at them in place
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/checks.hpp"

namespace tfs {

namespace {

// The heads attend to rows that are not copied, and heads of queries share them.
AttentionOutput attend_to(const HeadRows& keys, const HeadRows& values, const Tensor& queries,
                          const std::optional<Mask>& mask, const std::optional<Tensor>& bias, Weights keep) {
    Tensor weights = no_weights();
    const Tensor output =
        attend_in_place(queries, keys, values, mask, bias, keep == Weights::keep ? &weights : nullptr);
    return {output, weights};
}

}  // namespace

AttentionOutput AttentionSublayer::attend(const Tensor& x, const KeysValues& given,
                                          const std::optional<Mask>& mask, const Pass& pass) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    const Tensor by_head = split_heads(attention.w_q(x), attention.num_heads);  // (batch, heads, query, d_k)
    const Tensor queries = rotary ? apply_rotary(by_head, *rotary, layout, pass.offset) : by_head;
    const auto bias = bias_of(x.size(1), given);
    const HeadRows *const keys = given.keys.rows(), *const values = given.values.rows();
    const bool drops = dropout > 0.0 && pass.rng != nullptr;
    const std::size_t group = attention.num_heads / kv_heads;  // heads of queries that share one of keys
    const auto [heads, weights] = keys != nullptr && values != nullptr && !drops
                                      ? attend_to(*keys, *values, queries, mask, bias, pass.weights)
                                      : attention_with_dropout(queries, repeat_heads(given.keys, group),
                                                               repeat_heads(given.values, group), mask,
                                                               dropout, pass.rng, bias, pass.weights);
    return {attention.w_o(merge_heads(heads)), weights};  // (batch, query, d_model)
}

}  // namespace tfs
