// chapters/11_generation/program/beams.cpp · beam search beside greedy decoding: the likelier text, and is it the better one?
#include <fmt/format.h>

#include "chapters/11_generation/program/options.hpp"
#include "chapters/11_generation/search.hpp"

namespace tfs {

namespace {

Report show_beams(const Request& request) {
    const Writer writer = character_writer("First Citizen:");
    const LanguageModel model = writer.model();
    Table table{.columns = {{"beams", whole()}, {"ln of its probability", fixed(1)}, {"text"}}};
    for (const std::size_t beams : {std::size_t{1}, request[options::beam]}) {
        const Beam best =
            beam_search(model, writer.prompt, {.beams = beams, .length_penalty = 0.0, .new_tokens = 80})[0];
        std::string text;
        for (const std::int64_t id : best.tokens) text += label_of(writer.trained->tokenizer.token(id));
        table.add({beams, best.log_probability, text});
    }
    Report report;
    report.add(table);
    report.note(
        "One beam is greedy decoding. A likelier text is not a better one: it repeats itself (Holtzman et "
        "al. "
        "2020).");
    return report;
}

}  // namespace

Section beams() {
    return {.id = "beams",
            .title = "Beam search with {beam} beams beside greedy decoding",
            .level = Level::deeper,
            .options = {options::beam},
            .run = show_beams};
}

}  // namespace tfs
