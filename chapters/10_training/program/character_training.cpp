// chapters/10_training/program/character_training.cpp · the training of the decoder that writes, as it is shown
#include <fmt/ostream.h>

#include "chapters/10_training/program/character_sections.hpp"

namespace tfs {

namespace {

constexpr std::size_t characters_of_a_sample = 240;

void show_character_task(Show& show, const CharacterTask& characters) {
    const Corpus& corpus = characters.corpus;
    const TextTransformer& model = characters.model;
    fmt::print(show.out,
               "  A text of {} characters, {} different ones; the last {} are held out.\n"
               "  At each position of a window of {} characters the target is the next one.\n"
               "  The model: {} layers of {} heads, {} parameters; initial values as in GPT-2.\n",
               corpus.ids.size(), corpus.tokenizer.size(), corpus.held_out_size(), model.config.max_len,
               model.config.layers, model.config.heads, count_parameters(model.parameters()));
}

// Samples at these steps: before the training, early, later. The end has its own section.
void sample_while_training(Show& show, const TextTransformer& model, std::size_t step) {
    if (step != 0 && step != 100 && step != 1000) return;
    fmt::print(show.out, "  At step {} it writes:\n", step);
    print_sample(show.out, model, characters_of_a_sample);
}

}  // namespace

ShownTraining shown_characters(Show& show, const TaskOptions& options) {
    const auto characters = std::make_shared<const CharacterTask>(character_task(options));
    return {
        .task = characters->task,
        .title = "The task: the next character of a text",
        .introduce = [&show, characters] { show_character_task(show, *characters); },
        .at_step = [&show,
                    characters](std::size_t step) { sample_while_training(show, characters->model, step); },
        .finish =
            [&show, characters] {
                const Corpus& corpus = characters->corpus;
                const TextTransformer& model = characters->model;
                show.section("What it writes now",
                             [&] { print_sample(show.out, model, 2 * characters_of_a_sample); });
                show.section("Against simpler models: bits per held-out character",
                             [&] { print_bits(show, corpus, model); });
                show.section("What its heads look at", [&] { print_heads(show, heads_of(model, corpus)); });
            }};
}

}  // namespace tfs
