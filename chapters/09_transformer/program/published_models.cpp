// chapters/09_transformer/program/published_models.cpp · published models beside each other: choices, parameters, memory
#include <fmt/format.h>

#include <functional>

#include "chapters/09_transformer/cost.hpp"
#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

const std::vector<std::string> counted{"bert-base", "gpt2", "llama-7b", "qwen-7b"};

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

Report show_parameter_counts(const Request&) {
    Table table{.columns = {{""},
                            {"parameters", thousands()},
                            {"all tables", fixed(1, " %")},
                            {"attention", fixed(1, " %")},
                            {"feed-forward", fixed(1, " %")}}};
    BarPanel panel{.title = "",
                   .value_axis = "share of the parameters",
                   .parts = {{"feed-forward", Hue::feed_forward},
                             {"attention", Hue::attention},
                             {"all tables", Hue::embedding},
                             {"norms, pooler", Hue::norm}},
                   .share = true};
    for (const std::string& name : counted) {
        const TransformerParameters p = transformer_parameters(preset(name));
        table.add({name, p.total(), percent(p.embedding + p.positions + p.segments + p.output, p.total()),
                   percent(p.attention, p.total()), percent(p.feed_forward, p.total())});
        Bar bar{name};
        for (const std::size_t count :
             {p.feed_forward, p.attention, p.embedding + p.positions + p.segments + p.output,
              p.norms + p.block_norms + p.pooler})
            bar.values.push_back(static_cast<double>(count));
        panel.bars.push_back(bar);
    }
    Report report;
    report.add(table);
    report.add(BarFigure{
        .name = "parameters",
        .title = "In all four models the feed-forward networks have the most parameters",
        .panels = {panel},
        .caption =
            "Tables are those of tokens, positions, segments and output: they matter most in the small "
            "models. The total is at the right (M: millions, G: billions)."});
    return report;
}

Report show_weight_memory(const Request&) {
    Table table{.columns = {{""},
                            {"parameters", thousands()},
                            {"float32", bytes()},
                            {"float16", bytes()},
                            {"training (AdamW)", bytes()}}};
    for (const std::string& name : counted) {
        const double size = weights_in_bytes(preset(name));
        table.add({name, transformer_parameters(preset(name)).total(), size, size / 2.0, 4.0 * size});
    }
    Report report;
    report.add(table);
    report.note("training: weights, gradients and two moments as float32, without any activation");
    return report;
}

}  // namespace

Sections published_models_sections() {
    return {{"parameters", "Parameters of published models", show_parameter_counts, {}, Level::deeper},
            {"memory", "Their memory", show_weight_memory, {}, Level::deeper},
            {"published", "Published models", show_model_sizes}};
}

}  // namespace tfs
