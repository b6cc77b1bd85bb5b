// chapters/08_encoder_decoder/given/characters.hpp · the characters of the trained model that writes, and its weights, given
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "common/base/rng.hpp"
#include "common/io/metadata.hpp"
#include "common/io/safetensors.hpp"
#include "common/text/words.hpp"

namespace tfs {

// The characters of a text, each as its UTF-8 bytes. ValueError, with the position, if the text is not valid UTF-8.
[[nodiscard]] std::vector<std::string> characters_of(const std::string& text);

// The ids of a text (1, seq), for characters[id]. ValueError, which names it, for a character that is not among them.
[[nodiscard]] Ids character_ids(const std::vector<std::string>& characters, const std::string& text);

struct CharacterSizes {
    std::size_t layers = 4, d_model = 128, heads = 4;
    std::size_t context = 64;  // characters that it can see
    double dropout = 0.0;      // in training, in all places of chapter 06
};

// A model of (characters, sizes, rng) with the weights that chapter 10 wrote to this file. FileError if it is none.
template <class Model>
Model load_characters(const std::filesystem::path& file) {
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
    Model model(characters, sizes, none);
    copy_tensors_into(model.parameters(), loaded.tensors, file);
    return model;
}

}  // namespace tfs
