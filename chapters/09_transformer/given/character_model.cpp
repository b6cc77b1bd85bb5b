// chapters/09_transformer/given/character_model.cpp · a decoder that reads and writes text, character by character, given
#include "chapters/09_transformer/given/character_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/io/metadata.hpp"
#include "common/text.hpp"
#include "common/text/utf8.hpp"

namespace tfs {

namespace {

TransformerConfig character_config(std::size_t vocab_size, const CharacterSizes& sizes) {
    return {
        .vocab_size = vocab_size,
        .max_len = sizes.context,
        .num_layers = sizes.layers,
        .block = {.d_model = sizes.d_model,
                  .num_heads = sizes.heads,
                  .d_ff = 4 * sizes.d_model,
                  .dropout = sizes.dropout},
        .positions = Positions::learned,
        .scale_embedding = false,
    };
}

}  // namespace

std::vector<std::string> characters_of(const std::string& text) {
    require_utf8(text);
    std::vector<std::string> characters;
    for (std::size_t at = 0; at < text.size(); at += characters.back().size())
        characters.push_back(text.substr(at, first_character(std::string_view(text).substr(at)).bytes));
    return characters;
}

Ids last_ids(std::span<const std::int64_t> ids, std::size_t most) {
    const std::span<const std::int64_t> end = ids.last(std::min(ids.size(), most));
    Ids last = Ids::from_shape({1, end.size()});
    std::copy(end.begin(), end.end(), last.begin());
    return last;
}

CharacterModel::CharacterModel(std::vector<std::string> vocabulary, const CharacterSizes& sizes, Rng& rng)
    : characters(std::move(vocabulary)), model(character_config(characters.size(), sizes), rng) {}

Ids CharacterModel::ids_of(const std::string& text) const {
    const std::vector<std::string> letters = characters_of(text);
    Ids ids = Ids::from_shape({1, letters.size()});
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const std::optional<std::int64_t> id = id_of(characters, letters[i]);
        if (!id)
            throw ValueError(
                fmt::format("the trained model does not know the character \"{}\"", harmless(letters[i])));
        ids(0, i) = *id;
    }
    return ids;
}

void save_character_model(const CharacterModel& model, const std::filesystem::path& file,
                          std::map<std::string, std::string> metadata) {
    const TransformerConfig& config = model.model.config;
    metadata["characters"] = fmt::format("{}", fmt::join(model.characters, ""));
    metadata["layers"] = std::to_string(config.num_layers);
    metadata["d_model"] = std::to_string(config.block.d_model);
    metadata["heads"] = std::to_string(config.block.num_heads);
    metadata["context"] = std::to_string(config.max_len);
    save_safetensors(file, model.parameters(), metadata, Precision::f16);
}

CharacterModel load_character_model(const std::filesystem::path& file) {
    const WeightFile loaded = load_weight_file(file);
    const MetadataReader entries(loaded, file, "not the weights of a character model");
    const CharacterSizes sizes{.layers = entries.count("layers", 1, 99),
                               .d_model = entries.count("d_model", 1, 9999),
                               .heads = entries.count("heads", 1, 99),
                               .context = entries.count("context", 1, 99'999)};
    if (sizes.d_model % sizes.heads != 0)
        entries.refuse(fmt::format(": {} heads don't divide {}", sizes.heads, sizes.d_model));
    const std::vector<std::string> characters = characters_of(entries.text("characters"));
    if (characters.empty()) entries.refuse(": \"characters\" is empty");
    Rng none = Rng::zeros();
    CharacterModel model(characters, sizes, none);
    copy_tensors_into(model.parameters(), loaded.tensors, file);
    return model;
}

}  // namespace tfs
