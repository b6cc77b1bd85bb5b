// chapters/10_training/models/tasks.cpp · the four tasks of this chapter by their names
#include "chapters/10_training/models/tasks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "chapters/10_training/models/character_task.hpp"
#include "chapters/10_training/models/date_task.hpp"
#include "chapters/10_training/models/it_task.hpp"
#include "chapters/10_training/models/noun_training.hpp"
#include "common/io/safetensors_header.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr std::size_t most_steps = 1'000'000;

// name, model · steps, batch size, evaluations, warm-up · rate, fall
constexpr std::array<TaskNeeds, 4> all_tasks{{{"nouns", noun_finder_config, 300, 64, 50, 50, 3e-3, 10},
                                              {"it", it_reader_config, 2400, 64, 200, 100, 2e-3, 10},
                                              {"dates", date_reader_config, 1800, 64, 200, 200, 3e-3, 20},
                                              {"characters", character_config, 6000, 8, 500, 200, 3e-3, 20}}};

void require_options(const TaskNeeds& needs, const TaskOptions& options) {
    if (options.steps == 1 || options.steps > most_steps)
        throw ValueError(fmt::format("--steps {}: must be between 2 and {} with --train {}", options.steps,
                                     most_steps, needs.name));
    const std::size_t d_model = needs.config().d_model;
    if (options.heads != 0 && d_model % options.heads != 0)
        throw ValueError(fmt::format("--heads {}: must divide {}, the width of the model of --train {}",
                                     options.heads, d_model, needs.name));
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
    const std::size_t heads = needs.config().heads;
    TaskSettings settings{.heads = options.heads == 0 ? heads : options.heads};
    TrainingPlan& plan = settings.plan;
    plan.steps = options.steps == 0 ? needs.steps : options.steps;
    plan.batch_size = needs.batch_size;
    plan.evaluate_every = needs.evaluate_every;
    plan.seed = options.seed;
    const double rate = options.rate == 0.0 ? needs.rate : options.rate;
    plan.rate = {.peak = rate, .final = rate / needs.fall, .warmup = std::min(needs.warmup, plan.steps / 2)};
    if (settings.heads != heads)
        plan.subject = fmt::format("{} head{}", settings.heads, settings.heads == 1 ? "" : "s");
    return settings;
}

Task make_task(const std::string& name, const TaskOptions& options) {
    if (name == "nouns") return noun_task(options).task;
    if (name == "it") return it_task(options).task;
    if (name == "dates") return date_task(options).task;
    (void)needs_of(name);
    return character_task(options).task;
}

void save_trained(const Task& task, const std::filesystem::path& file) {
    Metadata metadata = task.scores();
    metadata["made_by"] =
        fmt::format("./tutorial run 10 -- --train {0}{1} --save weights/{0}.safetensors", task.name,
                    task.corpus.empty() ? "" : " --corpus " + in_quotes(harmless(task.corpus)));
    metadata["plan"] = in_words(task.plan);
    task.save(file, metadata);
}

}  // namespace tfs
