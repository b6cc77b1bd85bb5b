// tests/10_training/trainer_part_test.cpp · a trainer's own part of the examples, and what it tells during a step
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "chapters/10_training/models/trainer.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t vocab = 7;
constexpr std::int64_t padding = 0;

// 22 sequences of 2 to 6 targets, and a small model that guesses the next id: batches of 5, the last one of an epoch has 2.
Task small_task(const TrainingPart& part = {}) {
    Rng rng(4);
    const Embedding table(vocab, 6, rng);
    const Linear output(6, vocab, rng);
    Parameters parameters;
    append(parameters, "table", table.parameters());
    append(parameters, "output", output.parameters());
    Task task{.plan = {.steps = 10, .batch_size = 5, .evaluate_every = 10, .part = part},
              .model = [=](const Batch& batch, Rng*) { return output(tanh(table(batch.inputs))); },
              .parameters = parameters,
              .pad_id = padding};
    task.plan.rate = {.peak = 1e-2, .final = 1e-3, .warmup = 2};
    for (std::size_t i = 0; i < 22; ++i) {
        std::vector<std::int64_t> ids(3 + i % 5);
        for (std::int64_t& id : ids) id = 1 + static_cast<std::int64_t>(rng.below(vocab - 1));
        task.examples.push_back(text_window(ids, 0, ids.size() - 1));
    }
    task.held_out = batches_of(task.examples, 11, padding);
    return task;
}

// The examples of a batch, without what fills them up.
std::vector<std::vector<std::int64_t>> rows_of(const Batch& batch) {
    std::vector<std::vector<std::int64_t>> rows(batch.inputs.shape(0));
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t i = 0; i < batch.inputs.shape(1); ++i)
            if (batch.targets(row, i) != ignored) {
                rows[row].push_back(batch.inputs(row, i));
                rows[row].push_back(batch.targets(row, i));
            }
    return rows;
}

TEST(trainer_part, all_parts_together_have_the_rows_of_one_trainer_in_its_order) {
    for (const std::size_t count : {1U, 2U}) {
        Trainer whole(small_task());
        std::vector<Trainer> parts;
        for (std::size_t index = 0; index < count; ++index)
            parts.emplace_back(small_task({.index = index, .count = count}));
        for (; whole.step < 10; ++whole.step) {
            std::vector<std::vector<std::int64_t>> together;
            for (Trainer& part : parts) {
                const auto rows = rows_of(part.next_batch());
                together.insert(together.end(), rows.begin(), rows.end());
                ++part.step;
            }
            EXPECT_EQ(together, rows_of(whole.next_batch())) << count << " parts, step " << whole.step;
        }
    }
}

// One step, and the gradients that after_backward finds, one behind the other, each times the number of targets.
struct PartOfStep {
    double targets = 0.0;
    std::vector<double> gradients = {};
};

PartOfStep one_step(const TrainingPart& part) {
    Trainer trainer(small_task(part));
    PartOfStep found;
    trainer.after_backward = [&](const Parameters& parameters, const Batch& batch) {
        found.targets = static_cast<double>(batch.target_count());
        for (const NamedTensor& parameter : parameters)
            for (const float value : parameter.tensor.grad())
                found.gradients.push_back(found.targets * value);
    };
    trainer.take_step(trainer.next_batch());
    return found;
}

TEST(trainer_part, the_gradients_of_all_parts_weighted_by_their_targets_are_that_of_one_trainer) {
    const PartOfStep whole = one_step({}), first = one_step({0, 2}), second = one_step({1, 2});
    ASSERT_NE(first.targets, second.targets) << "else a mean without weights would do";
    ASSERT_EQ(first.targets + second.targets, whole.targets);
    double largest = 0.0;
    for (const double value : whole.gradients) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < whole.gradients.size(); ++i)
        ASSERT_NEAR(first.gradients[i] + second.gradients[i], whole.gradients[i], 1e-6 * largest);
}

