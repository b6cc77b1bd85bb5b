// chapters/09_transformer/program/config_in_words.cpp · the choices of a config, in words
#include <fmt/format.h>

#include <utility>

#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

const char* kind_of(Architecture architecture) {
    if (architecture == Architecture::encoder_only) return "encoder only";
    return architecture == Architecture::decoder_only ? "decoder only" : "encoder and decoder";
}

const char* name_of(Activation wanted) {
    static constexpr std::pair<Activation, const char*> names[]{{Activation::relu, "ReLU"},
                                                                {Activation::gelu, "GELU"},
                                                                {Activation::gelu_tanh, "GELU by tanh"},
                                                                {Activation::gelu_sigmoid, "GELU by sigmoid"},
                                                                {Activation::silu, "SiLU"}};
    for (const auto& [activation, name] : names)
        if (activation == wanted) return name;
    return "";
}

std::string positions_of(const TransformerConfig& c) {
    if (c.block.uses<NoPositions>()) return fmt::format("no positions, at most {} tokens", c.max_len());
    if (c.block.uses<LearnedPositions>()) return fmt::format("{} learned positions", c.max_len());
    if (c.block.uses<Sinusoids>()) return fmt::format("sinusoids for {} positions", c.max_len());
    return fmt::format("{}, {} positions", name_of_positions(c), c.max_len());
}

std::string biases_of(const BlockConfig& block) {
    if (block.attention_bias == AttentionBias::none) return "no biases in attention";
    return block.attention_bias == AttentionBias::qkv ? "biases on q, k, v" : "biases on q, k, v, o";
}

}  // namespace

std::string name_of_positions(const TransformerConfig& config) {
    if (config.block.uses<Sinusoids>()) return "sinusoids";
    if (config.block.uses<LearnedPositions>()) return "learned";
    if (config.block.uses<Rotary>()) return "rotary";
    return config.block.uses<Alibi>() ? "ALiBi" : "none";
}

bool adds_positions(const TransformerConfig& config) {
    return config.block.uses<Sinusoids>() || config.block.uses<LearnedPositions>();
}

Table config_in_words(const AskedModel& asked) {
    const TransformerConfig& c = asked.config;
    const BlockConfig& block = c.block;
    const bool swiglu = block.feed_forward == FeedForwardKind::swiglu;
    Table table{.columns = {{""}, {""}}};
    table.add({"model", fmt::format("{}: {}, {} layers{}", asked.name, kind_of(c.architecture), c.num_layers,
                                    c.architecture == Architecture::encoder_decoder ? " on each side" : "")});
    table.add({"block",
               fmt::format("d_model {}, {} heads of {}, d_ff {} ({}), {}, dropout {}", block.d_model,
                           block.num_heads, block.d_model / block.num_heads, block.d_ff,
                           swiglu ? "SwiGLU" : name_of(block.activation), biases_of(block), block.dropout)});
    table.add({"norms",
               fmt::format("{}, {}, eps {:g}{}{}", block.norm_position == NormPosition::pre ? "pre" : "post",
                           block.norm == NormKind::layer_norm ? "LayerNorm" : "RMSNorm", block.norm_eps,
                           c.embedding_norm ? ", one on the embedding" : "",
                           c.final_norm ? ", one at the end" : ", none at the end")});
    table.add(
        {"embedding", fmt::format("{} tokens{}, {}{}", with_separators(c.vocab_size),
                                  c.scale_embedding ? " x sqrt(d_model)" : "", positions_of(c),
                                  c.num_segments > 0 ? fmt::format(", {} segments", c.num_segments) : "")});
    table.add(
        {"output", fmt::format("logits by {}{}",
                               c.tied_output ? "the table of the tokens (tied)" : "a table of their own",
                               c.pooler ? ", and a pooler" : "")});
    return table;
}

}  // namespace tfs
