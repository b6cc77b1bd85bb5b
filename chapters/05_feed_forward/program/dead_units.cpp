// chapters/05_feed_forward/program/dead_units.cpp · hidden units that fire for no input, before and after training
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

// Percent of the hidden units whose activation is flat (slope below 1e-3) at every row of x: no gradient reaches them.
double percent_dead(const FeedForward& layer, const Tensor& x) {
    const Tensor input = Tensor(layer.up(x).array(), true);  // (rows, d_ff)
    sum(activate(layer.activation, input)).backward();
    std::vector<float> steepest(input.size(-1), 0.0f);
    for (std::size_t i = 0; i < input.size(); ++i) {
        float& unit = steepest[i % steepest.size()];
        unit = std::max(unit, std::abs(input.grad().data()[i]));
    }
    const auto dead =
        std::count_if(steepest.begin(), steepest.end(), [](float slope) { return slope < 1e-3f; });
    return 100.0 * static_cast<double>(dead) / static_cast<double>(steepest.size());
}

struct DeadUnits {
    double last_loss = 0.0;                         // not finite where the run diverged
    double trained_inputs = 0.0, new_inputs = 0.0;  // percent of the units
};

// A hundred plain gradient steps of the given size towards random targets.
DeadUnits train_with(Activation activation, float step, std::uint64_t seed) {
    constexpr std::size_t d = 16, d_ff = 64, rows = 256, steps = 100;
    Rng rng(seed);
    const Tensor x(rng.normal_array({rows, d})), fresh(rng.normal_array({rows, d})),
        target(rng.normal_array({rows, d}));
    const FeedForward layer(d, d_ff, rng, activation);
    DeadUnits result;
    for (std::size_t i = 0; i < steps; ++i) {
        const Tensor error = layer(x) - target, loss = mean(error * error);
        result.last_loss = loss.item();
        gradient_step(loss, layer.parameters(), step);
    }
    result.trained_inputs = percent_dead(layer, x);
    result.new_inputs = percent_dead(layer, fresh);
    return result;
}

constexpr std::size_t runs = 4;

struct Runs {
    DeadUnits mean;  // of those that stayed finite
    std::size_t diverged = 0;
};

Runs train_all(const Request& request, const NamedActivation& activation, float step) {
    Runs all;
    for (std::size_t run = 0; run < runs; ++run) {
        request.tell(
            {"progress", fmt::format("{}, step {}: run {} of {}", activation.name, step, run + 1, runs)});
        const DeadUnits one = train_with(activation.activation, step, request[options::seed] + run);
        if (!std::isfinite(one.last_loss)) {
            ++all.diverged;
            continue;
        }
        all.mean.last_loss += one.last_loss;
        all.mean.trained_inputs += one.trained_inputs;
        all.mean.new_inputs += one.new_inputs;
    }
    const auto finite = static_cast<double>(runs - all.diverged);
    return {{all.mean.last_loss / finite, all.mean.trained_inputs / finite, all.mean.new_inputs / finite},
            all.diverged};
}

Report show_dead_units(const Request& request) {
    Table table{.columns = {{"activation"},
                            {"step", whole()},
                            {"last loss", fixed(2)},
                            {"dead, training inputs", whole(), "%"},
                            {"dead, new inputs", whole(), "%"}}};
    std::size_t diverged = 0;
    for (const float step : {1.0f, 6.0f, 8.0f}) {
        for (const NamedActivation& activation :
             {NamedActivation{"relu", Activation::relu}, NamedActivation{"gelu", Activation::gelu}}) {
            const Runs all = train_all(request, activation, step);
            diverged += all.diverged;
            if (all.diverged < runs)
                table.add({activation.name, step, all.mean.last_loss, all.mean.trained_inputs,
                           all.mean.new_inputs});
            else
                table.add({activation.name, step, fmt::format("all {} runs diverged", runs), {}, {}});
        }
    }
    Report report;
    report.add(table);
    report.note(fmt::format(
        "Means of {} runs each; {} of the {} runs diverged (their loss is no number) and are left out.\n"
        "These runs are chaotic: another processor may give other numbers.",
        runs, diverged, runs * table.rows.size()));
    return report;
}

}  // namespace

Sections dead_units_sections() {
    return {{"dead-units", "Dead units", show_dead_units, {options::seed}, Level::deeper}};
}

}  // namespace tfs
