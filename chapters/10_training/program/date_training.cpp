// chapters/10_training/program/date_training.cpp · the training of the encoder-decoder that reads dates, as it is shown
#include <fmt/ostream.h>

#include "chapters/10_training/program/date_sections.hpp"

namespace tfs {

namespace {

void show_date_task(Show& show, const DateTask& dates) {
    const WrittenDates& all = dates.dates;
    for (std::size_t i = 0; i < 4; ++i)
        fmt::print(show.out, "  {:<30} {}\n", all.training[i].text, all.training[i].answer);
    const TransformerConfig& config = dates.reader.model.config;
    fmt::print(show.out,
               "  {} texts in {} forms to learn from; {} held out, whose dates are in none of them.\n"
               "  The model: {} characters, {} parameters, {} layers on each side, {} head{} of attention.\n",
               all.training.size(), date_forms().size(), all.held_out.size(),
               dates.reader.tokenizer.size() - 2, count_parameters(dates.reader.parameters()),
               config.num_layers, config.block.num_heads, config.block.num_heads == 1 ? "" : "s");
}

}  // namespace

ShownTraining shown_dates(Show& show, const TaskOptions& options) {
    const auto dates = std::make_shared<const DateTask>(date_task(options));
    return {.task = dates->task,
            .title = "The task: many written forms of a date, one answer",
            .introduce = [&show, dates] { show_date_task(show, *dates); },
            .finish =
                [&show, dates] {
                    const std::vector<WrittenDate>& asked = dates->dates.held_out;
                    show.section("What it answers, and where it looks",
                                 [&] { show_date_answers(show, dates->reader, asked); });
                    show.deeper("Where each head of the decoder looks",
                                [&] { show_date_fields(show, dates->reader, asked); });
                }};
}

}  // namespace tfs
