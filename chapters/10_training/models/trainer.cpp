// chapters/10_training/models/trainer.cpp · a whole training; as a file, and back
#include "chapters/10_training/models/trainer.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "common/base/errors.hpp"
#include "common/io/safetensors.hpp"
#include "common/io/safetensors_header.hpp"
#include "common/tensor/tensor.hpp"

namespace tfs {

namespace {

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<Example> chosen(const std::vector<Example>& all, const std::vector<std::size_t>& numbers) {
    std::vector<Example> some;
    for (const std::size_t number : numbers) some.push_back(all[number]);
    return some;
}

// The rows of a part, of a batch that has all of these.
std::vector<std::size_t> rows_of(const TrainingPart& part, const std::vector<std::size_t>& rows) {
    const auto at = [&](std::size_t index) {
        return rows.begin() + static_cast<std::ptrdiff_t>(rows.size() * index / part.count);
    };
    return {at(part.index), at(part.index + 1)};
}

std::size_t batches_in_an_epoch(std::size_t examples, std::size_t batch_size) {
    return (examples + batch_size - 1) / batch_size;
}

void require_part(const TrainingPlan& plan, std::size_t examples) {
    const TrainingPart& part = plan.part;
    if (part.index >= part.count)
        throw ValueError(
            fmt::format("a training has no part {} of {}: parts are counted from 0", part.index, part.count));
    const std::size_t rest = examples % plan.batch_size;  // of the last batch of an epoch, if that comes
    const bool has_rest = rest > 0 && plan.steps >= batches_in_an_epoch(examples, plan.batch_size);
    if (const std::size_t smallest = has_rest ? rest : plan.batch_size; smallest < part.count)
        throw ValueError(fmt::format("a batch of {} example{} can't be shared out among {} trainers",
                                     smallest, smallest == 1 ? "" : "s", part.count));
}

// The first part draws as a trainer alone. The numbers of the others count down from the largest one, those of the epochs, each of
// which is shuffled by a generator of its own, up from 0: no part draws what shuffles an epoch.
std::uint64_t seed_of_dropout(const TrainingPlan& plan) {
    return plan.part.index == 0 ? plan.seed : splitmix64(plan.seed, ~std::uint64_t{plan.part.index});
}

// The state of an evaluation: whether the loss is the best one so far.
bool note_loss(Trainer& trainer, double loss) {
    const bool better = loss < trainer.best_loss;
    trainer.best_loss = better ? loss : trainer.best_loss;
    trainer.without_gain = better ? 0 : trainer.without_gain + 1;
    return better;
}

void try_to_save(const Trainer& trainer, const Hooks& hooks, const char* name) {
    if (hooks.checkpoints.empty()) return;
    try {
        std::filesystem::create_directories(hooks.checkpoints);
        save_checkpoint(trainer, hooks.checkpoints / name);
    } catch (const std::exception& error) {
        if (hooks.warn)
            hooks.warn(fmt::format(
                "no checkpoint at step {}: {}; the training goes on, and the checkpoint before stays",
                trainer.step, error.what()));
    }
}

constexpr const char* format_name = "transformer tutorial, checkpoint 1";

// The tensors of a checkpoint, under the names that they have in the file.
Parameters staged(const Trainer& trainer, const std::function<Tensor(std::size_t)>& weight,
                  const std::function<Tensor(std::size_t)>& m, const std::function<Tensor(std::size_t)>& v) {
    Parameters all;
    const Parameters& parameters = trainer.optimizer.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        all.push_back({join_path("model", parameters[i].name), weight(i)});
        all.push_back({join_path("adamw.m", parameters[i].name), m(i)});
        all.push_back({join_path("adamw.v", parameters[i].name), v(i)});
    }
    return all;
}

Tensor zeros_like(const NamedTensor& parameter) { return Tensor::zeros(parameter.tensor.shape()); }

}  // namespace

