// tests/10_training/trainer_test.cpp · what chapter 10 gives: the trainer and its checkpoints, tasks, evaluations, a small stack
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "chapters/10_training/models/small_stack.hpp"
#include "chapters/10_training/models/tasks.hpp"
#include "common/base/address_sanitizer.hpp"
#include "common/io/atomic_file.hpp"
#include "common/io/safetensors.hpp"
#include "common/io/weights.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// A small training with dropout, so that a wrong state of the Rng is seen.
Task task_with_dropout(const TrainingPlan& plan) {
    const NounSentences sentences = noun_sentences(300, 60, 7);
    Rng first(1);
    const NounFinder finder(sentences.vocabulary, {.d_model = 16, .heads = 1}, first);
    Task task{.plan = plan,
              .model =
                  [finder](const Batch& batch, Rng* rng) {
                      const Tensor x = dropout(finder.embedding(batch.inputs), 0.1, rng);
                      return finder.output(finder.attention(x, x, x).output);
                  },
              .parameters = finder.parameters()};
    for (const NounSentence& one : sentences.training)
        task.examples.push_back(example_of(one, sentences.vocabulary));
    std::vector<Example> asked;
    for (const NounSentence& one : sentences.held_out) asked.push_back(example_of(one, sentences.vocabulary));
    task.held_out = batches_of(asked, 25, 0);
    return task;
}

TrainingPlan small_plan() {
    TrainingPlan plan{.steps = 45, .batch_size = 32, .evaluate_every = 10};
    plan.rate = {.peak = 1e-2, .final = 1e-3, .warmup = 5};
    return plan;
}

std::string state_of(const Trainer& trainer) {
    const ScratchFolder folder;
    save_checkpoint(trainer, folder / "state");
    return read_file(folder / "state");
}

TEST(trainer, goes_on_from_a_checkpoint_to_the_same_bits) {
    Trainer whole(task_with_dropout(small_plan()));
    train(whole);
    for (const std::size_t cut : {1U, 9U, 10U, 23U, 44U}) {
        const ScratchFolder folder;
        Trainer before(task_with_dropout(small_plan())), after(task_with_dropout(small_plan()));
        Hooks hooks{
            .stop = [&] { return before.step == cut; }, .checkpoints = folder.path(), .save_every = 1000};
        train(before, hooks);
        EXPECT_EQ(load_checkpoint(after, folder / "last.safetensors"), "");
        EXPECT_EQ(after.step, cut);
        train(after);
        EXPECT_TRUE(state_of(after) == state_of(whole)) << "cut at step " << cut;
    }
}

TEST(trainer, sees_every_example_once_in_an_epoch_and_another_order_in_the_next) {
    Trainer trainer(task_with_dropout(small_plan()));
    std::vector<std::int64_t> seen, epochs[2];
    for (auto& epoch : epochs) {
        for (int i = 0; i < 10; ++i, ++trainer.step) {  // 300 examples in batches of 32
            const Batch batch = trainer.next_batch();
            for (std::size_t row = 0; row < batch.inputs.shape()[0]; ++row) {
                std::int64_t code = 0;
                for (std::size_t j = 0; j < 10; ++j) code = code * 61 + batch.inputs(row, j);
                epoch.push_back(code);
            }
        }
        EXPECT_EQ(epoch.size(), 300U);
    }
    EXPECT_NE(epochs[0], epochs[1]);
    for (auto& epoch : epochs) std::sort(epoch.begin(), epoch.end());
    EXPECT_EQ(epochs[0], epochs[1]);
}

TEST(trainer, ends_where_its_patience_ends_and_keeps_the_best) {
    TrainingPlan plan = small_plan();
    plan.steps = 400;
    plan.patience = 2;
    plan.rate.peak = plan.rate.final = 1e-12;  // nothing is learned: no evaluation is better than the first
    plan.optimizer.weight_decay = 0.0;
    Trainer training(task_with_dropout(plan));
    train(training);
    EXPECT_LE(training.step, 60U);
    EXPECT_EQ(training.step % plan.evaluate_every, 0U);
}

TEST(trainer, goes_on_where_a_checkpoint_cant_be_saved) {
    const ScratchFolder folder;
    write_file_atomically(folder / "file", "no folder");
    Trainer training(task_with_dropout(small_plan()));
    std::vector<std::string> warnings;
    train(training, {.warn = [&](const std::string& sentence) { warnings.push_back(sentence); },
                     .checkpoints = folder / "file/checkpoints",
                     .save_every = 20});
    EXPECT_TRUE(training.is_done());
    ASSERT_GE(warnings.size(), 3U);
    EXPECT_NE(warnings[0].find("the training goes on"), std::string::npos) << warnings[0];
}

