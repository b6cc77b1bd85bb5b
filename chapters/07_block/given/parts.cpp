// chapters/07_block/given/parts.cpp · the parts of chapters 01 to 06 that a config asks for, given
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

MultiHeadAttention make_attention(const BlockConfig& config, Rng& rng) {
    Rng none = Rng::zeros();
    MultiHeadAttention attention(config.d_model, config.num_heads, config.grouped() ? none : rng);
    if (config.grouped()) {  // in the order in which MultiHeadAttention draws
        attention.w_q = Linear(config.d_model, config.d_model, rng);
        attention.w_k = Linear(config.d_model, config.d_kv(), rng);
        attention.w_v = Linear(config.d_model, config.d_kv(), rng);
        attention.w_o = Linear(config.d_model, config.d_model, rng);
    }
    if (config.attention_bias != AttentionBias::all) attention.w_o.bias.reset();
    if (config.attention_bias == AttentionBias::none) {
        for (Linear* linear : {&attention.w_q, &attention.w_k, &attention.w_v}) linear->bias.reset();
    }
    return attention;
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

KeysValues Pass::all(const KeysValues& own) const { return with_earlier ? with_earlier(layer, own) : own; }

}  // namespace tfs
