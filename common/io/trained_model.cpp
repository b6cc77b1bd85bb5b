// common/io/trained_model.cpp · a trained model as one file: configuration, weights, tokens, and what the file says of itself
#include "common/io/trained_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "common/io/safetensors_header.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

struct SizeEntry {
    const char* name;
    std::size_t ModelConfig::*size;
    std::size_t most;
};
constexpr std::array size_entries = {
    SizeEntry{"layers", &ModelConfig::layers, 99}, SizeEntry{"d_model", &ModelConfig::d_model, 9999},
    SizeEntry{"heads", &ModelConfig::heads, 9999}, SizeEntry{"d_ff", &ModelConfig::d_ff, 99'999},
    SizeEntry{"context", &ModelConfig::max_len, 99'999}};

// By PositionKind.
const std::vector<std::string> position_names = {"none", "sinusoidal", "learned", "rotary", "alibi"};

std::string name_of(PositionKind positions) { return position_names.at(static_cast<std::size_t>(positions)); }

bool has(const std::vector<std::string>& entries, const std::string& name) {
    return std::find(entries.begin(), entries.end(), name) != entries.end();
}

std::vector<PositionKind> positions_of(const ModelKind& kind) {
    std::vector<PositionKind> positions = kind.other_positions;
    positions.insert(positions.begin(), kind.otherwise.positions);
    return positions;
}

PositionKind positions_in(const MetadataReader& entries, const ModelKind& kind) {
    const std::string& name = entries.text("positions");
    std::vector<std::string> allowed;
    for (const PositionKind positions : positions_of(kind)) {
        if (name == name_of(positions)) return positions;
        allowed.push_back(in_quotes(name_of(positions)));
    }
    entries.refuse(fmt::format(": \"positions\" is not {}", fmt::join(allowed, " or ")));
}

ModelConfig config_in(const MetadataReader& entries, const WeightFile& loaded, const ModelKind& kind) {
    ModelConfig config = kind.otherwise;
    for (const std::string& name : kind.entries)
        for (const SizeEntry& entry : size_entries)
            if (name == entry.name) config.*entry.size = entries.count(name, 1, entry.most);
    if (loaded.metadata.contains("positions")) config.positions = positions_in(entries, kind);
    if (config.d_model % config.heads != 0)
        entries.refuse(fmt::format(": {} heads don't divide {}", config.heads, config.d_model));
    return config;
}

Tokenizer tokenizer_in(const MetadataReader& entries, const ModelKind& kind) {
    const auto from = [&](const char* name, Cut cut, const auto& pieces_of) {
        const std::string& text = entries.text(name);
        if (text.empty()) entries.refuse(fmt::format(": \"{}\" is empty", name));
        try {
            return Tokenizer(cut, pieces_of(text), kind.tokenizer.special());
        } catch (const ValueError& error) {
            entries.refuse(fmt::format(": \"{}\": {}", name, error.what()));
        }
    };
    if (has(kind.entries, "words"))
        return from("words", Cut::words, [](const std::string& text) { return split_words(text); });
    if (has(kind.entries, "characters"))
        return from("characters", Cut::characters,
                    [](const std::string& text) { return characters_of(text); });
    return kind.tokenizer;
}

void require_positions(PositionKind positions, const ModelKind& kind, const std::filesystem::path& file) {
    const std::vector<PositionKind> allowed = positions_of(kind);
    if (std::find(allowed.begin(), allowed.end(), positions) == allowed.end())
        throw ValueError(fmt::format("{}: the positions of {} are not {}", harmless(file.string()), kind.name,
                                     in_quotes(name_of(positions))));
}

// A file must not fill the memory with a network for which it has no weights. Each layer has more of them than are counted here; what
// is small may be made, and says more exactly what does not fit.
void require_weights_for(const ModelConfig& config, const WeightFile& loaded, const MetadataReader& entries) {
    double there = 1e7;
    for (const auto& [name, tensor] : loaded.tensors) there += static_cast<double>(tensor.size());
    const double d_model = static_cast<double>(config.d_model), d_ff = static_cast<double>(config.d_ff);
    if (static_cast<double>(config.layers) * d_model * (d_model + d_ff) > there)
        entries.refuse(fmt::format(": {} layers of width {} have more weights than this file", config.layers,
                                   config.d_model));
}

// What the metadata says beside what stands in a ModelConfig and a Tokenizer.
Metadata what_else(Metadata metadata, const ModelKind& kind) {
    for (const std::string& name : kind.entries) metadata.erase(name);
    metadata.erase("positions");
    return metadata;
}

// As an entry of the metadata, of which tokenizer_in makes the same tokens again. ValueError where it can't: a word with a space.
std::string tokens_in_a_line(const Tokenizer& tokenizer) {
    const bool words = tokenizer.cut() == Cut::words;
    const std::string line = fmt::format("{}", fmt::join(tokenizer.tokens(), words ? " " : ""));
    const Tokens again = words ? split_words(line) : characters_of(line);
    for (std::size_t i = 0; i < tokenizer.size(); ++i)
        if (i >= again.size() || again[i] != tokenizer.tokens()[i])
            throw ValueError(
                fmt::format("a model with the token {} can't be saved: a file can't hold it as one {}",
                            in_quotes(harmless(tokenizer.tokens()[i])), words ? "word" : "character"));
    return line;
}

}  // namespace

void TrainedModel::copy_into(Parameters parameters) const {
    copy_tensors_into(std::move(parameters), weights, file);
}

TrainedModel load_trained_model(const std::filesystem::path& file, const ModelKind& kind) {
    const WeightFile loaded = load_weight_file(file);
    const MetadataReader entries(loaded, file, "not the weights of " + kind.name);
    const ModelConfig config = config_in(entries, loaded, kind);
    require_weights_for(config, loaded, entries);
    return {config, tokenizer_in(entries, kind), loaded.tensors, what_else(loaded.metadata, kind), file};
}

void refuse_network(const TrainedModel& trained, const ModelKind& kind, const ValueError& why) {
    refuse_file(trained.file, fmt::format("not the weights of {}: {}", kind.name, why.what()));
}

void save_trained_model(const TrainedModel& model, const ModelKind& kind, const std::filesystem::path& file) {
    require_positions(model.config.positions, kind, file);
    Metadata metadata = model.says;
    ModelConfig config = model.config;
    config.d_ff = config.feed_forward_size();
    for (const SizeEntry& entry : size_entries)
        if (has(kind.entries, entry.name)) metadata[entry.name] = std::to_string(config.*entry.size);
    for (const char* name : {"words", "characters"})
        if (has(kind.entries, name)) metadata[name] = tokens_in_a_line(model.tokenizer);
    if (config.positions != kind.otherwise.positions) metadata["positions"] = name_of(config.positions);
    save_safetensors(file, model.weights, metadata, Precision::f16);
}

}  // namespace tfs
