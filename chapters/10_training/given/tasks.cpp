// chapters/10_training/given/tasks.cpp · the four tasks of this chapter by their names, given
#include "chapters/10_training/given/tasks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "chapters/10_training/given/character_task.hpp"
#include "chapters/10_training/given/date_task.hpp"
#include "chapters/10_training/given/it_task.hpp"
#include "chapters/10_training/given/noun_training.hpp"
#include "common/text/display.hpp"

namespace tfs {

namespace {

constexpr std::size_t most_steps = 1'000'000;

constexpr std::array<TaskNeeds, 4> all_tasks{
    {{.name = "nouns",
      .make = [](const TaskOptions& options) { return noun_task(options).task; },
      .d_model = 64,
      .heads = 1,
      .steps = 300,
      .batch_size = 64,
      .evaluate_every = 50,
      .warmup = 50,
      .rate = 3e-3,
      .fall = 10},
     {.name = "it",
      .make = [](const TaskOptions& options) { return it_task(options).task; },
      .d_model = 96,
      .heads = 4,
      .steps = 2400,
      .batch_size = 64,
      .evaluate_every = 200,
      .warmup = 100,
      .rate = 2e-3,
      .fall = 10},
     {.name = "dates",
      .make = [](const TaskOptions& options) { return date_task(options).task; },
      .d_model = 64,
      .heads = 1,
      .steps = 1800,
      .batch_size = 64,
      .evaluate_every = 200,
      .warmup = 200,
      .rate = 3e-3,
      .fall = 20},
     {.name = "characters",
      .make = [](const TaskOptions& options) { return character_task(options).task; },
      .d_model = 128,
      .heads = 4,
      .steps = 6000,
      .batch_size = 16,
      .evaluate_every = 500,
      .warmup = 200,
      .rate = 3e-3,
      .fall = 20}}};

void require_options(const TaskNeeds& needs, const TaskOptions& options) {
    if (options.steps == 1 || options.steps > most_steps)
        throw ValueError(fmt::format("--steps {}: must be between 2 and {} with --train {}", options.steps,
                                     most_steps, needs.name));
    if (options.heads != 0 && needs.d_model % options.heads != 0)
        throw ValueError(fmt::format("--heads {}: must divide {}, the width of the model of --train {}",
                                     options.heads, needs.d_model, needs.name));
    if (!(options.rate >= 0.0))
        throw ValueError(fmt::format("--rate {}: must be above 0 with --train {}", options.rate, needs.name));
    if (!options.corpus.empty() && needs.name != std::string("characters"))
        throw ValueError(fmt::format("--corpus is for --train characters, not for {}", needs.name));
}

}  // namespace

std::span<const TaskNeeds> tasks() { return all_tasks; }

const TaskNeeds& needs_of(const std::string& name) {
    std::vector<std::string> names;
    for (const TaskNeeds& needs : all_tasks) {
        if (needs.name == name) return needs;
        names.emplace_back(needs.name);
    }
    throw ValueError(fmt::format("--train {}: there is no such model; there are: {}", harmless(name),
                                 fmt::join(names, ", ")));
}

TaskSettings settings_of(const std::string& name, const TaskOptions& options) {
    const TaskNeeds& needs = needs_of(name);
    require_options(needs, options);
    TaskSettings settings{.heads = options.heads == 0 ? needs.heads : options.heads};
    TrainingPlan& plan = settings.plan;
    plan.steps = options.steps == 0 ? needs.steps : options.steps;
    plan.batch_size = needs.batch_size;
    plan.evaluate_every = needs.evaluate_every;
    plan.seed = options.seed;
    const double rate = options.rate == 0.0 ? needs.rate : options.rate;
    plan.rate = {.peak = rate, .final = rate / needs.fall, .warmup = std::min(needs.warmup, plan.steps / 2)};
    if (settings.heads != needs.heads)
        plan.subject = fmt::format("{} head{}", settings.heads, settings.heads == 1 ? "" : "s");
    return settings;
}

Task make_task(const std::string& name, const TaskOptions& options) { return needs_of(name).make(options); }

}  // namespace tfs