TEST(trainer, tells_what_it_does_after_each_step) {
    Trainer training(task_with_dropout(small_plan()));
    std::vector<Progress> said;
    train(training, {.after_step = [&](const Progress& progress) { said.push_back(progress); }});
    ASSERT_EQ(said.size(), 45U);
    EXPECT_EQ(
        std::count_if(said.begin(), said.end(), [](const Progress& one) { return one.held_out.has_value(); }),
        5)
        << "every ten steps, and at the end";
    EXPECT_EQ(said[4].rate, 1e-2) << "the peak after five steps of warm-up";
    EXPECT_EQ(said.back().seconds_left, 0.0);
    EXPECT_LT(said.back().held_out->loss, said[9].held_out->loss);
}

TEST(checkpoint, refuses_what_is_no_checkpoint_of_this_training_and_changes_nothing) {
    const ScratchFolder folder;
    Trainer saved(task_with_dropout(small_plan())), training(task_with_dropout(small_plan()));
    train(saved, {.stop = [&] { return saved.step == 12; }});
    save_checkpoint(saved, folder / "good");
    const std::string good = read_file(folder / "good"), before = state_of(training);
    const auto refuse = [&](const std::string& bytes, const std::string& sentence) {
        write_file_atomically(folder / "bad", bytes);
        EXPECT_TRUE(
            refuses<FileError>([&] { (void)load_checkpoint(training, folder / "bad"); }, {"bad", sentence}));
        EXPECT_TRUE(state_of(training) == before);
    };
    const WeightFile file = parse_safetensors("good", good);
    const auto changed = [&](const std::string& name, const std::string& value) {
        Metadata metadata = file.metadata;
        metadata[name] = value;
        return format_safetensors(file.tensors, metadata);
    };
    refuse(good.substr(0, good.size() / 2), "outside of");
    refuse(good.substr(0, 100), "cut short");
    refuse(format_safetensors(saved.optimizer.parameters), "no checkpoint of this version");
    refuse(changed("format", "transformer tutorial, checkpoint 0"), "no checkpoint of this version");
    refuse(changed("plan", "9 steps"), "another plan (9 steps; this one: 45 steps of 32");
    refuse(changed("step", "-1"), "\"step\" is no whole number");
    refuse(changed("rng", "12"), "\"rng\" is no state");
    refuse(changed("best_loss", "low"), "\"best_loss\" is no number");
    Parameters fewer = file.tensors;
    fewer.pop_back();
    refuse(format_safetensors(fewer, file.metadata), "doesn't fit the model: 1 tensor missing");
    EXPECT_TRUE(refuses<FileError>([&] { (void)load_checkpoint(training, folder / "none"); }, {"none"}));
    write_file_atomically(folder / "threads", changed("threads", "77"));
    EXPECT_NE(load_checkpoint(training, folder / "threads").find("on 77 threads"), std::string::npos);
    EXPECT_EQ(training.step, 12U);
}

TEST(checkpoint, keeps_the_last_and_the_best) {
    const ScratchFolder folder;
    Trainer training(task_with_dropout(small_plan()));
    double best = INFINITY;
    train(training, {.after_step =
                         [&](const Progress& progress) {
                             if (progress.held_out) best = std::min(best, progress.held_out->loss);
                         },
                     .checkpoints = folder.path()});
    Trainer last(task_with_dropout(small_plan())), good(task_with_dropout(small_plan()));
    (void)load_checkpoint(last, folder / "last.safetensors");
    (void)load_checkpoint(good, folder / "best.safetensors");
    EXPECT_EQ(last.step, 45U);
    EXPECT_EQ(evaluate(good.model, good.held_out).loss, best);
    EXPECT_EQ(folder.file_count(), 2U);
}

TEST(optimizer, refuses_options_that_are_out_of_range_or_not_finite) {
    for (const AdamWOptions& options : std::vector<AdamWOptions>{{.beta1 = 1.0},
                                                                 {.beta2 = NAN},
                                                                 {.epsilon = 0.0},
                                                                 {.epsilon = INFINITY},
                                                                 {.weight_decay = -0.1},
                                                                 {.weight_decay = INFINITY}})
        EXPECT_TRUE(refuses<ValueError>([&] { AdamW({}, options); }, {}));
}

TEST(plan, differs_in_words_where_it_differs) {
    const TrainingPlan plan = small_plan();
    std::set<std::string> words{in_words(plan)};
    for (const auto& change : std::vector<std::function<void(TrainingPlan&)>>{
             [](auto& p) { ++p.steps; }, [](auto& p) { ++p.batch_size; },
             [](auto& p) { p.rate.peak *= 1.001; }, [](auto& p) { p.rate.final = 0.5; },
             [](auto& p) { ++p.rate.warmup; }, [](auto& p) { p.step.label_smoothing = 0.1; },
             [](auto& p) { p.step.largest_gradient = 2.0; }, [](auto& p) { p.optimizer.beta1 = 0.8; },
             [](auto& p) { p.optimizer.beta2 = 0.8; }, [](auto& p) { p.optimizer.epsilon = 1e-6; },
             [](auto& p) { p.optimizer.weight_decay = 0.0; }, [](auto& p) { ++p.evaluate_every; },
             [](auto& p) { ++p.patience; }, [](auto& p) { ++p.seed; }, [](auto& p) { p.subject = "2 heads"; },
             [](auto& p) {
                 p.part = {0, 2};
             },
             [](auto& p) {
                 p.part = {1, 2};
             }}) {
        TrainingPlan other = plan;
        change(other);
        EXPECT_TRUE(words.insert(in_words(other)).second) << in_words(other);
    }
}

