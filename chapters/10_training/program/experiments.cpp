// chapters/10_training/program/experiments.cpp · small trainings with a part and without it; two tests before a training; the puzzle's score
//
// Run it: ./tutorial run 10 --mine -- --experiment first_tests
//         ./tutorial run 10 -- --experiment residuals       (minutes; norms and dropout, too)
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/10_training/models/character_task.hpp"
#include "chapters/10_training/models/date_task.hpp"
#include "chapters/10_training/models/noun_training.hpp"
#include "chapters/10_training/models/small_stack.hpp"
#include "chapters/10_training/program/options.hpp"

namespace tfs {

namespace {

// Before a long training: the first loss, and one batch by heart.
Report test_first(const Request& request) {
    const FirstTests tests = first_tests(request[options::seed], [&](std::size_t step, double loss) {
        request.tell(
            {"progress", fmt::format("step {} of {}   loss {:.4f}", step, steps_of_first_tests, loss), {}});
    });
    Table table{.columns = {{"steps on one batch", whole()}, {"loss", fixed(3)}, {"gradient", fixed(3)}}};
    for (std::size_t step = 0; step <= steps_of_first_tests; step += 20)
        table.add({step, tests.steps[step].loss, tests.steps[step].gradient_norm});
    Report report;
    report.note(fmt::format(
        "A new reader of dates, and {0} dates. A guess among {1} characters costs ln {1} = {2:.2f}.",
        rows_of_first_tests, tests.vocab, std::log(tests.vocab)));
    report.add(table);
    return report;
}

// Two batches, of 30 targets and of 2, whose gradients are added up before a step.
Report add_up_gradients(const Request&) {
    Rng rng(1);
    const Tensor x(rng.normal_array({32, 8}));
    Ids targets = Ids::from_shape({32});
    for (std::int64_t& id : targets) id = static_cast<std::int64_t>(rng.below(10));
    // Of each batch alone, and of both as one. (An ignored target has no part in loss and gradient.)
    const auto gradient_of = [&](std::size_t begin, std::size_t end) {
        Ids asked = targets;
        for (std::size_t i = 0; i < 32; ++i)
            if (i < begin || i >= end) asked(i) = ignored;
        const Tensor weight = Tensor(Rng(2).normal_array({8, 10})).set_requires_grad(true);
        cross_entropy(matmul(x, weight), asked).backward();
        return Tensor(weight.grad());
    };
    const Tensor whole = gradient_of(0, 32), first = gradient_of(0, 30), second = gradient_of(30, 32);
    Table table{.columns = {{"added up"}, {"differs from both as one batch, %", magnitude(3, 0)}}};
    const auto add = [&](const char* name, const Tensor& sum) {
        table.add(
            {name, 100.0 * std::sqrt(sum_of_squares((sum - whole).array()) / sum_of_squares(whole.array()))});
    };
    add("1/2 and 1/2 of each mean", first * (1.0f / 2) + second * (1.0f / 2));
    add("30/32 and 2/32 of them", first * (30.0f / 32) + second * (2.0f / 32));
    Report report;
    report.add(table);
    return report;
}

// Of an odd number of values. "0.12 (0.10 to 0.15)": the middle, the lowest and the highest.
Cell middle_and_range(std::vector<double> values, const NumberFormat& how) {
    std::sort(values.begin(), values.end());
    return fmt::format("{} ({} to {})", format(values[values.size() / 2], how), format(values.front(), how),
                       format(values.back(), how));
}

// Stacks that are trained with the seeds 1, 2, …: a row of the table, and the curve of the middle one of them.
struct StackRow {
    std::vector<Cell> names;  // the first columns of the row
    std::string panel;        // with its curve; empty: it is not drawn
    std::string curve;
    Hue hue;
    SmallStackPlan plan;
    std::size_t warmup = 50, steps = 300, seeds = 3;
    std::size_t every = 5;  // the losses of the curve are means over so many steps
};

// Batches of 32 rows to be written backwards; the rate falls along half a cosine to a tenth of its peak.
TrainingPlan plan_of(const StackRow& row, std::uint64_t seed) {
    TrainingPlan plan{.steps = row.steps, .batch_size = 32, .evaluate_every = row.steps, .seed = seed};
    plan.rate = {.peak = 3e-3, .final = 3e-4, .warmup = row.warmup};
    return plan;
}

Series loss_curve(const Request& request, Trainer& trainer, const StackRow& row) {
    Series curve{.name = row.curve, .hue = row.hue};
    double sum = 0.0;
    while (!trainer.is_done()) {
        const StepReport report = trainer.take_step(trainer.next_batch());
        request.tell({"progress",
                      fmt::format("{}, seed {}: step {} of {}   loss {:.4f}", row.curve, trainer.plan.seed,
                                  trainer.step, trainer.plan.steps, report.loss),
                      {{"step", static_cast<double>(trainer.step)}, {"loss", report.loss}}});
        sum += report.loss;
        if (trainer.step % row.every != 0) continue;
        const double mean =
            std::max(sum / static_cast<double>(row.every), 1e-7);  // a logarithmic axis has no 0
        curve.add(static_cast<double>(trainer.step), mean);
        sum = 0.0;
    }
    return curve;
}

// Adds the row to the table, and returns its curve.
Series train_row(const Request& request, const StackRow& row, Table& table) {
    std::vector<double> losses, accuracies;
    std::vector<Series> curves;
    for (std::uint64_t seed = 1; seed <= row.seeds; ++seed) {
        Trainer trainer = small_stack_trainer(row.plan, plan_of(row, seed));
        curves.push_back(loss_curve(request, trainer, row));
        const Evaluation held_out = trainer.ask();
        losses.push_back(held_out.loss);
        accuracies.push_back(100.0 * held_out.accuracy);
    }
    std::vector<Cell> cells = row.names;
    const std::size_t first = cells.size();
    cells.push_back(middle_and_range(losses, table.columns[first].format));
    cells.push_back(middle_and_range(accuracies, table.columns[first + 1].format));
    table.add(cells);
    std::sort(curves.begin(), curves.end(),
              [](const Series& a, const Series& b) { return a.y.back() < b.y.back(); });
    return curves[curves.size() / 2];
}

Report compare_stacks(const Request& request, const std::vector<StackRow>& rows, Table table,
                      LineFigure figure, const std::string& note = "") {
    for (const StackRow& row : rows) {
        const Series curve = train_row(request, row, table);
        if (row.panel.empty()) continue;
        if (figure.panels.empty() || figure.panels.back().title != row.panel)
            figure.panels.push_back({.title = row.panel, .x_axis = "step", .y_axis = "loss", .log_y = true});
        figure.panels.back().series.push_back(curve);
    }
    figure.same_y = true;
    Report report;
    report.add(table);
    if (!note.empty()) report.note(note);
    report.add(figure);
    return report;
}

Report compare_residuals(const Request& request) {
    std::vector<StackRow> rows;
    for (const std::size_t layers : {2U, 6U})
        for (const bool residuals : {true, false}) {
            const std::string name = residuals ? "with residuals" : "without";
            rows.push_back({.names = {layers, name},
                            .panel = fmt::format("{} layers", layers),
                            .curve = name,
                            .hue = residuals ? Hue::with : Hue::without,
                            .plan = {.layers = layers, .residuals = residuals}});
        }
    return compare_stacks(
        request, rows,
        {.columns = {{"layers", whole()}, {""}, {"held-out loss", fixed(2)}, {"% right", whole()}}},
        {.name = "residuals",
         .title = "Without residual connections six layers hardly learn anything",
         .caption =
             "The training with the middle of three seeds, mean over 5 steps each. Without residuals two "
             "layers learn it with one seed of three, and six hardly learn anything in this time."});
}

Report compare_norms(const Request& request) {
    // A training of so many steps, with as many seeds as its time allows.
    struct Length {
        std::size_t layers, steps, seeds;
    };
    std::vector<StackRow> rows;
    for (const auto& [layers, steps, seeds] : {Length{2, 300, 5}, Length{12, 300, 5}, Length{12, 3000, 3}})
        for (const NormPosition norm : {NormPosition::pre, NormPosition::post})
            for (const std::size_t warmup : {0U, 100U}) {
                const std::string name = norm == NormPosition::pre ? "pre-norm" : "post-norm";
                rows.push_back({.names = {layers, steps, name, warmup},
                                .panel = layers == 2 ? "" : fmt::format("{} steps", steps),
                                .curve = name + (warmup == 0 ? "" : ", warm-up"),
                                .hue = norm == NormPosition::pre ? Hue::pre_norm : Hue::post_norm,
                                .plan = {.layers = layers, .norm = norm},
                                .warmup = warmup,
                                .steps = steps,
                                .seeds = seeds,
                                .every = steps / 60});
            }
    return compare_stacks(
        request, rows,
        {.columns = {{"layers", whole()},
                     {"steps", whole()},
                     {"norm"},
                     {"warm-up", whole()},
                     {"held-out loss", fixed(3)},
                     {"% right", whole()}}},
        {.name = "norms",
         .title = "Twelve layers of post-norm learned with warm-up and more steps",
         .caption =
             "Twelve layers, trained for 300 and for 3,000 steps; the training with the middle one of its "
             "seeds, means over a sixtieth of the steps. Without warm-up post-norm stays at ln 16, the "
             "loss of a guess among all symbols."},
        "the middle one of five seeds (of three for 3000 steps), and the lowest and highest");
}

// The losses of one training on a text that is too short for its model, both measured without dropout.
struct Course {
    Series known{.name = "training text", .hue = Hue::training},
        held_out{.name = "held-out text", .hue = Hue::held_out};