TEST(trainer_part, the_first_one_draws_as_a_trainer_alone_and_each_other_on_its_own) {
    const std::string alone = Trainer(small_task()).rng.state();
    EXPECT_EQ(Trainer(small_task({0, 2})).rng.state(), alone);
    EXPECT_NE(Trainer(small_task({1, 2})).rng.state(), alone);
}

TEST(trainer_part, draws_nothing_that_shuffles_an_epoch) {
    for (const std::size_t index : {1U, 2U}) {
        Task task = small_task({.index = index, .count = 3});
        task.plan.batch_size = 11;
        const std::string dropout = Trainer(task).rng.state();
        for (std::uint64_t epoch = 0; epoch < 10; ++epoch)
            EXPECT_NE(dropout, Rng(splitmix64(task.plan.seed, epoch)).state())
                << "part " << index << ", epoch " << epoch;
    }
}

TEST(trainer_part, is_refused_where_it_does_not_exist_or_has_no_rows) {
    const auto refuse = [](const Task& task, const std::string& sentence) {
        EXPECT_TRUE(refuses<ValueError>([&] { Trainer trainer(task); }, {sentence}));
    };
    refuse(small_task({2, 2}), "no part 2 of 2");
    refuse(small_task({0, 0}), "no part 0 of 0");
    refuse(small_task({0, 3}), "a batch of 2 examples can't be shared out among 3");
    Task few_steps = small_task({0, 3});
    few_steps.plan.steps = 4;  // the batch of 2 is the fifth
    Trainer trainer(few_steps);
    few_steps.plan.part.count = 6;
    refuse(few_steps, "a batch of 5 examples can't be shared out among 6");
    few_steps.examples.clear();
    refuse(few_steps, "examples");
}

TEST(trainer, lets_gradients_be_changed_between_backward_and_clipping) {
    Trainer plain(small_task()), doubled(small_task());
    doubled.after_backward = [](Parameters parameters, const Batch&) {
        for (NamedTensor& parameter : parameters) parameter.tensor.mutable_grad() *= 2.0f;
    };
    const Batch batch = plain.next_batch();
    const StepReport before = plain.take_step(batch), after = doubled.take_step(batch);
    EXPECT_EQ(after.loss, before.loss);
    EXPECT_NEAR(after.gradient_norm, 2.0 * before.gradient_norm, 1e-6 * before.gradient_norm);
}

TEST(trainer, tells_each_complete_gradient_once_and_then_that_all_are) {
    Trainer trainer(small_task());
    std::vector<const Array*> told;
    std::vector<std::size_t> told_at_the_end;
    trainer.on_complete = [&](const Tensor& parameter) { told.push_back(&parameter.array()); };
    trainer.after_backward = [&](const Parameters&, const Batch&) { told_at_the_end.push_back(told.size()); };
    for (int i = 0; i < 2; ++i) trainer.take_step(trainer.next_batch());
    const std::size_t count = trainer.optimizer.parameters.size();
    EXPECT_EQ(told_at_the_end, (std::vector<std::size_t>{count, 2 * count}));
    for (const NamedTensor& parameter : trainer.optimizer.parameters)
        EXPECT_EQ(std::count(told.begin(), told.end(), &parameter.tensor.array()), 2) << parameter.name;
}

TEST(trainer, that_is_watched_trains_to_the_same_bits) {
    Trainer alone(small_task()), watched(small_task());
    watched.on_complete = [](const Tensor&) {};
    watched.after_backward = [](const Parameters&, const Batch&) {};
    train(alone);
    train(watched);
    for (std::size_t i = 0; i < alone.optimizer.parameters.size(); ++i)
        EXPECT_TRUE(alone.optimizer.parameters[i].tensor.array() ==
                    watched.optimizer.parameters[i].tensor.array());
}

}  // namespace
}  // namespace tfs::test