TEST(trainer, refuses_a_plan_without_steps_or_with_warmup_alone) {
    TrainingPlan plan = small_plan();
    plan.steps = 0;
    EXPECT_TRUE(refuses<ValueError>([&] { Trainer training(task_with_dropout(plan)); }, {"steps"}));
    plan = small_plan();
    plan.rate.warmup = 45;
    EXPECT_TRUE(refuses<ValueError>([&] { Trainer training(task_with_dropout(plan)); }, {"warm-up of 45"}));
}

TEST(tasks, have_the_plans_heads_and_widths_of_their_shipped_weights) {
    for (const TaskKind& kind : task_kinds()) {
        const Metadata metadata = load_weight_file(weights_file(kind.name)).metadata;
        if (kind.name != std::string("characters")) {
            EXPECT_EQ(in_words(settings_of(kind.name, {}).plan), metadata.at("plan")) << kind.name;
        }
        EXPECT_EQ(std::to_string(kind.config().heads), metadata.at("heads")) << kind.name;
        if (metadata.contains("d_model")) {
            EXPECT_EQ(std::to_string(kind.config().d_model), metadata.at("d_model")) << kind.name;
        }
    }
}

// The golden model: the logits of a position are the row of its id. It notes how it was called.
struct TableModel {
    Tensor table = leaf("table");
    int calls = 0, with_rng = 0, recorded = 0;

    Model model() {
        return [this](const Batch& batch, Rng* rng) {
            ++calls;
            if (rng != nullptr) ++with_rng;
            if (is_recorded({table})) ++recorded;
            return embedding(table, batch.inputs);
        };
    }
};

// A batch of one position.
Batch one_position(std::int64_t id, std::int64_t target) {
    Batch batch{Ids::from_shape({1, 1}), Ids::from_shape({1, 1})};
    batch.inputs(0, 0) = id;
    batch.targets(0, 0) = target;
    return batch;
}

TEST(evaluate, equals_pytorch_and_runs_the_model_once_a_batch_without_dropout_and_tape) {
    TableModel table;
    std::vector<Batch> batches;
    for (const std::string name : {"a", "b", "c"})  // of different sizes
        batches.push_back({golden_ids(name + ".inputs"), golden_ids(name + ".targets")});
    const Evaluation found = evaluate(table.model(), batches);
    const auto expected = golden()["evaluation"].values();
    EXPECT_NEAR(found.loss, expected[0], 1e-5);
    EXPECT_NEAR(found.accuracy, expected[1], 1e-6);
    EXPECT_EQ(found.targets, 23u);
    EXPECT_EQ(table.calls, 3);
    EXPECT_EQ(table.with_rng, 0);
    EXPECT_EQ(table.recorded, 0);
    EXPECT_FALSE(table.table.has_grad());
    EXPECT_TRUE(is_recorded({table.table})) << "afterwards operations are recorded as before";
}

TEST(evaluate, of_equal_logits_the_first_is_the_answer) {
    const auto accuracy = [](const std::vector<float>& row, std::int64_t target) {
        const Tensor logits = Tensor::from({1, 1, row.size()}, row);
        return evaluate([&](const Batch&, Rng*) { return logits; }, {one_position(0, target)}).accuracy;
    };
    EXPECT_EQ(accuracy({0, 2, 2}, 1), 1.0);
    EXPECT_EQ(accuracy({0, 2, 2}, 2), 0.0);
    EXPECT_EQ(accuracy({-3, -1, -2}, 1), 1.0);
}

TEST(evaluate, refuses_to_judge_without_targets) {
    TableModel table;
    EXPECT_TRUE(refuses<ValueError>([&] { (void)evaluate(table.model(), {}); }, {}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)evaluate(table.model(), {one_position(1, ignored)}); }, {}));
}

Evaluation trained(const SmallStackPlan& stack) {
    TrainingPlan plan{.steps = 260, .batch_size = 32, .evaluate_every = 260};
    plan.rate = {.peak = 3e-3, .final = 3e-4, .warmup = 20};
    Trainer trainer = small_stack_trainer(stack, plan);
    train(trainer);
    return trainer.ask();
}

// Before residuals are compared in minutes (--experiment residuals), in seconds: two layers learn with them, six hardly without.
TEST(small_stack, learns_to_write_rows_backwards_with_residuals_and_not_without) {
    if (has_address_sanitizer) GTEST_SKIP();
    EXPECT_GT(trained({}).accuracy, 0.6);
    const Evaluation without = trained({.layers = 6, .residuals = false});
    EXPECT_LT(without.accuracy, 0.2);
    EXPECT_GT(without.loss, std::log(7.0));
}

}  // namespace
}  // namespace tfs::test
