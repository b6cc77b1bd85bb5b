// chapters/09_transformer/program/trained_decoder.cpp · a decoder that chapter 10 trained, where it is what is asked for
#include <fmt/format.h>

#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

// What the trained model can't do; throws a ValueError that says it.
void require_possible(const TextTransformer& trained, const Request& request) {
    const TransformerConfig& config = trained.model.config;
    const auto require_size = [&](const CountOption& option, std::size_t has) {
        if (const std::size_t asked = request[option]; asked > 0 && asked != has)
            throw ValueError(fmt::format("{} {}: the trained model has {}", option.flag, asked, has));
    };
    if (const std::string& name = request[options::model]; name != options::model.value)
        throw ValueError(fmt::format("the trained model is a decoder of another kind than {}", name));
    require_size(options::heads, config.block.num_heads);
    require_size(options::d_model, config.block.d_model);
    require_size(options::layers, config.num_layers);
    (void)trained.tokenizer.encode(request[options::text], trained.config.max_len);
}

}  // namespace

const TextTransformer& character_model() {
    static const auto model = load_network<TextTransformer>(weights_file("characters"), character_kind());
    return model;
}

bool wants_trained(const Request& request) {
    return !request[options::untrained] && request[options::load].empty() && request[options::save].empty();
}

const TextTransformer* trained_decoder(Report& report, const Request& request, const std::string& instead) {
    const auto possible = [&] {
        require_possible(character_model(), request);
        return &character_model();
    };
    return trained_or_reason(report, instead, possible).value_or(nullptr);
}

}  // namespace tfs
