// chapters/09_transformer/program/token_tables.cpp · the table of the tokens: logits by hand, and its share in published models
#include <fmt/format.h>

#include <functional>

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
    Report report;
    report.add(table);
    return report;
}

std::string kind_in_words(const TransformerConfig& c) {
    if (c.architecture == Architecture::encoder_decoder) return "encoder-decoder";
    return c.architecture == Architecture::encoder_only ? "encoder" : "decoder";
}

Cell layers_of(const TransformerConfig& c) {
    if (c.architecture == Architecture::encoder_decoder) return fmt::format("{0} + {0}", c.num_layers);
    return c.num_layers;
}

std::string norm_in_words(const TransformerConfig& c) {
    return fmt::format("{}{}", c.block.norm_position == NormPosition::pre ? "pre" : "post",
                       c.block.norm == NormKind::rms_norm ? ", RMSNorm" : "");
}

std::string hidden_layer_in_words(const TransformerConfig& c) {
    const bool swiglu = c.block.feed_forward == FeedForwardKind::swiglu;
    const char* const activation = c.block.activation == Activation::relu ? "ReLU" : "GELU";
    return fmt::format("{}, {}", with_separators(c.block.d_ff), swiglu ? "SwiGLU" : activation);
}

double percent(std::size_t part, std::size_t all) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

// A column for each model.
Report show_model_sizes(const Request&) {
    using Of = std::function<Cell(const TransformerConfig&)>;
    const std::vector<std::pair<const char*, Of>> lines{
        {"kind", kind_in_words},
        {"layers", layers_of},
        {"d_model", [](const auto& c) { return c.block.d_model; }},
        {"heads", [](const auto& c) { return c.block.num_heads; }},
        {"d_ff", hidden_layer_in_words},
        {"norm", norm_in_words},
        {"positions", name_of_positions},
        {"tokens", [](const auto& c) { return c.vocab_size; }},
        {"output", [](const auto& c) { return c.tied_output ? "tied" : "second table"; }},
        {"parameters", [](const auto& c) { return transformer_parameters(c).total(); }},
        {"one table", [](const auto& c) {
             return Cell(percent(c.vocab_size * c.block.d_model, transformer_parameters(c).total()),
                         fixed(1, " %"));
         }}};
    const std::vector<std::string> models{"original", "bert-base", "gpt2", "llama-7b"};
    Table table{.columns = {{""}}};
    for (const std::string& name : models) table.columns.push_back({name, thousands()});
    // Where the step of the parameters is missing, the lines above them stay.
    const Report gap = part_or_gap([&] {
        for (const auto& line : lines) {
            std::vector<Cell> row{line.first};
            for (const std::string& name : models) row.push_back(line.second(preset(name)));
            table.add(row);
        }
        return Report();
    });
    Report report;
    report.add(table);
    report.add(gap);
    return report;
}

}  // namespace

Sections token_tables_sections() {
    return {{"by-hand", "By hand: logits from a table of three rows", show_tied_logits},
            {"published", "Published models", show_model_sizes}};
}

}  // namespace tfs
