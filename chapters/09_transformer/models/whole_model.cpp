// chapters/09_transformer/models/whole_model.cpp · a GPT from ids to logits in one file
#include "chapters/09_transformer/models/whole_model.hpp"

#include <fmt/format.h>

#include "chapters/09_transformer/given/model_checks.hpp"
#include "chapters/09_transformer/models/text_transformer.hpp"
#include "common/io/safetensors_header.hpp"

namespace tfs {

std::vector<Stage> WholeModel::operator()(const Ids& ids) const {
    require_ids("WholeModel", config, ids);
    const BlockConfig& c = config.block;
    const std::size_t seq = ids.shape()[1], heads = c.num_heads;
    const bool swiglu = c.feed_forward == FeedForwardKind::swiglu;
    const bool qkv_bias = c.attention_bias != AttentionBias::none;
    const bool o_bias = c.attention_bias == AttentionBias::all;
    const bool network_bias = !swiglu && c.feed_forward_bias == Bias::yes;
    const Mask causal = causal_mask(seq);   // (1, 1, query, key)
    std::optional<RotaryEmbedding> rotary;  // cos and sin of the angles: (seq, d_k / 2)
    if (c.rotary()) rotary.emplace(c.d_model / heads, seq, c.rotary()->theta);
    std::vector<Stage> stages;

    // A row of the table for each token. Positions are added here, too, unless queries and keys are turned by them below.
    Tensor x = embedding(weight("embedding.weight"), ids);  // (batch, seq, d_model)
    if (!rotary) x = x + slice(weight("positions.embedding.weight"), 0, 0, seq);
    stages.push_back({"embedding", x});

    for (std::size_t i = 0; i < config.num_layers; ++i) {
        const std::string block = fmt::format("blocks.{}", i);

        // Self-attention: each position adds what it finds at its own and at earlier ones.
        const std::string attention = block + ".attention.";
        Tensor in = norm(attention + "norm", x);                                 // (batch, seq, d_model)
        Tensor q = split_heads(linear(attention + "w_q", in, qkv_bias), heads);  // (batch, heads, seq, d_k)
        Tensor k = split_heads(linear(attention + "w_k", in, qkv_bias), heads);  // (batch, heads, seq, d_k)
        Tensor v = split_heads(linear(attention + "w_v", in, qkv_bias), heads);  // (batch, heads, seq, d_v)
        if (rotary) q = apply_rotary(q, *rotary, c.rotary()->layout);
        if (rotary) k = apply_rotary(k, *rotary, c.rotary()->layout);
        const Tensor seen =
            scaled_dot_product_attention(q, k, v, causal, std::nullopt, Weights::none).output;  // as v
        x = x + linear(attention + "w_o", merge_heads(seen), o_bias);  // (batch, seq, d_model)

        // The feed-forward network: each position by itself.
        const std::string network = block + ".feed_forward.";
        in = norm(network + "norm", x);                              // (batch, seq, d_model)
        const Tensor up = linear(network + "up", in, network_bias);  // (batch, seq, d_ff)
        const Tensor hidden =
            swiglu ? silu(linear(network + "gate", in, false)) * up : activate(c.activation, up);
        x = x + linear(network + "down", hidden, network_bias);  // (batch, seq, d_model)
        stages.push_back({block, x});
    }
    x = norm("final_norm", x);  // (batch, seq, d_model)
    stages.push_back({"final_norm", x});

    // A score for each token: the product with its row, of the same table or of one that the output has for itself.
    const std::string table = config.tied_output ? "embedding" : "output";
    stages.push_back({"logits", linear(table, x, false)});  // (batch, seq, vocab)
    return stages;
}

Tensor WholeModel::linear(const std::string& name, const Tensor& x, bool with_bias) const {
    return tfs::linear(x, weight(name + ".weight"), with_bias ? &weight(name + ".bias") : nullptr);
}

Tensor WholeModel::norm(const std::string& name, const Tensor& x) const {
    const Tensor& gamma = weight(name + ".gamma");  // (d_model)
    const float eps = config.block.norm_eps;
    if (config.block.norm == NormKind::rms_norm) return rms_norm(x, gamma, eps);
    return layer_norm(x, gamma, weight(name + ".beta"), eps);
}

const Tensor& WholeModel::weight(const std::string& name) const {
    const auto found = weights.find(name);
    if (found == weights.end()) refuse_file(file, fmt::format("{} is missing", in_quotes(name)));
    return found->second;
}

WholeModel::WholeModel(const TransformerConfig& settings, const std::filesystem::path& weight_file)
    : config(require_valid("WholeModel", settings)), file(weight_file) {
    require_gpt("WholeModel", config);
    for (const NamedTensor& loaded : load_safetensors(file)) weights.emplace(loaded.name, loaded.tensor);
}

WholeModel::WholeModel(const TrainedModel& trained)
    : config(require_valid("WholeModel", transformer_config(trained.tokenizer, trained.config))),
      file(trained.file) {
    require_gpt("WholeModel", config);
    for (const NamedTensor& loaded : trained.weights) weights.emplace(loaded.name, loaded.tensor);
}

}  // namespace tfs