std::string in_words(const TrainingPlan& plan) {
    const AdamWOptions& adam = plan.optimizer;
    return (plan.subject.empty() ? "" : plan.subject + ": ") +
           fmt::format(
               "{} steps of {}, rate {:.9g} to {:.9g} after {} of warm-up, smoothing {:.9g}, clipping "
               "{:.9g}, betas "
               "{:.9g} {:.9g}, "
               "epsilon {:.9g}, decay {:.9g}, evaluation every {}, patience {}, seed {}",
               plan.steps, plan.batch_size, plan.rate.peak, plan.rate.final, plan.rate.warmup,
               plan.step.label_smoothing, plan.step.largest_gradient, adam.beta1, adam.beta2, adam.epsilon,
               adam.weight_decay, plan.evaluate_every, plan.patience, plan.seed) +
           (plan.part.count == 1 ? "" : fmt::format(", part {} of {}", plan.part.index + 1, plan.part.count));
}

Trainer::Trainer(Task task)
    : plan(task.plan),
      model(std::move(task.model)),
      optimizer(std::move(task.parameters), task.plan.optimizer),
      examples(std::move(task.examples)),
      held_out(std::move(task.held_out)),
      pad_id(task.pad_id),
      rng(seed_of_dropout(plan)) {
    plan.rate.total = plan.steps;
    if (plan.steps == 0 || plan.batch_size == 0 || plan.evaluate_every == 0)
        throw ValueError("a training needs steps, batches and evaluations of at least 1");
    if (examples.empty() || held_out.empty())
        throw ValueError("a training needs examples to learn from, and others to be asked");
    (void)learning_rate(plan.rate, 1);
    require_part(plan, examples.size());
}

bool Trainer::is_done() const {
    return step >= plan.steps || (plan.patience > 0 && without_gain >= plan.patience);
}

// The order of an epoch is that of its own Rng: step and seed alone decide which batch comes next.
Batch Trainer::next_batch() {
    const std::size_t batches = batches_in_an_epoch(examples.size(), plan.batch_size), epoch = step / batches;
    if (epoch != ordered_epoch_) {
        Rng rng_of_epoch(splitmix64(plan.seed, epoch));
        order_ = shuffled_batches(examples.size(), plan.batch_size, rng_of_epoch);
        ordered_epoch_ = epoch;
    }
    return make_batch(chosen(examples, rows_of(plan.part, order_[step % batches])), pad_id);
}

// The end of backward() is where after_backward has its turn: a step of a
// learner needs no line for it.
StepReport Trainer::take_step(const Batch& batch) {
    std::optional<BackwardWatch> watch;
    if (on_complete || after_backward)
        watch.emplace(on_complete, [&] {
            if (after_backward) after_backward(optimizer.parameters, batch);
        });
    const StepReport report =
        training_step(model, batch, optimizer, learning_rate(plan.rate, step + 1), rng, plan.step);
    ++step;
    return report;
}

Evaluation Trainer::ask() const { return evaluate(model, held_out); }

std::vector<Batch> batches_of(const std::vector<Example>& examples, std::size_t batch_size,
                              std::int64_t pad_id) {
    std::vector<Batch> batches;
    for (std::size_t begin = 0; begin < examples.size(); begin += batch_size) {
        const auto first = examples.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last =
            examples.begin() + static_cast<std::ptrdiff_t>(std::min(begin + batch_size, examples.size()));
        batches.push_back(make_batch({first, last}, pad_id));
    }
    return batches;
}

