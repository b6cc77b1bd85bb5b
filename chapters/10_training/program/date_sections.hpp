// chapters/10_training/program/date_sections.hpp · the third model: what is shared by the files that show dates
#pragma once

#include "chapters/10_training/given/date_fields.hpp"
#include "chapters/10_training/program/sections.hpp"

namespace tfs {

// As many held-out dates are asked; the same dates for every seed of a training.
constexpr std::size_t dates_asked = 2000;
constexpr std::uint64_t seed_of_dates = 7;

// date_training.cpp · the encoder-decoder that reads dates, and its training

struct DateTraining {
    WrittenDates dates;
    TextTransformer reader;
    Trainer trainer;  // of `reader`
};
[[nodiscard]] std::unique_ptr<DateTraining> make_date_training(const OwnOptions& own, std::uint64_t seed);

// date_maps.cpp · what the reader answers, and where it looks

// Prints answers to a few texts, and the score over `held_out`; saves the map of the best head.
void show_date_answers(Show& show, const TextTransformer& reader, const std::vector<WrittenDate>& held_out);

// date_fields_table.cpp · where each layer and head looks

// Prints a line for each head; saves how much each digit of the answer attends to each field.
void show_date_fields(Show& show, const TextTransformer& reader, const std::vector<WrittenDate>& held_out);

}  // namespace tfs
