// chapters/11_generation/program/beams.cpp · beam search beside greedy decoding: is the likelier text the better one?
#include <fmt/format.h>

#include "chapters/10_training/models/date_task.hpp"
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
        table.add({beams, best.log_probability, in_one_line(writer.trained->tokenizer.decode(best.tokens))});
    }
    Report report;
    report.add(table);
    report.note("One beam is greedy decoding.");
    return report;
}

// The share of dates that a reader answers without a mistake.
struct Answers {
    double exact = 0.0;            // %
    double log_probability = 0.0;  // of an answer, in the mean
};
Answers answers_of(const TextTransformer& reader, const std::vector<WrittenDate>& dates, std::size_t beams) {
    Answers result;
    for (const WrittenDate& date : dates) {
        const LanguageModel model = language_model(reader.model, reader.tokenizer.encode(date.text));
        const Beam best =
            beam_search(model, {date_start},
                        {.beams = beams, .length_penalty = 0.0, .new_tokens = date_answer_length})[0];
        const auto share = 1.0 / static_cast<double>(dates.size());
        result.exact += reader.tokenizer.decode(best.tokens) == date.answer ? 100.0 * share : 0.0;
        result.log_probability += share * best.log_probability;
    }
    return result;
}

// Early in a training the model is often unsure, so the first choice may lead away from the likeliest answer.
Report show_beams_of_dates(const Request& request) {
    DateTask dates = date_task({.seed = request[options::seed]});
    const std::size_t asked =
        std::min<std::size_t>(request[options::dates_asked_for], dates.dates.held_out.size());
    const std::vector<WrittenDate> held_out(
        dates.dates.held_out.begin(), dates.dates.held_out.begin() + static_cast<std::ptrdiff_t>(asked));
    Trainer trainer(dates.task);
    Table table{.columns = {{"step", whole()},
                            {"exact", fixed(1), "%", "greedy"},
                            {"ln p", fixed(3), "", "greedy"},
                            {"exact", fixed(1), "%", "beams"},
                            {"ln p", fixed(3), "", "beams"}}};
    const std::size_t steps = request[options::training_steps];
    while (trainer.step < steps && !trainer.is_done()) {
        (void)trainer.take_step(trainer.next_batch());
        request.tell({"progress", fmt::format("step {} of {}", trainer.step, steps)});
        if (trainer.step % std::max<std::size_t>(steps / 4, 1) != 0) continue;
        const Answers greedy = answers_of(dates.reader, held_out, 1),
                      beams = answers_of(dates.reader, held_out, request[options::beam]);
        table.add({trainer.step, greedy.exact, greedy.log_probability, beams.exact, beams.log_probability});
    }
    Report report;
    report.add(table);
    report.note(fmt::format(
        "{} held-out dates, {} beams. ln p: the probability that the model gives to its own answers.", asked,
        request[options::beam]));
    return report;
}

}  // namespace

Sections beams_sections() {
    return {{"beams",
             "Beam search with {beam} beams beside greedy decoding",
             show_beams,
             {options::beam},
             Level::deeper},
            {"beams-of-dates",
             "Beams beside greedy decoding, early in the training of the dates",
             show_beams_of_dates,
             {options::beam, options::training_steps, options::dates_asked_for, options::seed},
             Level::experiment}};
}

}  // namespace tfs
