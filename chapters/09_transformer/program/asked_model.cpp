// chapters/09_transformer/program/asked_model.cpp · the model that the options ask for, and its weights; or a trained one in its place
#include <fmt/format.h>

#include "chapters/09_transformer/cost.hpp"
#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

// To draw more takes longer than all the rest, and untrained ones show nothing that a small model does not.
constexpr std::size_t largest_weights = 64u << 20u;  // bytes, as float32

double weights_in_bytes(const TransformerConfig& config) {
    return static_cast<double>(sizeof(float) * total(transformer_costs(config, 1, 1, 1)).parameters);
}

TextIds number_tokens(const Tokens& tokens) {
    const Vocabulary vocabulary = build_vocabulary(tokens);
    TextIds text{{"<pad>", "<start>", "<end>"}, vocabulary.ids, tokens};
    for (std::int64_t& id : text.ids) id += static_cast<std::int64_t>(text.words.size());
    text.words.insert(text.words.end(), vocabulary.words.begin(), vocabulary.words.end());
    return text;
}

TransformerConfig in_asked_sizes(const Request& request, TransformerConfig config, std::size_t vocab) {
    config.vocab_size = vocab;
    if (const std::size_t layers = request[options::layers]; layers > 0) config.num_layers = layers;
    if (const std::size_t heads = request[options::heads]; heads > 0) config.block.num_heads = heads;
    if (const std::size_t d_model = request[options::d_model]; d_model > 0) {
        config.block.d_ff = config.block.d_ff * d_model / config.block.d_model;
        config.block.d_model = d_model;
    }
    return require_valid(request[options::model], config);
}

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

AskedModel asked_model(const Request& request) {
    const std::string& name = request[options::model];
    const bool from_file = !request[options::load].empty();
    AskedModel asked{name, name + (from_file ? ", weights from a file" : ", untrained"), from_file,
                     preset(name), number_tokens(request.words(options::text))};
    if (name.starts_with("tiny-") || name == "textbook")
        asked.config = in_asked_sizes(request, asked.config, asked.text.words.size());
    else if (request[options::heads] + request[options::d_model] + request[options::layers] > 0)
        throw ValueError(fmt::format("{} has its published sizes; choose others for a tiny one", name));
    for (const TextOption& option : {options::load, options::save})
        if (!request[option].empty() && !small_enough(asked.config))
            throw ValueError(fmt::format("{}: {}", option.flag, why_too_large(asked)));
    return asked;
}

Transformer asked_weights(const Request& request, const AskedModel& asked) {
    if (!small_enough(asked.config)) throw ValueError(why_too_large(asked));
    Rng rng = asked.from_file ? Rng::zeros() : Rng(request[options::seed]);
    Transformer model(asked.config, rng);
    if (asked.from_file) load_weights(model, request[options::load]);
    return model;
}

bool small_enough(const TransformerConfig& config) {
    return weights_in_bytes(config) <= static_cast<double>(largest_weights);
}

std::string why_too_large(const AskedModel& asked) {
    return fmt::format("The weights of {} take {} as float32, and this program stops at {}.", asked.name,
                       in_bytes(weights_in_bytes(asked.config)), in_bytes(largest_weights));
}

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
