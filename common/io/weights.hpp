// common/io/weights.hpp · what comes with the repository: trained weights, texts, and a recording of the trained characters
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/tensor/tensor.hpp"

namespace tfs {

// The folder weights/ of the repository.
[[nodiscard]] std::filesystem::path weights_folder();
// weights/NAME.safetensors, whatever folder the program is started in.
[[nodiscard]] std::filesystem::path weights_file(const std::string& name);
// The plays that the decoder of characters learns from, common/text/data/shakespeare.txt.
[[nodiscard]] std::filesystem::path shipped_corpus();

// What the trained decoder of characters computed on plays, for steps of earlier chapters, which don't need the model then: trained_units
// of chapter 05, and logit_shares of chapter 06. Chapter 10 trains the decoder and records it (tools/record_characters);
// weights/characters_recording.safetensors has 16 bits for each number.
struct CharacterRecording {
    std::string characters;  // of the vocabulary: the i-th one has the id i

    // Hidden units of the feed-forward networks. The first three can be read, the others are evenly spread over the model.
    std::vector<std::string> units;     // "block 1, unit 339", counted from 1
    std::vector<std::string> contexts;  // the 8 characters that the decoder read last
    Tensor strengths;                   // (units, contexts): what the unit gives behind its activation
    Tensor values;                      // (units, d_model): what it adds to the stream, for a strength of 1
    Tensor table;  // (vocab, d_model): the logits are products of its rows and the normed stream

    // The stream behind the last block at the last position of a text, as a sum of its parts, and what makes logits of it.
    std::vector<std::string> texts;  // what the decoder read: the last 30 characters
    std::vector<std::string> parts;  // "embedding", "block 1, attention", "block 1, feed-forward", …
    Tensor stream;                   // (positions, parts, d_model): what each of them adds
    Tensor deviations;               // (positions): the final norm divides by it; epsilon is in it
    Tensor gamma, beta;              // (d_model): of the final norm
    Tensor candidates;               // (positions, candidates): ids of characters, the likeliest first
};

inline constexpr std::size_t recorded_context = 8, recorded_text = 30;

// FileError if the file is missing or no such recording.
[[nodiscard]] CharacterRecording load_recording(const std::filesystem::path& file);
void save_recording(const std::filesystem::path& file, const CharacterRecording& recording);

}  // namespace tfs
