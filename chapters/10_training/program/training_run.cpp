// chapters/10_training/program/training_run.cpp · a training as it is seen: its progress, its curves, its checkpoints
#include "chapters/10_training/program/training_run.hpp"

#include <fmt/ostream.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "chapters/10_training/program/interruption.hpp"

namespace tfs {

namespace {

// On a terminal one line, which is written over and over, beside the output.
class ProgressLine {
  public:
    void update(const Progress& progress) const {
        if (!on_terminal_) return;
        fmt::print(stderr,
                   "\r  step {} of {}   loss {:.4f}   rate {:.5f}   gradient {:.3f}   {:.0f} tokens/s   "
                   "{:.0f} s left\x1b[K",
                   progress.step, progress.steps, progress.loss, progress.rate, progress.gradient_norm,
                   progress.tokens_per_second, progress.seconds_left);
        std::fflush(stderr);
    }
    void clear() const {
        if (on_terminal_) fmt::print(stderr, "\r\x1b[K");
    }

  private:
    bool on_terminal_ = isatty(STDERR_FILENO) != 0;
};

LineFigure empty_curves(const Task& task) {
    return {.name = "training",
            .title = "Training: loss and accuracy",
            .panels = {{"loss", "step", "loss", false, true, {{"training", {}, {}}, {"held out", {}, {}}}},
                       {.title = "right answers",
                        .x_axis = "step",
                        .y_axis = "% of the " + task.asked,
                        .series = {{"held out", {}, {}}},
                        .from_zero = true}},
            .caption = fmt::format("Left, on a logarithmic axis: the loss of what the model learns from (the "
                                   "mean over the {} steps before each point, so it lags behind) and of what "
                                   "it never sees. Right: the share of {} that it gets right.",
                                   task.plan.evaluate_every, task.asked)};
}

void note_evaluation(LineFigure& curves, std::size_t step, const Evaluation& held_out) {
    curves.panels[0].series[1].add(static_cast<double>(step), held_out.loss);
    curves.panels[1].series[0].add(static_cast<double>(step), 100.0 * held_out.accuracy);
}

void print_evaluation(std::ostream& out, const Progress& progress) {
    fmt::print(out,
               "  step {:>4}   loss {:.4f}   held out: loss {:.4f}, {:>5.1f} % right   rate {:.5f}   "
               "gradient {:.3f}\n",
               progress.step, progress.loss, progress.held_out->loss, 100.0 * progress.held_out->accuracy,
               progress.rate, progress.gradient_norm);
}

// Trains, and returns the curves of loss and accuracy.
LineFigure run_training(Show& show, Trainer& trainer, const ShownTraining& shown) {
    LineFigure curves = empty_curves(shown.task);
    const ProgressLine line;
    const auto at_step = [&] {
        if (shown.at_step) shown.at_step(trainer.step);
    };
    at_step();
    note_evaluation(curves, trainer.step, trainer.ask());
    double speed = 0.0;
    Hooks hooks{.stop = &is_interrupted, .checkpoints = checkpoints_of(show.options, shown.task.name)};
    hooks.warn = [&](const std::string& sentence) {
        line.clear();
        fmt::print(show.out, "  {}\n", sentence);
    };
    hooks.after_step = [&](const Progress& progress) {
        speed = progress.tokens_per_second;
        at_step();
        if (!progress.held_out) return line.update(progress);
        line.clear();
        curves.panels[0].series[0].add(static_cast<double>(progress.step), progress.loss);
        note_evaluation(curves, progress.step, *progress.held_out);
        print_evaluation(show.out, progress);
        show.out.flush();
    };
    train(trainer, hooks);
    line.clear();
    if (speed > 0.0) fmt::print(show.out, "  {:.0f} tokens/s, evaluations included\n", speed);
    if (is_interrupted())
        fmt::print(show.out, "  stopped at step {} of {}; {}\n", trainer.step, trainer.plan.steps,
                   hooks.checkpoints.empty() ? "nothing is saved without --plots"
                                             : "give the same command with -- --resume to go on");
    return curves;
}

}  // namespace

std::filesystem::path checkpoints_of(const SharedOptions& options, const std::string& task) {
    const std::filesystem::path folder = options.show.plots;
    return folder.empty() ? folder : folder / "checkpoints" / task;
}

void show_training(Show& show, const ShownTraining& shown, const RunOptions& options) {
    const Task& task = shown.task;
    show.section(shown.title, shown.introduce);
    const TrainingPlan& plan = task.plan;
    show.section(fmt::format("Training: {} steps of {} {}", plan.steps, plan.batch_size, task.units), [&] {
        hold_interruptions();
        Trainer trainer(task);
        if (options.resume) {
            const std::string remark =
                load_checkpoint(trainer, checkpoints_of(show.options, task.name) / "last.safetensors");
            fmt::print(show.out, "  goes on from step {}{}{}\n", trainer.step, remark.empty() ? "" : ": ",
                       remark);
        }
        show.figures.save(run_training(show, trainer, shown));
        if (is_interrupted()) return;  // what follows is of a model that is finished
        if (!options.save.empty()) {
            save_trained(task, options.save);
            fmt::print(show.out, "  The weights are in {}\n", options.save.string());
        }
        shown.finish();
    });
}

}  // namespace tfs
