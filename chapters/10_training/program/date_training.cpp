// chapters/10_training/program/date_training.cpp · the encoder-decoder that reads dates, and its training
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "chapters/10_training/program/date_sections.hpp"
#include "chapters/10_training/program/training_run.hpp"

namespace tfs {

namespace {

constexpr std::size_t dates_to_learn = 60000, date_layers = 2;

std::vector<Example> date_examples(const std::vector<WrittenDate>& dates) {
    std::vector<Example> examples;
    for (const WrittenDate& date : dates) examples.push_back(example_of(date));
    return examples;
}

TrainingPlan date_plan(const OwnOptions& own, std::uint64_t seed) {
    TrainingPlan plan{.steps = own.steps, .batch_size = 64, .evaluate_every = 200, .seed = seed};
    plan.rate = {
        .peak = own.rate, .final = own.rate / 20, .warmup = std::min<std::size_t>(200, own.steps / 2)};
    return plan;
}

TextTransformer new_reader(const OwnOptions& own, std::uint64_t seed) {
    ModelConfig config = date_kind().otherwise;
    config.layers = date_layers;
    config.heads = own.heads;
    Rng rng(seed);
    return {date_kind().tokenizer, config, rng};
}

Trainer date_trainer(const WrittenDates& dates, const TextTransformer& reader, const TrainingPlan& plan) {
    return {plan,
            // Handles, not copies: the reader whose parameters the optimizer moves.
            [reader](const Batch& batch, Rng* rng) {
                return reader.model(batch.source.value(), batch.inputs, {.rng = rng}).logits;
            },
            reader.parameters(), date_examples(dates.training),
            batches_of(date_examples(dates.held_out), 100, date_padding), date_padding};
}

void show_date_task(Show& show, const DateTraining& training) {
    for (std::size_t i = 0; i < 4; ++i) {
        const WrittenDate& date = training.dates.training[i];
        fmt::print(show.out, "  {:<30} {}\n", date.text, date.answer);
    }
    fmt::print(show.out,
               "  {} texts in {} forms to learn from; {} held out, whose dates are in none of them.\n"
               "  The model: {} characters, {} parameters, {} layers on each side, {} head{} of attention.\n",
               training.dates.training.size(), date_forms().size(), training.dates.held_out.size(),
               training.reader.tokenizer.size() - 2, count_parameters(training.reader.parameters()),
               date_layers, training.reader.model.config.block.num_heads,
               training.reader.model.config.block.num_heads == 1 ? "" : "s");
}

std::map<std::string, std::string> date_metadata(const DateTraining& training) {
    const DateScore score = score_dates(training.reader, training.dates.held_out);
    const FieldShare& best = score.best();
    return {{"made_by", "./tutorial run 10 -- --train dates --save weights/dates.safetensors"},
            {"plan", in_words(training.trainer.plan)},
            {"held_out_exact", fmt::format("{:.4f}", score.exact)},
            {"held_out_mean_weight", fmt::format("{:.3f}", best.mean)},
            {"best_head", fmt::format("layer {}, head {}", best.layer + 1, best.head + 1)}};
}

}  // namespace

std::unique_ptr<DateTraining> make_date_training(const OwnOptions& own, std::uint64_t seed) {
    const WrittenDates dates = written_dates(dates_to_learn, dates_asked, seed_of_dates);
    const TextTransformer reader = new_reader(own, seed);
    return std::make_unique<DateTraining>(
        DateTraining{dates, reader, date_trainer(dates, reader, date_plan(own, seed))});
}

void train_dates(Show& show, const OwnOptions& own) {
    const std::unique_ptr<DateTraining> training = make_date_training(own, show.options.seed);
    show.section("The task: many written forms of a date, one answer",
                 [&] { show_date_task(show, *training); });
    show.section(fmt::format("Training: {} steps of 64 dates", own.steps), [&] {
        show.figures.save(
            run_training(show, training->trainer,
                         {.name = "dates", .asked = "characters of held-out dates", .resume = own.resume}));
        show.section("What it answers, and where it looks",
                     [&] { show_date_answers(show, training->reader, training->dates.held_out); });
        show.deeper("Where each head of the decoder looks",
                    [&] { show_date_fields(show, training->reader, training->dates.held_out); });
        if (own.save.empty()) return;
        save_network(training->reader, date_kind(), own.save, date_metadata(*training));
        fmt::print(show.out, "\nThe weights are in {}\n", own.save);
    });
}

}  // namespace tfs
