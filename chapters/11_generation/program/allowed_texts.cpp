// chapters/11_generation/program/allowed_texts.cpp · the puzzle at work: dates that exist, lines of at most 40 characters
#include <fmt/format.h>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/11_generation/program/options.hpp"

namespace tfs {

namespace {

// The date that the model reads in this text, with the rule of the puzzle or without.
std::string date_read(const TextTransformer& reader, const std::string& text, bool with_rule) {
    const LanguageModel model = language_model(reader.model, reader.tokenizer.encode(text));
    GenerationOptions options{.new_tokens = date_answer_length, .sampling = {.temperature = 0.0}};
    if (with_rule) options.rules.push_back(only_where(reader.tokenizer, date_may_go_on, std::nullopt, 1));
    std::vector<Rng> rngs{Rng(1)};
    return reader.tokenizer.decode(generate(model, {{date_start}}, options, rngs)[0].tokens);
}

Report show_dates() {
    const auto reader = load_network<TextTransformer>(weights_file("dates"), date_kind());
    Table table{.columns = {{"what it reads"}, {"what it writes"}, {"with the rule"}}};
    for (const char* text :
         {"Wed 8th of Apr. 1998", "31 February 1998", "02/30/98 month first", "29 February 1999"})
        table.add({text, date_read(reader, text, false), date_read(reader, text, true)});
    Report report;
    report.add(table);
    return report;
}

Report show_lines(const Request& request) {
    const Writer writer = character_writer("First Citizen:\n");
    GenerationOptions options{.new_tokens = 200, .sampling = {.temperature = 0.8}};
    options.rules.push_back(
        only_where(writer.trained->tokenizer, line_may_go_on, std::nullopt, writer.prompt.size()));
    std::vector<Rng> rngs{Rng(request[options::seed])};
    const TokenIds tokens = generate(writer.model(), {writer.prompt}, options, rngs)[0].tokens;
    Report report;
    report.note("Lines of at most 40 characters, each of which ends with a space:");
    report.quote(writer.trained->tokenizer.decode(tokens));
    return report;
}

Report show_allowed(const Request& request) {
    Report report = part_or_gap(show_dates);
    report.add(part_or_gap([&] { return show_lines(request); }));
    return report;
}

}  // namespace

Sections allowed_texts_sections() {
    return {{"allowed", "The puzzle: dates that exist, and short lines", show_allowed, {options::seed}}};
}

}  // namespace tfs
