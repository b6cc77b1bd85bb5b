// tests/mistakes/07_block/attention_sublayer.only_the_sum_dropped.cpp · step 7.2 done wrong
// Dropout on what is added, none on the weights.
// The checklist must say: "the weights are not dropped"
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/checks.hpp"

namespace tfs {

AttentionSublayer::AttentionSublayer(const BlockConfig& config, Rng& rng)
    : norm(require_valid("AttentionSublayer", config)),
      attention(make_attention(config, rng)),
      layout(config.rotary ? config.rotary->layout : RotaryLayout::half_split),
      position(config.norm_position),
      dropout(config.dropout) {
    if (config.rotary)
        rotary.emplace(config.d_model / config.num_heads, config.rotary->max_len, config.rotary->theta);
}

AttentionOutput AttentionSublayer::operator()(const Tensor& x, const std::optional<Mask>& mask,
                                              Rng* rng) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    Tensor weights;
    const auto attend = [&](const Tensor& input) {  // norm(x), or x: that is for norm_and_add to decide
        const AttentionOutput attended =
            rotary ? rotary_multi_head_attention(attention, input, *rotary, layout, mask, dropout, rng)
                   : attention_with_dropout(attention, input, input, input, mask, 0.0, nullptr);
        weights = attended.weights;  // (batch, heads, query, key)
        return attended.output;      // (batch, seq, d_model)
    };
    const Tensor output = norm_and_add(position, norm, x, attend, dropout, rng);
    return {output, weights};
}

Parameters AttentionSublayer::parameters() const {
    Parameters all = attention.parameters();
    append(all, "norm", norm.parameters());
    return all;
}

}  // namespace tfs