    [[nodiscard]] std::size_t best() const {
        return static_cast<std::size_t>(std::min_element(held_out.y.begin(), held_out.y.end()) -
                                        held_out.y.begin());
    }
};

Course course_of(const Request& request, const Corpus& corpus, double dropout, std::uint64_t seed) {
    constexpr std::size_t context = 32, windows_to_learn = 1000, every = 50, asked = 256;
    const TextTransformer model = new_writer(corpus.tokenizer,
                                             {.layers = 2,
                                              .d_model = 64,
                                              .heads = 4,
                                              .max_len = context,
                                              .positions = PositionKind::learned,
                                              .dropout = dropout},
                                             seed);
    std::vector<Example> windows = training_windows(corpus, context);
    windows.resize(windows_to_learn);
    const std::vector<Batch> known = batches_of({windows.begin(), windows.begin() + asked}, 64, 0);
    Trainer trainer({.plan = {.steps = 1000,
                              .batch_size = 32,
                              .rate = {.peak = 3e-3, .final = 3e-4, .warmup = 50},
                              .evaluate_every = 1000,
                              .seed = seed},
                     .model = writer_logits(model),
                     .parameters = model.parameters(),
                     .examples = windows,
                     .held_out = batches_of(some_held_out_windows(corpus, context, asked), 64, 0)});
    Course course;
    while (!trainer.is_done()) {
        trainer.take_step(trainer.next_batch());
        if (trainer.step % every != 0) continue;
        request.tell({"progress",
                      fmt::format("dropout {}, seed {}: step {} of {}", dropout, seed, trainer.step,
                                  trainer.plan.steps),
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
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Course& course = courses.emplace_back(course_of(request, corpus, dropout, seed));
        known.push_back(course.known.y.back());
        held_out.push_back(course.held_out.y.back());
        lowest.push_back(course.held_out.y[course.best()]);
    }
    table.add({dropout, middle_and_range(known, fixed(2)), middle_and_range(held_out, fixed(2)),
               middle_and_range(lowest, fixed(2))});
    std::sort(courses.begin(), courses.end(),
              [](const Course& a, const Course& b) { return a.held_out.y.back() < b.held_out.y.back(); });
    return courses[courses.size() / 2];
}

Report compare_dropouts(const Request& request) {
    const Corpus corpus = read_corpus(shipped_corpus(), 32);
    LineFigure figure{
        .name = "dropout",
        .title = "Without dropout the model learns by heart, and gets worse at held-out text",
        .caption =
            "The training with the middle of three seeds; both losses are measured without dropout. Without "
            "dropout the loss of held-out text rises after its best step; with dropout 0.2 it does not.",
        .same_y = true};
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
        if (dropout == 0.0)
            figure.panels.back().limits = {
                {.from = middle.held_out.x[middle.best()], .name = "best here", .on_x = true}};
    }
    Report report;
    report.add(table);
    report.add(figure);
    return report;
}

// How few parameters, and how many answers are right with each seed.
Report keep_score(const Request& request) {
    constexpr std::size_t fewest_known = 602;  // width 4, one head, a rate of 0.05
    const NounPlan plan = smallest_model();
    Table table{.columns = {{"seed", whole()}, {"% right", fixed(1)}, {"held-out loss", fixed(2)}}};
    for (const std::uint64_t seed : seeds_of_the_puzzle) {
        request.tell({"progress", fmt::format("a training with seed {}", seed), {}});
        const PlanScore score = score_of(plan, seed);
        table.add({seed, 100.0 * score.accuracy, score.loss});
    }
    Report report;
    report.note(fmt::format(
        "{} parameters of at most {}, {} sentences of at most {}; the fewest "
        "parameters that we know of: {}",
        noun_parameters(plan), most_parameters_of_the_puzzle, plan.training.steps * plan.training.batch_size,
        most_sentences_of_the_puzzle, fewest_known));
    report.add(table);
    return report;
}

}  // namespace

Sections experiment_sections() {
    return {{"first_tests",
             "Before a training: the first loss, and one batch",
             test_first,
             {options::seed},
             Level::experiment},
            {"accumulation",
             "Two batches of 30 and 2 targets, added up before a step",
             add_up_gradients,
             {},
             Level::experiment},
            {"residuals", "Without residuals", compare_residuals, {}, Level::experiment, Slow::yes},
            {"norms",
             "Pre-norm and post-norm, with and without warm-up",
             compare_norms,
             {},
             Level::experiment,
             Slow::yes},
            {"dropout", "Dropout against overfitting", compare_dropouts, {}, Level::experiment, Slow::yes},
            {"smallest", "The puzzle's score", keep_score, {}, Level::experiment}};
}

}  // namespace tfs
