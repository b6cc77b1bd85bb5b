// chapters/10_training/program/sections.cpp · trains a small model, and looks at what its attention learned
//
// Run it: ./tutorial run 10          on your own steps: ./tutorial run 10 --mine=all
//         ./tutorial run 10 -- --deeper
//         ./tutorial run 10 -- --steps 50 --rate 0.01
//         ./tutorial run 10 -- --train sizes     (seconds)
//         ./tutorial run 10 -- --train it        (a minute)
//         ./tutorial run 10 -- --train dates     (a minute)
//         ./tutorial run 10 -- --train characters     (25 minutes on one core; --corpus FILE learns your text)
//         ./tutorial run 10 --mine=passed -- --experiment language-model     (3 minutes on two cores; --steps 200 shortens it)
//         ./tutorial run 10 -- --resume          (after Ctrl-C)
//         ./tutorial run 10 -- --experiment all  (what a part does for the training)
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "chapters/10_training/program/options.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

ShownTask shown_task(const Request& request) {
    const std::string& train = request[options::train];
    if (train == "sizes") return shown_sizes(request);
    if (train == "it") return shown_it(request);
    if (train == "dates") return shown_dates(request);
    if (train == "characters") return shown_characters(request);
    return shown_nouns(request);
}

// Tells each step, for Hooks::after_step.
std::function<void(const Progress&)> told_to(const Request& request) {
    return [&request](const Progress& progress) {
        Event event{"progress",
                    fmt::format("step {} of {}   loss {:.4f}   rate {:.5f}   gradient {:.3f}   {:.0f} s left",
                                progress.step, progress.steps, progress.loss, progress.rate,
                                progress.gradient_norm, progress.seconds_left),
                    {{"step", static_cast<double>(progress.step)},
                     {"steps", static_cast<double>(progress.steps)},
                     {"loss", progress.loss},
                     {"rate", progress.rate},
                     {"gradient", progress.gradient_norm}}};
        if (progress.held_out) event.numbers.emplace_back("held_out_loss", progress.held_out->loss);
        request.tell(event);
    };
}

Table no_evaluations() {
    return {.columns = {{"step", whole()},
                        {"loss", fixed(4)},
                        {"held-out loss", fixed(4)},
                        {"right", fixed(1, " %")},
                        {"rate", fixed(5)},
                        {"gradient", fixed(3)}}};
}

void add_evaluation(Table& table, const Progress& progress) {
    table.add({progress.step, progress.loss, progress.held_out->loss, 100.0 * progress.held_out->accuracy,
               progress.rate, progress.gradient_norm});
}

// The loss of what is learned from, as means over some steps, each in the middle of them.
struct LearnedLosses {
    std::size_t every;
    Series curve{.name = "training", .hue = Hue::training};
    std::size_t since = 0, steps = 0;  // since the last evaluation, and those of them that are not drawn yet
    double sum = 0.0;                  // of the losses of these

    void add(const Progress& progress) {
        ++since;
        ++steps;
        sum += progress.step_loss;
        if (since % every == 0 || progress.held_out) {
            curve.add(static_cast<double>(progress.step) - static_cast<double>(steps) / 2,
                      sum / static_cast<double>(steps));
            steps = 0;
            sum = 0.0;
        }
        if (progress.held_out) since = 0;
    }
};

LineFigure curves_of(const Table& evaluations, const LearnedLosses& learned, const Task& task) {
    const Series asked = series(evaluations, "step", "held-out loss");
    const bool falls = asked.y.back() < asked.y.front();
    const bool few = asked.x.size() <= 20;  // then they are dots: a gap between any two
    Series held_out{.name = few ? "held out (dots)" : "held out", .hue = Hue::held_out};
    for (std::size_t i = 0; i < asked.x.size(); ++i) {
        if (few && i > 0) held_out.add(asked.x[i], NAN);
        held_out.add(asked.x[i], asked.y[i]);
    }
    return {
        .name = "training",
        .title = falls ? "The loss also falls for sentences that the model never saw"
                       : "The loss does not fall for what the model never saw",
        .panels = {{.x_axis = "step",
                    .y_axis = "loss",
                    .series = {learned.curve, std::move(held_out)},
                    .from_zero = true}},
        .caption = fmt::format(
            "The loss of what the model learns from (means over {} steps; in the table over {}), and of {}.",
            learned.every, task.plan.evaluate_every, task.asked)};
}

