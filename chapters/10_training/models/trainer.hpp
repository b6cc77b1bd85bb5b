// chapters/10_training/models/trainer.hpp · a whole training: step after step, evaluations, checkpoints
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "chapters/10_training/training.hpp"
#include "common/io/safetensors.hpp"

namespace tfs {

// Of `count` trainers, each on a machine of its own, number `index` learns from its rows of each batch: batch by batch all of
// them together have the rows of one trainer alone, in their order.
struct TrainingPart {
    std::size_t index = 0, count = 1;
};

struct TrainingPlan {
    std::size_t steps = 600, batch_size = 64;
    WarmupCosine rate = {};  // its `total` is `steps`
    StepOptions step = {};
    AdamWOptions optimizer = {};
    std::size_t evaluate_every = 100;  // steps
    std::size_t patience = 0;          // stop after so many evaluations without a lower loss; 0: never
    std::uint64_t seed = 1;            // of the order of the examples, and of dropout
    std::string subject = {};          // what shapes don't tell: the number of heads, the text to learn from
    TrainingPart part = {};            // of each batch; dropout differs from part to part
};

// The plan in words, such as "600 steps of 64, rate 0.003, …, seed 1": two that differ have different words.
[[nodiscard]] std::string in_words(const TrainingPlan& plan);

// What is learned from what, and what is asked. A training of it is a Trainer; models/tasks.hpp makes five of them.
struct Task {
    TrainingPlan plan = {};
    Model model = {};
    Parameters parameters = {};  // of the model, which the optimizer moves
    std::vector<Example> examples = {};
    std::vector<Batch> held_out = {};
    std::int64_t pad_id = 0;

    // How one speaks of it.
    std::string name = {};   // "nouns": of its folder of checkpoints and its weight file
    std::string units = {};  // "sentences": what the plan's batch_size counts
    std::string asked = {};  // "held-out sentences": of them the accuracy of an evaluation is the right share
    std::string corpus = {};  // another text than the repository's; empty: that

    // Of the model as it is now: what is measured on the held-out part, which may take seconds; and its weights as a file that
    // the model's own function loads.
    std::function<Metadata()> scores = {};
    std::function<void(const std::filesystem::path& file, const Metadata& metadata)> save = {};
};

// A task with its model, and the data that it learns from and is asked about.
template <class Data, class Network>
struct TaskOf {
    Data data;
    Network model;
    Task task;  // of `model`
};

// A training at some step. Its order of examples depends on seed and step alone, its dropout on `rng`: so a checkpoint of
// weights, optimizer, step and rng is all that it takes to go on as if nothing had happened.
struct Trainer {
    TrainingPlan plan;
    Model model;
    AdamW optimizer;
    std::vector<Example> examples;
    std::vector<Batch> held_out;
    std::int64_t pad_id;

    Rng rng;
    std::size_t step = 0;                                        // taken so far
    double best_loss = std::numeric_limits<double>::infinity();  // of the held-out batches
    std::size_t without_gain = 0;                                // evaluations since then

    // Called in each step between backward() and clipping: may change the gradients of these parameters, such as to the mean over
    // all machines. The loss is a mean over the targets, so the gradient of a part weighs as much as its batch has targets.
    std::function<void(Parameters parameters, const Batch& batch)> after_backward = {};
    // Called during backward(), once for each parameter of the loss, as soon as its gradient is complete (BackwardWatch).
    std::function<void(const Tensor& parameter)> on_complete = {};

    // ValueError if the plan has no steps or the schedule does not fit, there are no examples, or the part does not exist or has
    // no row of some batch.
    explicit Trainer(Task task);

    [[nodiscard]] bool is_done() const;
    [[nodiscard]] Batch next_batch();  // the rows of its part
    StepReport take_step(const Batch& batch);
    [[nodiscard]] Evaluation ask() const;  // evaluates the held-out batches

  private:
    std::size_t ordered_epoch_ = std::numeric_limits<std::size_t>::max();  // of `order_`
    std::vector<std::vector<std::size_t>> order_ = {};  // of the examples: shuffled once for each epoch
};

// The examples in their order, in batches.
[[nodiscard]] std::vector<Batch> batches_of(const std::vector<Example>& examples, std::size_t batch_size,
                                            std::int64_t pad_id);

struct Progress {
    std::size_t step = 0, steps = 0;
    double step_loss = 0.0;  // of this step
    double loss = 0.0;       // mean over the steps since the last evaluation
    double rate = 0.0, gradient_norm = 0.0;
    double seconds_left = 0.0;
    std::optional<Evaluation> held_out = {};  // after an evaluation
};

// What happens beside a training.
struct Hooks {
    std::function<void(const Progress&)> after_step = {};
    std::function<void(const std::string&)> warn = {};  // a sentence: a checkpoint could not be saved
    std::function<bool()> stop = {};                    // asked after each step: whether to end early
    std::filesystem::path checkpoints =
        {};  // a folder for last.safetensors and best.safetensors; empty: none are saved
    std::size_t save_every = 100;  // steps
};

// Trains to the end of the plan, or until it is stopped or its patience ends. Where there is a folder for checkpoints, the
// last state and the best one stay there. Where one can't be saved, the training goes on, and the file before it stays.
void train(Trainer& trainer, const Hooks& hooks = {});

// The whole state as a safetensors file: weights, m and v of the optimizer, and in the metadata step, rng and plan.
// FileError if it can't be written; then an older file is as it was.
void save_checkpoint(const Trainer& trainer, const std::filesystem::path& file);
// Goes on from a checkpoint. Returns a remark for the learner, or nothing: the number of threads may differ, which changes
// the last digits. Throws a FileError, before anything is changed, where the file is cut, foreign, or of another plan.
[[nodiscard]] std::string load_checkpoint(Trainer& trainer, const std::filesystem::path& file);

}  // namespace tfs
