// chapters/10_training/models/character_task.hpp · the decoder that writes character by character, and its training
#pragma once

#include "chapters/10_training/models/character_heads.hpp"
#include "chapters/10_training/models/corpus.hpp"
#include "chapters/10_training/models/tasks.hpp"

namespace tfs {

// The sizes of the model of the task "characters".
[[nodiscard]] ModelConfig character_config();

// The task "characters". Errors as of settings_of; FileError or ValueError where the corpus can't be learned.
struct CharacterTask {
    Corpus corpus;
    TextTransformer model;
    Task task;  // of `model`
};
[[nodiscard]] CharacterTask character_task(const TaskOptions& options);

// At most so many characters of the held-out part are asked.
constexpr std::size_t most_asked = 120'000;

// The scores of all heads, over 128 windows of the held-out part and 128 repeated sequences, the same ones at each call.
[[nodiscard]] CharacterHeads heads_of(const TextTransformer& model, const Corpus& corpus);

}  // namespace tfs
