// tests/10_training/evaluation_test.cpp · tasks, and how a trained model is evaluated
#include <gtest/gtest.h>

#include "chapters/10_training/models/tasks.hpp"
#include "chapters/10_training/training.hpp"
#include "common/io/weights.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(tasks, have_the_plans_heads_and_widths_of_their_shipped_weights) {
    for (const TaskNeeds& needs : tasks()) {
        const Metadata metadata = load_weight_file(weights_file(needs.name)).metadata;
        if (needs.name != std::string("characters")) {
            EXPECT_EQ(in_words(settings_of(needs.name, {}).plan), metadata.at("plan")) << needs.name;
        }
        EXPECT_EQ(std::to_string(needs.config().heads), metadata.at("heads")) << needs.name;
        if (metadata.contains("d_model")) {
            EXPECT_EQ(std::to_string(needs.config().d_model), metadata.at("d_model")) << needs.name;
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

}  // namespace
}  // namespace tfs::test
