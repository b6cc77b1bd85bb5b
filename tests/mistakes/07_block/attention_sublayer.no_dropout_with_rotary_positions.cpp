// tests/mistakes/07_block/attention_sublayer.no_dropout_with_rotary_positions.cpp · step 7.2 done wrong
// Dropout and rng reach the attention without positions alone.
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
            rotary ? rotary_multi_head_attention(attention, input, *rotary, layout, mask)
                   : attention_with_dropout(attention, input, input, input, mask, dropout, rng);
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
