// chapters/05_feed_forward/program/dead_units.cpp · hidden units that fire for no input, before and after training
#include "chapters/05_feed_forward/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "chapters/05_feed_forward/program/activation_curves.hpp"

namespace tfs {

namespace {

// The share of hidden units whose activation is flat (slope below 1e-3) at every row of x: no gradient reaches them.
double dead_share(const FeedForward& layer, const Tensor& x) {
    const Tensor input = Tensor(layer.up(x).array(), true);  // (rows, d_ff)
    sum(activate(layer.activation, input)).backward();
    std::vector<float> steepest(input.size(-1), 0.0f);
    for (std::size_t i = 0; i < input.size(); ++i) {
        float& unit = steepest[i % steepest.size()];
        unit = std::max(unit, std::abs(input.grad().data()[i]));
    }
    const auto dead =
        std::count_if(steepest.begin(), steepest.end(), [](float slope) { return slope < 1e-3f; });
    return static_cast<double>(dead) / static_cast<double>(steepest.size());
}

// First loss, last loss; the share of dead units in percent before, after, and for inputs that it was not trained on.
// The last loss is not finite where the run diverged.
using DeadUnits = std::array<double, 5>;

// A hundred plain gradient steps of the given size towards random targets.
DeadUnits train_with(Activation activation, float step, std::uint64_t seed) {
    constexpr std::size_t d = 16, d_ff = 64, rows = 256, steps = 100;
    Rng rng(seed);
    const Tensor x(rng.normal_array({rows, d})), fresh(rng.normal_array({rows, d})),
        target(rng.normal_array({rows, d}));
    const FeedForward layer(d, d_ff, rng, activation);
    DeadUnits result{};
    result[2] = 100.0 * dead_share(layer, x);
    for (std::size_t i = 0; i < steps; ++i) {
        const Tensor error = layer(x) - target, loss = mean(error * error);
        if (i == 0) result[0] = loss.item();
        result[1] = loss.item();
        gradient_step(loss, layer.parameters(), step);
    }
    result[3] = 100.0 * dead_share(layer, x);
    result[4] = 100.0 * dead_share(layer, fresh);
    return result;
}

constexpr std::size_t runs = 4;

// The mean of the runs that stayed finite, and how many did not.
std::pair<DeadUnits, std::size_t> mean_of_runs(Activation activation, float step, std::uint64_t seed) {
    DeadUnits total{};
    std::size_t diverged = 0;
    for (std::size_t run = 0; run < runs; ++run) {
        const DeadUnits one = train_with(activation, step, seed + run);
        if (!std::isfinite(one[1])) {
            ++diverged;
            continue;
        }
        for (std::size_t i = 0; i < total.size(); ++i) total[i] += one[i];
    }
    for (double& each : total) each /= static_cast<double>(runs - diverged);
    return {total, diverged};
}

}  // namespace

void measure_dead_units(Show& show) {
    fmt::print(show.out, "{:<12} {:>5} {:>12} {:>28} {:>26}\n", "activation", "step", "last loss",
               "dead, training inputs, %", "dead, new inputs, %");
    std::size_t all_diverged = 0;
    for (const float step : {1.0f, 6.0f, 8.0f}) {
        for (const auto& [name, activation] :
             {NamedActivation{"relu", Activation::relu}, NamedActivation{"gelu", Activation::gelu}}) {
            const auto [mean, diverged] = mean_of_runs(activation, step, show.options.seed);
            all_diverged += diverged;
            fmt::print(show.out, "{:<12} {:>5} ", name, step);
            if (diverged < runs) {
                fmt::print(show.out, "{:>12.2f} {:>28.0f} {:>26.0f}\n", mean[1], mean[3], mean[4]);
            } else {
                fmt::print(show.out, "all {} runs diverged\n", runs);
            }
        }
    }
    fmt::print(
        show.out,
        "  Means of {} runs each; {} of the 24 runs diverged (their loss is no number) and are left out.\n"
        "  These runs are chaotic: another processor may give other numbers.\n",
        runs, all_diverged);
}

}  // namespace tfs
