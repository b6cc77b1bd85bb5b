// Step 7.2 · block_forward · ●●○ · 20 min
// exercises/07_block/block_forward.cpp · check yours with ./tutorial check 7.2
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/block_checks.hpp"

namespace tfs {

AttentionSublayer::AttentionSublayer(const BlockConfig& config, Rng& rng)
    : norm(require_valid("AttentionSublayer", config)),
      attention(config, rng),
      kv_heads(config.kv_heads()),
      rotary(rotary_of(config)),
      layout(config.rotary() ? config.rotary()->layout : RotaryLayout::half_split),
      alibi(config.uses<Alibi>()),
      position(config.norm_position),
      dropout(config.dropout) {}

AttentionOutput AttentionSublayer::operator()(const Tensor& x, const std::optional<Mask>& mask,
                                              const Pass& pass) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    // TODO 7.2: Self-attention in its place: norm, dropout and addition are those of `norm_and_add`. `pass.all` puts earlier
    // keys and values in front of those of x, where the caller keeps some.
    throw NotImplemented("7.2 block_forward");
}

Parameters AttentionSublayer::parameters() const {
    Parameters all = attention.parameters();
    append(all, "norm", norm.parameters());
    return all;
}

FeedForwardSublayer::FeedForwardSublayer(const BlockConfig& config, Rng& rng)
    : norm(require_valid("FeedForwardSublayer", config)),
      network(config, rng),
      position(config.norm_position),
      dropout(config.dropout) {}

Tensor FeedForwardSublayer::operator()(const Tensor& x, const Pass& pass) const {
    require_block_input("FeedForwardSublayer", x, norm.parameters().front().tensor.size());
    // TODO 7.2: The network in its place, in training with dropout on its hidden layer, too. `dropout` is this struct's rate;
    // the function is `tfs::dropout`.
    throw NotImplemented("7.2 block_forward");
}

Parameters FeedForwardSublayer::parameters() const {
    Parameters all = network.parameters();
    append(all, "norm", norm.parameters());
    return all;
}

TransformerBlock::TransformerBlock(const BlockConfig& chosen, Rng& rng)
    : config(require_valid("TransformerBlock", chosen)), attention(config, rng), feed_forward(config, rng) {}

AttentionOutput TransformerBlock::operator()(const Tensor& x, const std::optional<Mask>& mask,
                                             const Pass& pass) const {
    require_block_input("TransformerBlock", x, config.d_model);
    // TODO 7.2: The one half after the other. The weights are those of attention.
    throw NotImplemented("7.2 block_forward");
}

Parameters TransformerBlock::parameters() const {
    Parameters all;
    append(all, "attention", attention.parameters());
    append(all, "feed_forward", feed_forward.parameters());
    return all;
}

}  // namespace tfs
