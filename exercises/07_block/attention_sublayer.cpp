// Step 7.2 · attention_sublayer · ●●○ · 10 min
// exercises/07_block/attention_sublayer.cpp · check yours with ./tutorial check 7.2
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/checks.hpp"

namespace tfs {

AttentionSublayer::AttentionSublayer(const BlockConfig& config, Rng& rng)
    : norm(require_valid("AttentionSublayer", config)),
      attention(make_attention(config, rng)),
      kv_heads(config.kv_heads()),
      layout(config.rotary ? config.rotary->layout : RotaryLayout::half_split),
      position(config.norm_position),
      dropout(config.dropout) {
    if (config.rotary)
        rotary.emplace(config.d_model / config.num_heads, config.rotary->max_len, config.rotary->theta);
}

AttentionOutput AttentionSublayer::operator()(const Tensor& x, const std::optional<Mask>& mask,
                                              const Pass& pass) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    // TODO 7.2: Self-attention in its place: norm, dropout and addition are those of `norm_and_add`. `pass.all` puts earlier
    // keys and values in front of those of x, where the caller keeps some.
    throw NotImplemented("7.2 attention_sublayer");
}

Parameters AttentionSublayer::parameters() const {
    Parameters all = attention.parameters();
    append(all, "norm", norm.parameters());
    return all;
}

}  // namespace tfs
