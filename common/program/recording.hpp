// common/program/recording.hpp · what the trained decoder of characters computed on plays, in a file: for steps of earlier chapters
//
// Chapter 10 trains the decoder and records it (tools/record_characters); weights/characters_recording.safetensors has 16 bits for
// each number. No earlier chapter needs the model for it.
//
// Two steps read it: trained_units of chapter 05, and later
//
//   06, the sublayer that decided
//       // The lead of the likeliest character is its logit minus that of the second one: a sum of one share for each part of
//       // the stream. The part with the largest share of it. shares (positions, parts, candidates). ValueError if there is no
//       // such position, or there are fewer than two candidates.
//       std::size_t deciding_part(const Tensor& shares, std::size_t position);
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/tensor/tensor.hpp"

namespace tfs {

struct CharacterRecording {
    std::string characters;  // of the vocabulary: the i-th one has the id i

    // Hidden units of the feed-forward networks. The first three can be read, the others are evenly spread over the model.
    std::vector<std::string> units;     // "block 1, unit 339", counted from 1
    std::vector<std::string> contexts;  // the 8 characters that the decoder read last
    Tensor strengths;                   // (units, contexts): what the unit gives behind its activation
    Tensor values;                      // (units, d_model): what it adds to the stream, for a strength of 1
    Tensor table;  // (vocab, d_model): the logits are products of its rows and the normed stream

    // The logits of the likeliest next characters, as sums of what each part of the stream brings.
    std::vector<std::string> texts;  // what the decoder read: the last 30 characters
    std::vector<std::string> parts;  // "embedding", "block 1, attention", "block 1, feed-forward", …, "beta"
    Tensor candidates;               // (positions, candidates): ids, the likeliest first
    Tensor shares;                   // (positions, parts, candidates)
};

inline constexpr std::size_t recorded_context = 8, recorded_text = 30;

// FileError if the file is missing or no such recording.
[[nodiscard]] CharacterRecording load_recording(const std::filesystem::path& file);
void save_recording(const std::filesystem::path& file, const CharacterRecording& recording);

}  // namespace tfs
