// chapters/10_training/program/experiment_dropout.cpp · a text that is too short for its model, with dropout and without
//
// Run it: ./tutorial run 10 -- --experiment dropout
#include <fmt/format.h>

#include <algorithm>

#include "chapters/10_training/models/character_task.hpp"
#include "chapters/10_training/models/initial_values.hpp"
#include "chapters/10_training/program/experiments.hpp"
#include "common/io/weights.hpp"

namespace tfs {

namespace {

constexpr std::size_t context = 32, windows_to_learn = 1000, dropout_seeds = 3;
constexpr ModelConfig sizes{
    .layers = 2, .d_model = 64, .heads = 4, .max_len = context, .positions = PositionKind::learned};
const TrainingPlan overfitting_plan{.steps = 1000,
                                    .batch_size = 32,
                                    .rate = {.peak = 3e-3, .final = 3e-4, .warmup = 50},
                                    .evaluate_every = 1000};

// The losses of one training, both measured without dropout.
struct Course {
    Series known{.name = "training text", .hue = Hue::training},
        held_out{.name = "held-out text", .hue = Hue::held_out};
};

Trainer short_text_trainer(const Corpus& corpus, const TextTransformer& model, const TrainingPlan& plan) {
    std::vector<Example> windows = training_windows(corpus, context);
    windows.resize(windows_to_learn);
    return Trainer({.plan = plan,
                    // Handles, not copies: the model whose parameters the optimizer moves.
                    .model = [model](const Batch& batch,
                                     Rng* rng) { return model.model(batch.inputs, {.rng = rng}).logits; },
                    .parameters = model.parameters(),
                    .examples = windows,
                    .held_out = batches_of(some_held_out_windows(corpus, context, 256), 64, 0)});
}

Course course_of(const Request& request, const Corpus& corpus, double dropout, std::uint64_t seed) {
    constexpr std::size_t every = 50, asked = 256;
    Rng rng(seed);
    ModelConfig with_dropout = sizes;
    with_dropout.dropout = dropout;
    const TextTransformer model(corpus.tokenizer, with_dropout, rng);
    draw_initial_values(model.parameters(), sizes.layers, rng);
    TrainingPlan plan = overfitting_plan;
    plan.seed = seed;
    Trainer trainer = short_text_trainer(corpus, model, plan);
    const std::vector<Example> some(trainer.examples.begin(), trainer.examples.begin() + asked);
    const std::vector<Batch> known = batches_of(some, 64, 0);
    Course course;
    while (!trainer.is_done()) {
        trainer.take_step(trainer.next_batch());
        if (trainer.step % every != 0) continue;
        request.tell(
            {"progress",
             fmt::format("dropout {}, seed {}: step {} of {}", dropout, seed, trainer.step, plan.steps),
             {{"step", static_cast<double>(trainer.step)}}});
        course.known.add(static_cast<double>(trainer.step), evaluate(trainer.model, known).loss);
        course.held_out.add(static_cast<double>(trainer.step), trainer.ask().loss);
    }
    return course;
}

// Adds a row to the table, and returns the course whose last held-out loss is the middle one.
Course middle_course(const Request& request, Table& table, const Corpus& corpus, double dropout) {
    std::vector<Course> courses;
    std::vector<double> known, held_out, lowest;
    for (std::uint64_t seed = 1; seed <= dropout_seeds; ++seed) {
        courses.push_back(course_of(request, corpus, dropout, seed));
        const Course& course = courses.back();
        known.push_back(course.known.y.back());
        held_out.push_back(course.held_out.y.back());
        lowest.push_back(*std::min_element(course.held_out.y.begin(), course.held_out.y.end()));
    }
    table.add({dropout, middle_and_range(known, fixed(2)), middle_and_range(held_out, fixed(2)),
               middle_and_range(lowest, fixed(2))});
    std::sort(courses.begin(), courses.end(),
              [](const Course& a, const Course& b) { return a.held_out.y.back() < b.held_out.y.back(); });
    return courses[courses.size() / 2];
}

Report compare_dropouts(const Request& request) {
    const Corpus corpus = read_corpus(shipped_corpus(), context);
    LineFigure figure{.name = "dropout",
                      .title = "Without dropout the model learns by heart, and gets worse at held-out text"};
    Table table{.columns = {{"dropout", significant(2)},
                            {"loss, training text", fixed(2)},
                            {"loss, held-out text", fixed(2)},
                            {"its lowest on the way", fixed(2)}}};
    for (const double dropout : {0.0, 0.1, 0.2}) {
        const Course middle = middle_course(request, table, corpus, dropout);
        if (dropout == 0.1) continue;
        figure.panels.push_back({.title = dropout == 0.0 ? "without dropout" : "dropout 0.2",
                                 .x_axis = "step",
                                 .y_axis = "loss",
                                 .series = {middle.known, middle.held_out},
                                 .from_zero = true});
        const auto best = std::min_element(middle.held_out.y.begin(), middle.held_out.y.end());
        if (dropout == 0.0)
            figure.panels.back().limits = {
                {.from = middle.held_out.x[static_cast<std::size_t>(best - middle.held_out.y.begin())],
                 .name = "best here",
                 .on_x = true}};
    }
    figure.same_y = true;
    figure.caption =
        "The training with the middle of three seeds; both losses are measured without dropout. Without "
        "dropout the loss of held-out text rises after its best step; with dropout 0.2 it does not.";
    return table_with(table, figure);
}

}  // namespace

Sections experiment_dropout_sections() {
    return {{"dropout", "Dropout against overfitting", compare_dropouts, {}, Level::experiment, Slow::yes}};
}

}  // namespace tfs
