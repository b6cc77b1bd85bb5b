// chapters/10_training/program/noun_run.cpp · the training as it is seen: progress, curves, how the map grew
#include "chapters/10_training/program/sections.hpp"

#include <fmt/ostream.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "chapters/10_training/program/interruption.hpp"

namespace tfs {

namespace {

std::vector<float> row_of(const NounFinder& model, const char* last_word) {
    std::vector<std::string> sentence = tired_cat;
    sentence.back() = last_word;
    return guess_noun(model, sentence).weights;
}

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

LineFigure empty_curves() {
    return {
        .name = "training",
        .title = "Training: loss and accuracy",
        .panels = {{"loss", "step", "nats", false, true, {{"training", {}, {}}, {"held out", {}, {}}}},
                   {.title = "right answers",
                    .x_axis = "step",
                    .y_axis = "% of the held-out sentences",
                    .series = {{"held out", {}, {}}},
                    .from_zero = true}},
        .caption =
            "Left: the loss falls for the sentences that the model learns from (the mean over the 50 steps "
            "before each "
            "point) and for the held-out ones. Right: the share of held-out sentences whose noun it names."};
}

void note_evaluation(LineFigure& curves, double step, const Evaluation& held_out) {
    curves.panels[0].series[1].add(step, held_out.loss);
    curves.panels[1].series[0].add(step, 100.0 * held_out.accuracy);
}

void note_map(GrowingMap& growth, const NounFinder& model, std::size_t step) {
    growth.steps.push_back(step);
    growth.tired.push_back(row_of(model, "tired"));
    growth.soft.push_back(row_of(model, "soft"));
}

void print_evaluation(std::ostream& out, const Progress& progress) {
    fmt::print(out,
               "  step {:>4}   loss {:.4f}   held out: loss {:.4f}, {:>5.1f} % right   rate {:.5f}   "
               "gradient {:.3f}\n",
               progress.step, progress.loss, progress.held_out->loss, 100.0 * progress.held_out->accuracy,
               progress.rate, progress.gradient_norm);
}

void resume(Show& show, Trainer& trainer, const std::filesystem::path& file) {
    if (!std::filesystem::exists(file))
        throw FileError(fmt::format("--resume: there is no checkpoint {} to go on from", file.string()));
    const std::string remark = load_checkpoint(trainer, file);
    fmt::print(show.out, "  goes on from step {}{}{}\n", trainer.step, remark.empty() ? "" : ": ", remark);
}

}  // namespace

NounRun run_noun_training(Show& show, NounTraining& training, const OwnOptions& own) {
    Trainer& trainer = training.trainer;
    NounRun run{empty_curves(), {}};
    const ProgressLine line;
    const Interruption interruption;
    Hooks hooks;
    if (!show.options.show.plots.empty())
        hooks.checkpoints = std::filesystem::path(show.options.show.plots) / "checkpoints";
    if (own.resume) resume(show, trainer, hooks.checkpoints / "last.safetensors");
    if (trainer.step == 0) {
        note_evaluation(run.curves, 0.0, evaluate(trainer.model, trainer.held_out));
        note_map(run.growth, training.model, 0);
    }
    double speed = 0.0;
    hooks.stop = &Interruption::asked;
    hooks.warn = [&](const std::string& sentence) {
        line.clear();
        fmt::print(show.out, "  {}\n", sentence);
    };
    hooks.after_step = [&](const Progress& progress) {
        speed = progress.tokens_per_second;
        const bool early = progress.step <= 100 && progress.step % 20 == 0;
        if (early || progress.step % 100 == 0) note_map(run.growth, training.model, progress.step);
        if (!progress.held_out) return line.update(progress);
        line.clear();
        run.curves.panels[0].series[0].add(static_cast<double>(progress.step), progress.loss);
        note_evaluation(run.curves, static_cast<double>(progress.step), *progress.held_out);
        print_evaluation(show.out, progress);
    };
    train(trainer, hooks);
    line.clear();
    const std::vector<double>& seen = run.curves.panels[0].series[1].x;
    if (seen.empty() || seen.back() != static_cast<double>(trainer.step))  // stopped, or nothing was left to do
        note_evaluation(run.curves, static_cast<double>(trainer.step), evaluate(trainer.model, trainer.held_out));
    if (run.growth.steps.empty() || run.growth.steps.back() != trainer.step)
        note_map(run.growth, training.model, trainer.step);
    if (speed > 0.0) fmt::print(show.out, "  {:.0f} tokens/s, evaluations included\n", speed);
    if (Interruption::asked())
        fmt::print(show.out, "  stopped at step {} of {}; {}\n", trainer.step, trainer.plan.steps,
                   hooks.checkpoints.empty() ? "nothing is saved without --plots"
                                             : "give the same command with -- --resume to go on");
    return run;
}

}  // namespace tfs
