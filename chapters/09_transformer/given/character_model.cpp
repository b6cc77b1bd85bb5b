// chapters/09_transformer/given/character_model.cpp · a decoder that reads and writes text, character by character, given
#include "chapters/09_transformer/given/character_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tfs {

namespace {

TransformerConfig character_config(std::size_t vocab_size, const CharacterSizes& sizes) {
    return {
        .vocab_size = vocab_size,
        .num_layers = sizes.layers,
        .block = {.d_model = sizes.d_model,
                  .num_heads = sizes.heads,
                  .d_ff = 4 * sizes.d_model,
                  .dropout = sizes.dropout,
                  .positions = LearnedPositions{},
                  .max_len = sizes.context},
        .scale_embedding = false,
    };
}

}  // namespace

Ids last_ids(std::span<const std::int64_t> ids, std::size_t most) {
    const std::span<const std::int64_t> end = ids.last(std::min(ids.size(), most));
    Ids last = Ids::from_shape({1, end.size()});
    std::copy(end.begin(), end.end(), last.begin());
    return last;
}

CharacterModel::CharacterModel(std::vector<std::string> vocabulary, const CharacterSizes& sizes, Rng& rng)
    : characters(std::move(vocabulary)), model(character_config(characters.size(), sizes), rng) {}

Ids CharacterModel::ids_of(const std::string& text) const { return character_ids(characters, text); }

void save_character_model(const CharacterModel& model, const std::filesystem::path& file,
                          std::map<std::string, std::string> metadata) {
    const TransformerConfig& config = model.model.config;
    metadata["characters"] = fmt::format("{}", fmt::join(model.characters, ""));
    metadata["layers"] = std::to_string(config.num_layers);
    metadata["d_model"] = std::to_string(config.block.d_model);
    metadata["heads"] = std::to_string(config.block.num_heads);
    metadata["context"] = std::to_string(config.max_len());
    save_safetensors(file, model.parameters(), metadata, Precision::f16);
}

CharacterModel load_character_model(const std::filesystem::path& file) {
    return load_characters<CharacterModel>(file);
}

}  // namespace tfs