// Trains. What is shown at single steps comes first, then a row for each evaluation.
Report run_training(const Request& request, Trainer& trainer, const ShownTask& shown) {
    Report report;
    const auto at_step = [&] {
        if (shown.at_step) report.add(shown.at_step(trainer.step));
    };
    at_step();
    Table evaluations = no_evaluations();
    LearnedLosses learned{.every = std::max<std::size_t>(1, shown.task.plan.evaluate_every / 10)};
    const Evaluation first = trainer.ask();
    evaluations.add({trainer.step, Cell(), first.loss, 100.0 * first.accuracy, Cell(), Cell()});
    train(trainer, {.after_step =
                        [&, tell = told_to(request)](const Progress& progress) {
                            tell(progress);
                            at_step();
                            learned.add(progress);
                            if (progress.held_out) add_evaluation(evaluations, progress);
                        },
                    .warn = [&](const std::string& sentence) { report.note(sentence); },
                    .stop = &is_interrupted,
                    .checkpoints = checkpoints_of(request, shown.task.name)});
    report.add(evaluations);
    report.add(curves_of(evaluations, learned, shown.task));
    return report;
}

Report show_training(const Request& request) {
    const ShownTask shown = shown_task(request);
    const Task& task = shown.task;
    Report report;
    report.note(fmt::format("{} steps of {} {}", task.plan.steps, task.plan.batch_size, task.units));
    Trainer trainer(task);
    if (request[options::resume]) {
        const std::string remark =
            load_checkpoint(trainer, checkpoints_of(request, task.name) / "last.safetensors");
        report.note(
            fmt::format("goes on from step {}{}{}", trainer.step, remark.empty() ? "" : ": ", remark));
    }
    hold_interruptions();
    report.add(run_training(request, trainer, shown));
    if (is_interrupted()) {  // what follows is of a model that is finished
        report.note(fmt::format("stopped at step {} of {}; {}", trainer.step, trainer.plan.steps,
                                request.folder.empty() ? "nothing is saved without --plots"
                                                       : "give the same command with -- --resume to go on"));
        return report;
    }
    if (const std::string& file = request[options::save]; !file.empty()) {
        save_trained(task, file);
        report.note("The weights are in " + file);
    }
    report.add(shown.finish());
    return report;
}

std::vector<Option> options_of_tasks() {
    return {options::train, options::steps, options::rate, options::heads, options::corpus, options::seed};
}

}  // namespace

std::filesystem::path checkpoints_of(const Request& request, const std::string& task) {
    return request.folder.empty() ? request.folder : request.folder / "checkpoints" / task;
}

Sections training_sections() {
    return {{"task", "The task: {train}",
             [](const Request& request) { return shown_task(request).introduce(); }, options_of_tasks()},
            {"training", "Training: {train}", show_training,
             with(with(options_of_tasks(), options::resume), options::save)}};
}

Sections by_hand_sections(), training_sections(), it_sections(), dates_sections(), characters_sections(),
    experiment_sections();

namespace options {

TextOption trained_model() {
    std::vector<std::string> names;
    for (const TaskKind& kind : task_kinds()) names.emplace_back(kind.name);
    return {"--train", names.front(), fmt::format("the model that is trained: {}", fmt::join(names, ", ")), 0,
            names};
}

}  // namespace options

namespace {

// A training may take minutes: what would stop it at its beginning or its end is said before.
void check_files(const Request& request) {
    const std::string& train = request[options::train];
    if (request[options::resume]) {
        const std::filesystem::path folder = checkpoints_of(request, train),
                                    file = folder / "last.safetensors";
        if (folder.empty())
            throw ValueError(fmt::format(
                "--resume: --train {} has its checkpoints below the folder of --plots, which is not given",
                train));
        if (!std::filesystem::exists(file))
            throw FileError(fmt::format("--resume: there is no checkpoint of --train {} to go on from, {}",
                                        train, harmless(file.string())));
    }
    std::error_code error;
    const auto status = std::filesystem::status(request[options::save], error);
    if (status.type() == std::filesystem::file_type::none)
        throw FileError(fmt::format("--save: {}: can't be written ({})", harmless(request[options::save]),
                                    error.message()));
    if (std::filesystem::is_directory(status))
        throw FileError(fmt::format("--save: {} is a folder, not a file", harmless(request[options::save])));
    const std::filesystem::path folder = std::filesystem::path(request[options::save]).parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
        throw FileError(fmt::format("--save: there is no folder {} for the weights of --train {}",
                                    harmless(folder.string()), train));
}

void check_options(const Request& request) {
    (void)task_settings(request);
    check_files(request);
}

// What follows the training of the lesson is not shown with another.
bool belongs(const Section& section, const Request& request) {
    const std::string& train = request[options::train];
    if (section.id == "task" || section.id == "training") return true;
    return train == "nouns";
}

}  // namespace

Chapter chapter() {
    return {.name = "10_training",
            .description = "Training: from random weights to an attention map that means something.",
            .sections = joined({by_hand_sections(), training_sections(), it_sections(), dates_sections(),
                                characters_sections(), experiment_sections()}),
            .check = check_options,
            .belongs = belongs};
}

TaskSettings task_settings(const Request& request) {
    return settings_of(request[options::train], {.steps = request[options::steps],
                                                 .heads = request[options::heads],
                                                 .rate = request[options::rate],
                                                 .seed = request[options::seed],
                                                 .corpus = request[options::corpus]});
}

}  // namespace tfs
