// chapters/10_training/program/characters.cpp · the fourth model writes, character by character
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "chapters/10_training/models/character_task.hpp"
#include "chapters/10_training/program/shown_task.hpp"
#include "common/io/weights.hpp"

namespace tfs {

namespace {

constexpr std::size_t characters_of_a_sample = 120;

// The first line of the text that it learns from.
std::string first_line(const Corpus& corpus) {
    const auto line_end = [&](std::int64_t id) { return corpus.tokenizer.token(id) == "\n"; };
    const auto end = std::find_if(corpus.ids.begin(), corpus.ids.end(), line_end);
    const auto length = std::min<std::size_t>(static_cast<std::size_t>(end - corpus.ids.begin()) + 1, 16);
    return corpus.tokenizer.decode({corpus.ids.data(), std::min(length, corpus.ids.size())});
}

Report introduction(const CharacterTask& characters) {
    const Corpus& corpus = characters.corpus;
    const TextTransformer& model = characters.model;
    return {.items = {Paragraph{fmt::format(
                "The next character of a text.\n"
                "A text of {} characters, {} different ones; the last {} are held out.\n"
                "At each position of a window of {} characters the target is the next one.\n"
                "The model: {} layers of {} heads, {} parameters; initial values as in GPT-2.",
                corpus.ids.size(), corpus.tokenizer.size(), corpus.held_out_size(), model.config.max_len,
                model.config.layers, model.config.heads, count_parameters(model.parameters()))}}};
}

// What it writes if it always takes the likeliest character, with / for the ends of lines; chapter 11 draws them by chance.
Report sample_of(const TextTransformer& model, const std::string& begin) {
    const Ids prompt = model.tokenizer.encode(begin);
    const std::size_t count = std::min(characters_of_a_sample, model.config.max_len - prompt.size());
    std::string text = model.tokenizer.decode(generate_greedy(model.model, prompt, count));
    std::replace(text.begin(), text.end(), '\n', '/');
    Report report;
    report.quote(text);
    return report;
}

// Samples at these steps: before the training, early, later.
Report sample_at(const CharacterTask& characters, std::size_t step) {
    Report report;
    if (step != 0 && step != 100 && step != 1000) return report;
    report.note(fmt::format("At step {} it writes:", step));
    report.add(sample_of(characters.model, first_line(characters.corpus)));
    return report;
}

}  // namespace

TextTransformer shipped_writer() {
    return load_network<TextTransformer>(weights_file("characters"), character_kind());
}

ShownTask shown_characters(const Request& request) {
    const auto characters = std::make_shared<const CharacterTask>(character_task(task_options(request)));
    const TextTransformer& model = characters->model;  // lives as long as what captures `characters`
    return {.task = characters->task,
            .introduce = [characters] { return introduction(*characters); },
            .at_step = [characters](std::size_t step) { return sample_at(*characters, step); },
            .finish =
                [characters, &model] {
                    Report report;
                    report.note("It now writes:");
                    report.add(sample_of(model, first_line(characters->corpus)));
                    report.add(bits_beside_simpler_models(model, characters->corpus));
                    report.add(looks_of_heads(model, characters->corpus));
                    return report;
                }};
}

Sections characters_sections() {
    return {{"characters", "A trained decoder: the likeliest characters",
             [](const Request&) { return sample_of(shipped_writer(), "First Citizen:\n"); }},
            {"character-heads",
             "Characters: what the heads look at",
             [](const Request&) {
                 const TextTransformer model = shipped_writer();
                 return looks_of_heads(model, read_corpus(shipped_corpus(), model.config.max_len));
             },
             {},
             Level::deeper}};
}

}  // namespace tfs
