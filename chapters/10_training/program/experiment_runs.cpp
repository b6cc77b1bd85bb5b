// chapters/10_training/program/experiment_runs.cpp · what the experiments share
#include <fmt/format.h>

#include <algorithm>

#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

Report table_with(const Table& table, const LineFigure& figure) {
    Report report;
    report.add(table);
    report.add(figure);
    return report;
}

Series loss_curve(const Request& request, Trainer& trainer, const std::string& name, std::size_t every) {
    Series curve{name};
    double sum = 0.0;
    while (!trainer.is_done()) {
        const StepReport report = trainer.take_step(trainer.next_batch());
        request.tell({"progress",
                      fmt::format("{}, seed {}: step {} of {}   loss {:.4f}", name, trainer.plan.seed,
                                  trainer.step, trainer.plan.steps, report.loss),
                      {{"step", static_cast<double>(trainer.step)}, {"loss", report.loss}}});
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

double middle(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

Cell middle_and_range(const std::vector<double>& values, const NumberFormat& how) {
    NumberFormat plain = how;
    plain.suffix.clear();
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return fmt::format("{} ({} to {})", format(middle(values), how), format(*low, plain),
                       format(*high, plain));
}

StackRuns stack_runs(const Request& request, const SmallStackPlan& plan, TrainingPlan training,
                     std::size_t seeds, const std::string& name, std::size_t every) {
    StackRuns runs;
    std::vector<Series> curves;
    for (training.seed = 1; training.seed <= seeds; ++training.seed) {
        const auto one = make_stack_training(plan, training);
        curves.push_back(loss_curve(request, one->trainer, name, every));
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

}  // namespace tfs
