// tests/10_training/training_step_test.cpp · step training_step: PyTorch's four steps, properties, diagnosis
#include <fmt/format.h>

#include <functional>

#include "tests/10_training/training_reference.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

Tensor report_of(const StepReport& report) {
    return Tensor::from({2}, {static_cast<float>(report.loss), static_cast<float>(report.gradient_norm)});
}

// Four steps of training, after each of them one behind the other: loss, norm, all values, the length of the gradients that
// are left, the count of the optimizer.
std::vector<Tensor> four_steps(const SmallModel& model,
                               const std::function<StepReport(AdamW&, std::size_t t)>& step) {
    AdamW optimizer = model.optimizer();
    std::vector<Tensor> after;
    for (std::size_t t = 0; t < 4; ++t) {
        const Tensor report = report_of(step(optimizer, t));
        const double left = clip_by_global_norm(optimizer.parameters, 1e30);
        const Tensor rest =
            Tensor::from({2}, {static_cast<float>(left), static_cast<float>(optimizer.steps)});
        after.push_back(concat({report, all_of(optimizer), rest}, 0));
    }
    return after;
}

// The mistake, if any, that explains all four steps.
std::string likely_training(const std::vector<Tensor>& after, double dropout) {
    for (const NamedTraining& wrong : training_mistakes()) {
        const SmallModel model(dropout);
        Rng rng(5);
        const std::vector<Tensor> wrong_after = four_steps(model, [&](AdamW& optimizer, std::size_t t) {
            return reference_training_step(model, optimizer, golden_training_rate(t), rng, wrong.mistake);
        });
        bool explains = true;
        for (std::size_t t = 0; t < 4; ++t)
            explains = explains && close(after[t], wrong_after[t], {1e-4, 1e-5});
        if (explains) return wrong.message;
    }
    return "";
}

std::vector<Tensor> steps_of_learner(const SmallModel& model) {
    Rng rng(5);
    return four_steps(model, [&](AdamW& optimizer, std::size_t t) {
        return training_step(model.function(), model.batch, optimizer, golden_training_rate(t), rng,
                             training_options);
    });
}

// `expected`: as four_steps, without what is left and the count, which may be anything.
void expect_steps(const std::vector<Tensor>& after, const std::vector<Tensor>& expected, double dropout) {
    for (std::size_t t = 0; t < 4; ++t) {
        const std::string step = fmt::format("step {}: ", t + 1);
        const auto part = [&](const std::vector<Tensor>& all, std::size_t begin, std::size_t end) {
            return slice(all[t], 0, begin, end);
        };
        const std::size_t end = 2 + count_parameters(SmallModel(0.0).parameters);
        const auto loss = close_named(step + "the loss", part(after, 0, 1), part(expected, 0, 1)),
                   norm = close_named(step + "the norm", part(after, 1, 2), part(expected, 1, 2)),
                   values = close_named(step + "all parameters, one behind the other", part(after, 2, end),
                                        part(expected, 2, end));
        if (loss && norm && values) continue;
        std::string failure;
        for (const auto& one : {loss, norm, values})
            if (!one) failure += fmt::format("{}{}", failure.empty() ? "" : "\n", one.message());
        const std::string cause = likely_training(after, dropout);
        FAIL() << failure << likely_if(!cause.empty(), cause);
    }
}

TEST(training_step, four_steps_equal_pytorch) {
    const SmallModel model(0.0);
    std::vector<Tensor> after;
    const Thrown thrown = thrown_by([&] { after = steps_of_learner(model); });
    ASSERT_EQ(thrown.sentence, "") << likely_if(
        thrown.sentence.find("no tape leads") != std::string::npos,
        "the loss does not remember how it was computed: the step detaches something, or runs under NoGrad");
    std::vector<Tensor> expected;
    for (std::size_t t = 0; t < 4; ++t) {
        std::vector<Tensor> parts{slice(optimizer_golden()["training.losses"], 0, t, t + 1),
                                  slice(optimizer_golden()["training.norms"], 0, t, t + 1)};
        for (const NamedTensor& p : model.parameters) {
            const Tensor values = slice(optimizer_golden()["training.after." + p.name], 0, t, t + 1);
            parts.push_back(reshape(values, {values.size()}));
        }
        expected.push_back(concat(parts, 0));
    }
    expect_steps(after, expected, 0.0);
}

