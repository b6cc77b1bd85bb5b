// chapters/10_training/program/date_sections.hpp · the third model: what is shared by the files that show dates
#pragma once

#include "chapters/10_training/models/date_fields.hpp"
#include "chapters/10_training/models/date_task.hpp"
#include "chapters/10_training/program/sections.hpp"

namespace tfs {

// date_maps.cpp · what the reader answers, and where it looks

// Prints answers to a few texts, and the score over `held_out`; saves the map of the best head.
void show_date_answers(Show& show, const TextTransformer& reader, const std::vector<WrittenDate>& held_out);

// date_fields_table.cpp · where each layer and head looks

// Prints a line for each head; saves how much each digit of the answer attends to each field.
void show_date_fields(Show& show, const TextTransformer& reader, const std::vector<WrittenDate>& held_out);

}  // namespace tfs
