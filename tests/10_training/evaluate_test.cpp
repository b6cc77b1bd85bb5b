// tests/10_training/evaluate_test.cpp · step evaluate: PyTorch's values, properties, diagnosis
#include <gtest/gtest.h>

#include "chapters/10_training/training.hpp"
#include "tests/10_training/wrong_evaluations.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

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

Evaluation evaluated(const std::vector<Batch>& batches, const Tensor& logits) {
    return evaluate([&](const Batch&, Rng*) { return logits; }, batches);
}

// A batch of one position.
Batch one_position(std::int64_t id, std::int64_t target) {
    Batch batch{Ids::from_shape({1, 1}), Ids::from_shape({1, 1})};
    batch.inputs(0, 0) = id;
    batch.targets(0, 0) = target;
    return batch;
}

TEST(evaluate, equals_pytorch) {
    TableModel table;
    const Evaluation found = evaluate(table.model(), golden_batches());
    const auto expected = golden()["evaluation"].values();
    EXPECT_NEAR(found.loss, expected[0], 1e-5) << "the loss" << cause_of_loss(found.loss);
    EXPECT_NEAR(found.accuracy, expected[1], 1e-6) << "the accuracy" << cause_of_accuracy(found.accuracy);
    EXPECT_EQ(found.targets, 23u) << "the number of targets"
                                  << likely_if(found.targets == 29, "ignored targets are counted")
                                  << likely_if(found.targets == 3, "this is the number of batches")
                                  << likely_if(found.targets == 7,
                                               "only the last batch is counted: add them up")
                                  << likely_if(found.targets == 0, "`targets` is not set");
}

TEST(evaluate, the_model_runs_once_a_batch_without_dropout_and_tape) {
    TableModel table;
    (void)evaluate(table.model(), golden_batches());
    EXPECT_EQ(table.with_rng, 0) << "the model was given an Rng"
                                 << likely_if(true, "dropout is on: an Rng means training; pass nullptr");
    EXPECT_EQ(table.recorded, 0) << "the model records a tape"
                                 << likely_if(true, "`const NoGrad no_grad;` must live while the model runs");
    EXPECT_EQ(table.calls, 3) << "three batches"
                              << likely_if(
                                     table.calls == 6,
                                     "the model runs twice for each batch; keep its logits, both loss and "
                                     "accuracy need them");
    EXPECT_FALSE(table.table.has_grad()) << "evaluation makes no gradient";
    EXPECT_TRUE(is_recorded({table.table})) << "afterwards operations are recorded as before";
}

TEST(evaluate, the_cut_into_batches_makes_no_difference) {
    const Ids inputs{{0, 1, 5, 3}, {1, 2, 3, 5}}, targets{{3, 3, 2, 0}, {ignored, 1, ignored, 5}};
    std::vector<Batch> single;
    for (std::size_t i = 0; i < 8; ++i)
        if (targets.data()[i] != ignored) single.push_back(one_position(inputs.data()[i], targets.data()[i]));
    TableModel table;
    const Evaluation together = evaluate(table.model(), {{inputs, targets}}),
                     apart = evaluate(table.model(), single);
    EXPECT_NEAR(together.loss, apart.loss, 1e-5);
    EXPECT_NEAR(together.accuracy, apart.accuracy, 1e-6);
    EXPECT_EQ(together.targets, apart.targets);
}

TEST(evaluate, of_equal_logits_the_first_is_the_answer) {
    const auto accuracy = [](const std::vector<float>& row, std::int64_t target) {
        return evaluated({one_position(0, target)}, Tensor::from({1, 1, row.size()}, row)).accuracy;
    };
    ASSERT_EQ(accuracy({1, 3, 2}, 1), 1.0) << "logits 1, 3, 2, target 1";
    const bool last = accuracy({0, 2, 2}, 2) == 1.0, first = accuracy({0, 2, 2}, 1) == 1.0;
    EXPECT_FALSE(last) << "logits 0, 2, 2, target 2"
                       << likely_if(!first, "of equal logits the last is taken; the contract says the first")
                       << likely_if(
                              first,
                              "every largest logit counts as right; of equal ones only the first is the "
                              "answer");
    EXPECT_TRUE(first) << "logits 0, 2, 2, target 1";
    EXPECT_EQ(accuracy({-3, -1, -2}, 1), 1.0)
        << "logits -3, -1, -2, target 1"
        << likely_if(accuracy({-3, -1, -2}, 0) == 1.0,
                     "the search begins with a number, such as 0, and all "
                     "logits may be smaller: begin with the first logit");
    EXPECT_EQ(accuracy({5, -9, 1}, 0), 1.0) << "logits 5, -9, 1, target 0";
    EXPECT_EQ(accuracy({0.1f, 0.3f, 0.7f}, 2), 1.0) << "logits 0.1, 0.3, 0.7, target 2";
}

TEST(evaluate, refuses_to_judge_without_targets) {
    TableModel table;
    const std::vector<Batch> none, without{one_position(1, ignored)};
    EXPECT_TRUE(refuses<ValueError>(
        [&] { (void)evaluate(table.model(), none); }, {}, "no batches",
        "evaluating on nothing is accepted; throw a ValueError where there are no batches"));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)evaluate(table.model(), without); }, {},
                                    "a batch without any target"));
}

}  // namespace
}  // namespace tfs::test
