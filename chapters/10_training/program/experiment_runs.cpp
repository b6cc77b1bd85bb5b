// chapters/10_training/program/experiment_runs.cpp · the list of the experiments, and what they share
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "chapters/10_training/program/experiments.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr std::array<Experiment, 9> all_experiments{{
    {"one_batch", "Can the model learn one batch by heart?", &experiment_one_batch},
    {"rates", "The learning rate, from too small to too large", &experiment_rates},
    {"positions", "Without positions", &experiment_positions},
    {"scale", "Without 1/sqrt(d_k)", &experiment_scale},
    {"smoothing", "Label smoothing", &experiment_smoothing},
    {"residuals", "Without residuals", &experiment_residuals, true},
    {"norms", "Pre-norm and post-norm, with and without warm-up", &experiment_norms, true},
    {"gradients", "The gradient by layer", &experiment_gradients, true},
    {"dropout", "Dropout against overfitting", &experiment_dropout, true},
}};

bool is_asked(const Experiment& experiment, const std::string& name) {
    return name == experiment.name || (name == "all" && !experiment.slow);
}

}  // namespace

std::span<const Experiment> experiments() { return all_experiments; }

void require_experiment(const std::string& name) {
    std::vector<std::string> names{"all"};
    for (const Experiment& experiment : experiments()) names.emplace_back(experiment.name);
    if (std::find(names.begin(), names.end(), name) == names.end())
        throw ValueError(fmt::format("--experiment {}: there is no such experiment; there are: {}",
                                     harmless(name), fmt::join(names, ", ")));
}

void show_experiments(Show& show, const std::string& name) {
    for (const Experiment& experiment : experiments())
        if (is_asked(experiment, name))
            show.section(experiment.title, [&] { show.figures.save(experiment.run(show)); });
}

Series loss_curve(Trainer& trainer, const std::string& name, std::size_t every,
                  const std::function<void(const StepReport&)>& after_step) {
    Series curve{name};
    double sum = 0.0;
    while (!trainer.is_done()) {
        const StepReport report = trainer.take_step(trainer.next_batch());
        if (after_step) after_step(report);
        sum += report.loss;
        if (trainer.step % every != 0) continue;
        const double mean = std::max(sum / static_cast<double>(every), 1e-7);  // a logarithmic axis has no 0
        curve.add(static_cast<double>(trainer.step), mean);
        sum = 0.0;
    }
    return curve;
}

Series middle_curve(std::vector<Series> curves) {
    std::sort(curves.begin(), curves.end(),
              [](const Series& a, const Series& b) { return a.y.back() < b.y.back(); });
    return curves[curves.size() / 2];
}

std::string middle_and_range(std::vector<double> values, const char* format) {
    std::sort(values.begin(), values.end());
    const auto written = [&](double value) { return fmt::format(fmt::runtime(format), value); };
    return fmt::format("{} ({} to {})", written(values[values.size() / 2]), written(values.front()),
                       written(values.back()));
}

StackRuns stack_runs(const SmallStackPlan& plan, TrainingPlan training, std::size_t seeds,
                     const std::string& name, std::size_t every) {
    StackRuns runs;
    std::vector<Series> curves;
    for (training.seed = 1; training.seed <= seeds; ++training.seed) {
        const auto one = make_stack_training(plan, training);
        curves.push_back(loss_curve(one->trainer, name, every));
        const Evaluation held_out = one->trainer.ask();
        runs.losses.push_back(held_out.loss);
        runs.accuracies.push_back(100.0 * held_out.accuracy);
    }
    runs.curve = middle_curve(curves);
    return runs;
}

TrainingPlan reversal_plan(std::size_t steps, double rate, std::size_t warmup, std::uint64_t seed) {
    TrainingPlan plan{.steps = steps, .batch_size = 32, .evaluate_every = steps, .seed = seed};
    plan.rate = {.peak = rate, .final = rate / 10, .warmup = warmup};
    return plan;
}

TrainingPlan sentence_plan(std::size_t steps, double rate, std::uint64_t seed) {
    TrainingPlan plan{.steps = steps, .batch_size = 64, .evaluate_every = steps, .seed = seed};
    plan.rate = {.peak = rate, .final = rate / 10, .warmup = std::min<std::size_t>(50, steps / 2)};
    return plan;
}

}  // namespace tfs
