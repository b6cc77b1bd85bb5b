// tests/mistakes/07_block/attention_sublayer.second_call_for_the_weights.cpp · step 7.2 done wrong
// The lambda keeps no weights; attention is called once more for them.
// The checklist must say: "the weights come from a second call"
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
    const auto attend = [&](const Tensor& input) {
        return rotary ? rotary_multi_head_attention(attention, input, *rotary, layout, mask, dropout, rng)
                      : attention_with_dropout(attention, input, input, input, mask, dropout, rng);
    };
    const auto sublayer = [&](const Tensor& input) { return attend(input).output; };
    return {norm_and_add(position, norm, x, sublayer, dropout, rng),
            attend(position == NormPosition::pre ? norm(x) : x).weights};
}

Parameters AttentionSublayer::parameters() const {
    Parameters all = attention.parameters();
    append(all, "norm", norm.parameters());
    return all;
}

}  // namespace tfs
