// chapters/09_transformer/program/model_sizes.cpp · published models beside each other: choices, sizes, parameters
#include <fmt/ostream.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "chapters/09_transformer/cost.hpp"
#include "chapters/09_transformer/program/sections.hpp"

namespace tfs {

namespace {

using InWords = std::function<std::string(const TransformerConfig&)>;

std::string kind_in_words(const TransformerConfig& c) {
    if (c.architecture == Architecture::encoder_decoder) return "encoder-decoder";
    return c.architecture == Architecture::encoder_only ? "encoder" : "decoder";
}

std::string layers_in_words(const TransformerConfig& c) {
    if (c.architecture == Architecture::encoder_decoder) return fmt::format("{0} + {0}", c.num_layers);
    return std::to_string(c.num_layers);
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

std::string table_in_percent(const TransformerConfig& c) {
    return fmt::format("{:.1f} %", 100.0 * static_cast<double>(c.vocab_size * c.block.d_model) /
                                       static_cast<double>(transformer_parameters(c).total()));
}

}  // namespace

void print_model_sizes(Show& show, const std::vector<std::string>& models) {
    const std::vector<std::pair<const char*, InWords>> lines{
        {"", nullptr},
        {"kind", kind_in_words},
        {"layers", layers_in_words},
        {"d_model", [](const auto& c) { return with_separators(c.block.d_model); }},
        {"heads", [](const auto& c) { return with_separators(c.block.num_heads); }},
        {"d_ff", hidden_layer_in_words},
        {"norm", norm_in_words},
        {"positions", name_of_positions},
        {"tokens", [](const auto& c) { return with_separators(c.vocab_size); }},
        {"output", [](const auto& c) { return c.tied_output ? "tied" : "second table"; }},
        {"parameters", [](const auto& c) { return with_separators(transformer_parameters(c).total()); }},
        {"one table", table_in_percent}};
    for (const auto& [what, in_words] : lines) {
        fmt::print(show.out, "  {:<10}", what);
        for (const std::string& name : models)
            fmt::print(show.out, " {:>16}", in_words ? in_words(preset(name)) : name);
        show.out << '\n';
    }
}

}  // namespace tfs
