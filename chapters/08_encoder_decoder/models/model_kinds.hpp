// chapters/08_encoder_decoder/models/model_kinds.hpp · two kinds of weight files: a model that writes, one that reads dates
#pragma once

#include "common/io/trained_model.hpp"

namespace tfs {

// A decoder that guesses the next character, such as weights/characters.safetensors. Its positions are learned, or
// rotary where the file says so.
[[nodiscard]] const ModelKind& character_kind();

// An encoder-decoder that reads "Wed 8th of Apr. 1998", character by character, and writes "1998-04-08", such as
// weights/dates.safetensors. The file says neither its characters nor its width: all of this kind have the same.
[[nodiscard]] const ModelKind& date_kind();
constexpr std::int64_t date_padding = 0, date_start = 1;  // ids
constexpr std::size_t date_answer_length = 10;

}  // namespace tfs
