// chapters/09_transformer/program/configs.cpp · models by their config: one of three tokens by hand, published ones beside each other, any one in words
#include <fmt/format.h>

#include <functional>
#include <utility>

#include "chapters/09_transformer/cost.hpp"
#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

Report show_tied_logits(const Request&) {
    const NoGrad no_grad;
    const Tokens words{"cat", "sat", "on"};
    Rng none = Rng::zeros();
    Transformer model(
        {.vocab_size = 3,
         .num_layers = 1,
         .block = {.d_model = 2, .num_heads = 1, .d_ff = 2, .positions = Sinusoids{}, .max_len = 2},
         .scale_embedding = false},
        none);
    model.embedding.weight = Tensor::from({3, 2}, {2, 0, 0, 2, 1, 1});
    const auto rows = model.embedding.weight.values();
    const Tensor itself = model.logits(Tensor::from({1, 1, 2}, {2, 0}));
    const Tensor next = model.logits(Tensor::from({1, 1, 2}, {1, 2}));
    const Tensor chances = softmax(next);
    Table table{.columns = {{"token"},
                            {"its row"},
                            {"logit at (2, 0)", whole()},
                            {"logit at (1, 2)", whole()},
                            {"probability", fixed(3)}}};
    for (std::size_t i = 0; i < words.size(); ++i)
        table.add({words[i], fmt::format("({:g}, {:g})", rows[2 * i], rows[2 * i + 1]), itself.values()[i],
                   next.values()[i], chances.values()[i]});
    return Report(table);
}

std::string kind_in_words(const TransformerConfig& c) {
    if (c.architecture == Architecture::encoder_decoder) return "encoder-decoder";
    return c.architecture == Architecture::encoder_only ? "encoder" : "decoder";
}

Cell layers_of(const TransformerConfig& c) {
    if (c.architecture == Architecture::encoder_decoder) return fmt::format("{0} + {0}", c.num_layers);
    return c.num_layers;
}

std::string norm_in_words(const BlockConfig& block) {
    return fmt::format("{}{}", block.norm_position == NormPosition::pre ? "pre" : "post",
                       block.norm == NormKind::rms_norm ? ", RMSNorm" : "");
}

// Of the network.
const char* activation_in_words(const BlockConfig& block) {
    if (block.feed_forward == FeedForwardKind::swiglu) return "SwiGLU";
    return block.activation == Activation::relu ? "ReLU" : "GELU";
}

// What a preset has.
const char* positions_in_words(const BlockConfig& block) {
    if (block.uses<Sinusoids>()) return "sinusoids";
    return block.uses<LearnedPositions>() ? "learned" : "rotary";
}

std::string biases_of(const BlockConfig& block) {
    if (block.attention_bias == AttentionBias::none) return "no biases in attention";
    return block.attention_bias == AttentionBias::qkv ? "biases on q, k, v" : "biases on q, k, v, o";
}

// A column for each model.
Report show_model_sizes(const Request&) {
    using Of = std::function<Cell(const TransformerConfig&)>;
    const std::vector<std::pair<const char*, Of>> lines{
        {"kind", kind_in_words},
        {"layers", layers_of},
        {"d_model", [](const auto& c) { return c.block.d_model; }},
        {"heads", [](const auto& c) { return c.block.num_heads; }},
        {"d_ff",
         [](const auto& c) {
             return fmt::format("{}, {}", with_separators(c.block.d_ff), activation_in_words(c.block));
         }},
        {"norm", [](const auto& c) { return norm_in_words(c.block); }},
        {"positions", [](const auto& c) { return positions_in_words(c.block); }},
        {"tokens", [](const auto& c) { return c.vocab_size; }},
        {"output", [](const auto& c) { return c.tied_output ? "tied" : "second table"; }},
        {"parameters", [](const auto& c) { return transformer_parameters(c).total(); }},
        {"one table", [](const auto& c) {
             const double rows = static_cast<double>(c.vocab_size * c.block.d_model);
             return Cell(100.0 * rows / static_cast<double>(transformer_parameters(c).total()),
                         fixed(1, " %"));
         }}};
    const std::vector<std::string> models{"original", "bert-base", "gpt2", "llama-7b"};
    Table table{.columns = {{""}}};
    for (const std::string& name : models) table.columns.push_back({name, thousands()});
    // Where the step of the parameters is missing, the lines above them stay.
    Report gap = part_or_gap([&] {
        for (const auto& line : lines) {
            std::vector<Cell> row{line.first};
            for (const std::string& name : models) row.push_back(line.second(preset(name)));
            table.add(row);
        }
        return Report();
    });
    Report report;
    report.add(table);
    report.add(std::move(gap));
    return report;
}

}  // namespace

Table config_in_words(const AskedModel& asked) {
    const TransformerConfig& c = asked.config;
    const BlockConfig& block = c.block;
    Table table{.columns = {{""}, {""}}};
    table.add({"model", fmt::format("{}: {}, {} layers{}", asked.name, kind_in_words(c), c.num_layers,
                                    c.architecture == Architecture::encoder_decoder ? " on each side" : "")});
    table.add({"block", fmt::format("d_model {}, {} heads of {}, d_ff {} ({}), {}, dropout {}", block.d_model,
                                    block.num_heads, block.d_model / block.num_heads, block.d_ff,
                                    activation_in_words(block), biases_of(block), block.dropout)});
    table.add({"norms", fmt::format("{}{}, eps {:g}{}{}", norm_in_words(block),
                                    block.norm == NormKind::layer_norm ? ", LayerNorm" : "", block.norm_eps,
                                    c.embedding_norm ? ", one on the embedding" : "",
                                    c.final_norm ? ", one at the end" : ", none at the end")});
    table.add(
        {"embedding",
         fmt::format("{} tokens{}, {}, {} positions{}", with_separators(c.vocab_size),
                     c.scale_embedding ? " x sqrt(d_model)" : "", positions_in_words(block), c.max_len(),
                     c.num_segments > 0 ? fmt::format(", {} segments", c.num_segments) : "")});
    table.add(
        {"output", fmt::format("logits by {}{}",
                               c.tied_output ? "the table of the tokens (tied)" : "a table of their own",
                               c.pooler ? ", and a pooler" : "")});
    return table;
}

Sections configs_sections() {
    return {{"by-hand", "By hand: logits from a table of three rows", show_tied_logits},
            {"published", "Published models", show_model_sizes}};
}

}  // namespace tfs
