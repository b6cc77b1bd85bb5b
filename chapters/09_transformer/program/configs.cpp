// chapters/09_transformer/program/configs.cpp · models by their config: the one that the options ask for, one of three tokens by hand, published ones
#include <fmt/format.h>

#include <functional>
#include <utility>

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
            {"published", "Published models", show_model_sizes, {}, Level::deeper}};
}

}  // namespace tfs