TEST(training_step, dropout_is_on_and_every_step_drops_others) {
    const SmallModel model(0.4), same(0.4);
    Rng rng(5);
    const std::vector<Tensor> expected = four_steps(same, [&](AdamW& optimizer, std::size_t t) {
        return reference_training_step(same, optimizer, golden_training_rate(t), rng, {});
    });
    expect_steps(steps_of_learner(model), expected, 0.4);
}

TEST(training_step, the_model_runs_once_on_the_batch_with_the_rng) {
    const SmallModel model(0.0);
    AdamW optimizer = model.optimizer();
    Rng rng(1);
    std::size_t runs = 0, without = 0, with_another = 0;
    const Model counted = [&](const Batch& batch, Rng* given) {
        ++runs;
        without += given == nullptr;
        with_another += given != nullptr && given != &rng;
        return model.function()(batch, given);
    };
    training_step(counted, model.batch, optimizer, 0.1, rng);
    EXPECT_EQ(runs, 1u)
        << "forward passes in one step"
        << likely_if(runs > 1,
                     "the model runs more than once; keep the logits and the loss of one forward pass");
    EXPECT_EQ(without, 0u) << "of them without an Rng"
                           << likely_if(without > 0,
                                        "the model is given no Rng, so dropout is off: this is training");
    EXPECT_EQ(with_another, 0u) << "of them with another Rng"
                                << likely_if(with_another > 0,
                                             "the model is given a copy, or an Rng made here; "
                                             "hand on &rng itself, so that it moves on");
    EXPECT_EQ(optimizer.steps, 1u) << "steps that the optimizer has taken";
}

// As a caller leaves it who has sent back something of his own.
TEST(training_step, gradients_of_before_are_forgotten) {
    const auto report = [](const std::function<StepReport(const SmallModel&, AdamW&, Rng&)>& step) {
        const SmallModel model(0.0);
        AdamW optimizer = model.optimizer();
        for (NamedTensor& p : optimizer.parameters)
            set_gradient(p.tensor, normal(p.tensor.shape(), 3).array());
        Rng rng(1);
        const Tensor told = report_of(step(model, optimizer, rng));
        return concat({told, all_of(optimizer)}, 0);
    };
    const auto reference = [&](const TrainingMistake& mistake) {
        return report([&](const SmallModel& model, AdamW& optimizer, Rng& rng) {
            return reference_training_step(model, optimizer, 0.1, rng, mistake);
        });
    };
    const Tensor learner = report([](const SmallModel& model, AdamW& optimizer, Rng& rng) {
        return training_step(model.function(), model.batch, optimizer, 0.1, rng, training_options);
    });
    const Tensor expected = reference({}), added = reference({.not_cleared = true});
    EXPECT_TRUE(
        close_named("loss, norm and all parameters, one behind the other", learner, expected, {},
                    {{"a gradient that was there before is added to: clear_grads comes first in the step",
                      [=] { return added; }}}));
}

TEST(training_step, a_gradient_that_is_not_finite_moves_nothing) {
    const SmallModel model(0.0);
    AdamW optimizer = model.optimizer();
    const Tensor before = all_of(optimizer);
    const Model infinite = [&](const Batch& batch, Rng* rng) {
        return model.function()(batch, rng) * Tensor::full({1}, nan);
    };
    Rng rng(1);
    const Thrown thrown = thrown_by([&] { training_step(infinite, model.batch, optimizer, 0.1, rng); });
    EXPECT_EQ(thrown.type, "ValueError")
        << "a model whose logits are NaN"
        << likely_if(thrown.type.empty(),
                     "clip_by_global_norm refuses gradients that are not finite, so it was not given these");
    EXPECT_TRUE(close_named("all parameters", all_of(optimizer), before, {0, 0}))
        << likely_if(!thrown.type.empty(),
                     "the optimizer steps before the gradients are clipped, and so before they are checked");
}

TEST(training_step, a_small_rate_lowers_the_loss) {
    const SmallModel model(0.0);
    AdamW optimizer = model.optimizer();
    Rng rng(1);
    double first = 0.0, last = 0.0;
    for (std::size_t t = 0; t < 40; ++t) {
        last = training_step(model.function(), model.batch, optimizer, 0.05, rng).loss;
        if (t == 0) first = last;
    }
    EXPECT_LT(last, 0.5 * first) << "after 40 steps on one batch";
}

}  // namespace
}  // namespace tfs::test
