// Step 7.2 · attention_sublayer · ●●● · 20 min
// solutions/07_block/attention_sublayer.cpp
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
    // begin: Hand `norm_and_add` this layer's position and norm, x, and a lambda that attends: queries, keys and values
    // are all made of the one tensor that the lambda gets. With a `rotary` it is
    // `rotary_multi_head_attention`, else `attention_with_dropout`, in both cases with the mask, the dropout and rng. The
    // lambda returns the output alone, so it keeps the weights in a variable outside.
    Tensor weights;
    const auto attend = [&](const Tensor& input) {  // norm(x), or x: that is for norm_and_add to decide
        const AttentionOutput attended =
            rotary ? rotary_multi_head_attention(attention, input, *rotary, layout, mask, dropout, rng)
                   : attention_with_dropout(attention, input, input, input, mask, dropout, rng);
        weights = attended.weights;  // (batch, heads, query, key)
        return attended.output;      // (batch, seq, d_model)
    };
    const Tensor output = norm_and_add(position, norm, x, attend, dropout, rng);
    return {output, weights};
    // end
}

Parameters AttentionSublayer::parameters() const {
    Parameters all = attention.parameters();
    append(all, "norm", norm.parameters());
    return all;
}

}  // namespace tfs
