// chapters/07_block/given/block.cpp · the parts that a config asks for, what they cost, and the blocks of well-known models
#include <algorithm>
#include <vector>

#include "chapters/07_block/block.hpp"
#include "chapters/07_block/cost.hpp"
#include "chapters/07_block/given/block_checks.hpp"
#include "common/base/array.hpp"

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

Tensor repeat_heads(const Tensor& x, std::size_t times) {
    require_repeatable(x, times);
    if (times == 1) return x;
    const std::size_t batch = x.size(0), heads = x.size(1), seq = x.size(2), d = x.size(3);
    const Tensor alone = reshape(x, {batch, heads, 1, seq, d});
    const Tensor copies = concat(std::vector<Tensor>(times, alone), 2);  // (batch, heads, times, seq, d)
    return reshape(copies, {batch, heads * times, seq, d});
}

BlockActivations block_activations(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("block_activations", config);
    const std::size_t d = config.d_model, d_ff = config.d_ff;
    BlockActivations count;
    const std::size_t d_kv = config.d_kv(), turned = config.rotary() ? 1 : 0,
                      repeated = config.grouped() ? 2 : 0;
    // norm, q twice, [turned q], [repeated k and v], sums, merged, projected, added; k and v twice, [turned k]
    count.attention = checked_sum({checked_product({batch, seq, d, 7 + turned + repeated}),
                                   checked_product({batch, seq, d_kv, 4 + turned})});
    count.weights = checked_product({batch, config.num_heads, seq, seq});
    const std::size_t hidden = config.feed_forward == FeedForwardKind::swiglu ? 3 : 2;
    count.feed_forward = checked_product({batch, seq, 3 * d + hidden * d_ff});
    return count;
}

AttentionFlops attention_flops(const BlockConfig& config, std::size_t batch, std::size_t query,
                               std::size_t key) {
    require_valid("attention_flops", config);
    const std::size_t d = config.d_model;
    AttentionFlops flops;
    flops.projections = checked_sum({checked_product({2 * 2, batch, query, d, d}),
                                     checked_product({2 * 2, batch, key, d, config.d_kv()})});
    flops.scores = checked_product({2, batch, query, key, d});
    flops.weighted_sum = flops.scores;
    return flops;
}

std::size_t feed_forward_flops(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("feed_forward_flops", config);
    const std::size_t matrices = config.feed_forward == FeedForwardKind::swiglu ? 3 : 2;
    return checked_product({2, batch, seq, matrices, config.d_model, config.d_ff});
}

BlockConfig original_block() {
    return {.d_model = 512,
            .num_heads = 8,
            .d_ff = 2048,
            .norm_position = NormPosition::post,
            .activation = Activation::relu,
            .attention_bias = AttentionBias::none,  // W_Q, W_K, W_V, W_O are matrices alone in the paper
            .dropout = 0.1};
}

BlockConfig bert_block() { return {.norm_position = NormPosition::post, .norm_eps = 1e-12f, .dropout = 0.1}; }

BlockConfig gpt2_block() { return {.activation = Activation::gelu_tanh, .dropout = 0.1}; }

BlockConfig llama_block(std::size_t d_model, std::size_t num_heads, std::size_t d_ff, std::size_t max_len) {
    return {.d_model = d_model,
            .num_heads = num_heads,
            .d_ff = d_ff,
            .norm = NormKind::rms_norm,
            .norm_eps = 1e-6f,
            .feed_forward = FeedForwardKind::swiglu,
            .attention_bias = AttentionBias::none,
            .positions = Rotary{},
            .max_len = max_len};
}

// 11008 is swiglu_hidden_size(4 * 4096, 256): --help lists these models before any step is written.
BlockConfig llama_block() { return llama_block(4096, 32, 11008, 2048); }

BlockConfig qwen_block() {
    BlockConfig config = llama_block();
    config.attention_bias = AttentionBias::qkv;
    return config;
}

BlockConfig llama3_block() {
    BlockConfig config = llama_block(4096, 32, 14336, 8192);
    config.num_kv_heads = 8;
    config.norm_eps = 1e-5f;
    config.positions = Rotary{.theta = 500000.0};
    return config;
}

BlockConfig tinyllama_block() {
    BlockConfig config = llama_block(2048, 32, 5632, 2048);
    config.num_kv_heads = 4;
    config.norm_eps = 1e-5f;
    return config;
}

BlockConfig post_norm_gelu_block(std::size_t d_model, std::size_t num_heads, std::size_t multiplier) {
    return {.d_model = d_model,
            .num_heads = num_heads,
            .d_ff = multiplier * d_model,
            .norm_position = NormPosition::post,
            .dropout = 0.1};
}

}  // namespace tfs