void train(Trainer& trainer, const Hooks& hooks) {
    const TrainingPlan& plan = trainer.plan;
    const double begin = seconds_now();
    const std::size_t first = trainer.step;
    double losses = 0.0;
    std::size_t since = 0;
    while (!trainer.is_done()) {
        const Batch batch = trainer.next_batch();
        const StepReport report = trainer.take_step(batch);
        losses += report.loss;
        ++since;
        const double seconds = seconds_now() - begin;
        Progress progress{trainer.step,
                          plan.steps,
                          report.loss,
                          losses / static_cast<double>(since),
                          learning_rate(plan.rate, trainer.step),
                          report.gradient_norm,
                          seconds / static_cast<double>(trainer.step - first) *
                              static_cast<double>(plan.steps - trainer.step)};
        bool better = false;
        if (trainer.step % plan.evaluate_every == 0 || trainer.step == plan.steps) {
            progress.held_out = trainer.ask();
            better = note_loss(trainer, progress.held_out->loss);
            losses = 0.0;
            since = 0;
        }
        const bool stopped = hooks.stop && hooks.stop();
        if (trainer.step % hooks.save_every == 0 || trainer.is_done() || stopped)
            try_to_save(trainer, hooks, "last.safetensors");
        if (better) try_to_save(trainer, hooks, "best.safetensors");
        if (hooks.after_step) hooks.after_step(progress);
        if (stopped) return;
    }
}

void save_checkpoint(const Trainer& trainer, const std::filesystem::path& file) {
    const AdamW& adam = trainer.optimizer;
    const Parameters all = staged(
        trainer, [&](std::size_t i) { return adam.parameters[i].tensor; },
        [&](std::size_t i) { return Tensor(adam.m[i]); }, [&](std::size_t i) { return Tensor(adam.v[i]); });
    save_safetensors(file, all,
                     {{"format", format_name},
                      {"plan", in_words(trainer.plan)},
                      {"step", std::to_string(trainer.step)},
                      {"adamw.steps", std::to_string(adam.steps)},
                      {"rng", trainer.rng.state()},
                      {"best_loss", fmt::format("{}", trainer.best_loss)},
                      {"without_gain", std::to_string(trainer.without_gain)},
                      {"threads", std::to_string(omp_get_max_threads())}});
}

std::string load_checkpoint(Trainer& trainer, const std::filesystem::path& file) {
    const WeightFile loaded = load_weight_file(file);
    const MetadataReader entries(loaded, file,
                                 "no checkpoint of this version of the tutorial, nothing was loaded");
    if (entries.text("format") != format_name) entries.refuse("");
    if (const std::string& plan = entries.text("plan"); plan != in_words(trainer.plan))
        refuse_file(file, fmt::format("a checkpoint of another plan ({}; this one: {}); nothing was loaded",
                                      plan, in_words(trainer.plan)));

    AdamW& adam = trainer.optimizer;
    const auto fresh = [&](std::size_t i) { return zeros_like(adam.parameters[i]); };
    const Parameters read = staged(trainer, fresh, fresh, fresh);
    copy_tensors_into(read, loaded.tensors, file);
    Rng rng(0);
    try {
        rng.set_state(entries.text("rng"));
    } catch (const ValueError&) {
        entries.refuse(": \"rng\" is no state");
    }
    const std::size_t step = entries.count("step"), adam_steps = entries.count("adamw.steps"),
                      without_gain = entries.count("without_gain"), threads = entries.count("threads");
    const double best_loss = entries.real("best_loss");

    // All is read and right: nothing can fail from here on.
    for (std::size_t i = 0; i < adam.parameters.size(); ++i) {
        adam.parameters[i].tensor.mutable_array() = read[3 * i].tensor.array();
        adam.m[i] = read[3 * i + 1].tensor.array();
        adam.v[i] = read[3 * i + 2].tensor.array();
    }
    adam.steps = adam_steps;
    trainer.rng = rng;
    trainer.step = step;
    trainer.best_loss = best_loss;
    trainer.without_gain = without_gain;
    const auto here = static_cast<std::size_t>(omp_get_max_threads());
    return threads == here
               ? ""
               : fmt::format(
                     "the checkpoint was made on {} threads, this run has {}: the last digits may differ",
                     threads, here);
}

}  // namespace tfs
