// chapters/07_block/given/block_parts.cpp · the parts of chapters 01 to 06 that a config asks for, given
#include <algorithm>

#include "chapters/07_block/block.hpp"

namespace tfs {

namespace {

std::variant<LayerNorm, RMSNorm> norm_of(const BlockConfig& config) {
    if (config.norm == NormKind::rms_norm) return RMSNorm(config.d_model, config.norm_eps);
    return LayerNorm(config.d_model, config.norm_eps);
}

std::variant<FeedForward, SwiGLU> network_of(const BlockConfig& config, Rng& rng) {
    if (config.feed_forward == FeedForwardKind::swiglu) return SwiGLU(config.d_model, config.d_ff, rng);
    return FeedForward(config.d_model, config.d_ff, rng, config.activation, config.feed_forward_bias);
}

Bias qkv_bias_of(const BlockConfig& config) {
    return config.attention_bias == AttentionBias::none ? Bias::no : Bias::yes;
}

}  // namespace

Norm::Norm(const BlockConfig& config) : kind(norm_of(config)) {}

Tensor Norm::operator()(const Tensor& x) const {
    return std::visit([&](const auto& norm) { return norm(x); }, kind);
}

Parameters Norm::parameters() const {
    return std::visit([](const auto& norm) { return norm.parameters(); }, kind);
}

FeedForwardNetwork::FeedForwardNetwork(const BlockConfig& config, Rng& rng) : kind(network_of(config, rng)) {}

Tensor FeedForwardNetwork::hidden(const Tensor& x) const {
    return std::visit([&](const auto& network) { return network.hidden(x); }, kind);
}

Tensor FeedForwardNetwork::output(const Tensor& hidden_layer) const {
    return std::visit([&](const auto& network) { return network.output(hidden_layer); }, kind);
}

Parameters FeedForwardNetwork::parameters() const {
    return std::visit([](const auto& network) { return network.parameters(); }, kind);
}

Projections::Projections(const BlockConfig& config, Rng& rng)
    : num_heads(config.num_heads),
      w_q(config.d_model, config.d_model, rng, qkv_bias_of(config)),
      w_k(config.d_model, config.d_kv(), rng, qkv_bias_of(config)),
      w_v(config.d_model, config.d_kv(), rng, qkv_bias_of(config)),
      w_o(config.d_model, config.d_model, rng,
          config.attention_bias == AttentionBias::all ? Bias::yes : Bias::no) {}

Parameters Projections::parameters() const {
    Parameters all;
    append(all, "w_q", w_q.parameters());
    append(all, "w_k", w_k.parameters());
    append(all, "w_v", w_v.parameters());
    append(all, "w_o", w_o.parameters());
    return all;
}

std::optional<RotaryEmbedding> rotary_of(const BlockConfig& config) {
    const Rotary* const rotary = config.rotary();
    if (!rotary) return std::nullopt;
    return RotaryEmbedding(config.d_model / config.num_heads, config.max_len, rotary->theta);
}

std::optional<Tensor> AttentionSublayer::bias_of(std::size_t queries, const KeysValues& given) const {
    if (!alibi) return std::nullopt;
    const std::size_t keys = given.keys.size(2);
    return alibi_bias(attention.num_heads, queries, keys, keys - std::min(keys, queries));
}

Tensor norm_and_add(NormPosition position, const Norm& norm, const Tensor& x, const Sublayer& sublayer,
                    double p, Rng* rng) {
    return position == NormPosition::pre ? pre_norm_residual(x, norm, sublayer, p, rng)
                                         : post_norm_residual(x, norm, sublayer, p, rng);
}

AttentionOutput norm_and_add(NormPosition position, const Norm& norm, const Tensor& x,
                             const AttendingSublayer& sublayer, double p, Rng* rng) {
    const bool pre = position == NormPosition::pre;
    const AttentionOutput attended = sublayer(pre ? norm(x) : x);
    const Tensor sum = residual(
        x, [&](const Tensor&) { return attended.output; }, p, rng);
    return {pre ? sum : norm(sum), attended.weights};
}

Pass Pass::in_layer(std::size_t number) const {
    Pass pass = *this;
    pass.layer = number;
    return pass;
}

KeysValues Pass::all(const KeysValues& own) const {
    if (!earlier) return own;
    const KeysValues kept = earlier->append(layer, own);
    if (kept.keys.rows() && is_recorded({own.keys, own.values}))
        throw ValueError(
            "the keys of earlier positions are kept without a tape, but those of x need a gradient; run the "
            "model under NoGrad");
    return kept;
}

}  // namespace tfs
