// tests/10_training/train_one_step_test.cpp · step train_one_step: PyTorch's clipping, rates and steps, properties, diagnosis
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "tests/10_training/clipped.hpp"
#include "tests/10_training/training_reference.hpp"
#include "tests/10_training/wrong_schedules.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// --- clip_by_global_norm -------------------------------------------------------------------------------------

void expect_clipped(bool of_pytorch) {
    std::string told;
    const auto once = [&](const std::string& cause) {
        const bool news = !cause.empty() && told.find(cause) == std::string::npos;
        told += cause;
        return likely_if(news, cause);
    };
    for (const ClipCase& c : clip_cases()) {
        if ((c.name == "PyTorch") != of_pytorch) continue;
        const Clipped result = clipped(c);
        const std::string where = fmt::format("{}, largest = {}: ", c.name, c.largest);
        ASSERT_TRUE(
            close_named(where + "the values of the parameters", result.values, result.values_before, {0, 0}))
            << likely_if(true, "the parameters themselves are changed; clipping shortens their gradients");
        EXPECT_NEAR(result.returned, c.norm, 1e-5 * c.norm)
            << where << "the length that is returned" << once(likely_length());
        const testing::AssertionResult same =
            close_named(where + "all gradients, one behind the other", result.gradients, c.expected);
        EXPECT_TRUE(same) << once(same ? "" : likely_clipping());
    }
}

TEST(train_one_step, clipping_equals_pytorch) { expect_clipped(true); }

TEST(train_one_step, clipping_has_one_length_for_all) { expect_clipped(false); }

TEST(train_one_step, clipping_leaves_out_a_parameter_without_a_gradient) {
    Parameters parameters = with_gradients({Tensor::from({2}, {3, 4})});
    parameters.insert(parameters.begin(), {"lonely", Tensor(normal({3}, 1).array(), true)});
    double norm = 0.0;
    const Thrown thrown = thrown_by([&] { norm = clip_by_global_norm(parameters, 1.0); });
    ASSERT_EQ(thrown.sentence, "") << likely_if(
        thrown.sentence.find("no gradient has reached") != std::string::npos,
        "a parameter without a gradient is asked for it: ask has_grad() first");
    EXPECT_NEAR(norm, 5.0, 1e-6) << "behind a parameter without a gradient"
                                 << likely_if(norm == 0.0 && lengths_are_right(),
                                              "the search ends at a parameter without a gradient; go on "
                                              "with the next (continue)");
    EXPECT_FALSE(parameters[0].tensor.has_grad());
    EXPECT_TRUE(close(Tensor(parameters[1].tensor.grad()), Tensor::from({2}, {0.6f, 0.8f})));
    clear_grads(parameters);
    EXPECT_EQ(clip_by_global_norm(parameters, 1.0), 0.0) << "where no parameter has a gradient";
}

TEST(train_one_step, clipping_keeps_gradients_of_zero) {
    const Parameters parameters = with_gradients({Tensor::zeros({2, 2})});
    EXPECT_EQ(clip_by_global_norm(parameters, 1.0), 0.0);
    const Tensor after(parameters[0].tensor.grad());
    EXPECT_TRUE(close(after, Tensor::zeros({2, 2}), {0, 0})) << likely_if(
        contains_nan(after), "a length of 0 divides: divide by the length only where it is above `largest`");
}

TEST(train_one_step, clipping_squares_in_double) {
    struct {
        const char* what;
        float value;
        std::size_t count;
        double largest;
        const char* cause;
    } const cases[]{
        {"of 1e25", 1e25f, 4, 1e24, "the square of 1e25 is infinite in float; square and add in double"},
        {"of 1e-25", 1e-25f, 4, 1e-26, "the square of 1e-25 is 0 in float; square and add in double"},
        {"of a million small ones behind a large one", 0.01f, 1'000'000, 1.0,
         "small squares are lost beside a large sum in float; add in double"}};
    for (const auto& c : cases) {
        std::vector<float> values(c.count, c.value);
        if (c.count > 4) values[0] = 1000.0f;
        const Parameters parameters = with_gradients({Tensor::from({c.count}, values)});
        const double expected = c.count > 4 ? std::sqrt(1e6 + 99.9999) : 2.0 * static_cast<double>(c.value);
        double norm = 0.0;
        const std::string sentence =
            thrown_by([&] { norm = clip_by_global_norm(parameters, c.largest); }).sentence;
        const bool too_long = sentence.find("too long for a double") != std::string::npos;
        ASSERT_EQ(sentence, "") << "gradients " << c.what << likely_if(too_long, c.cause);
        ASSERT_NEAR(norm / expected, 1.0, 1e-6)
            << "the length of gradients " << c.what << " is " << norm << ", expected " << expected
            << likely_if(
                   c.count > 4 ? std::abs(norm / 1000.0 - 1.0) < 3e-5 : norm == 0.0 && lengths_are_right(),
                   c.cause);
        const Tensor after(parameters[0].tensor.grad());
        const double shortened = after.at({1}), ratio = c.largest / expected;
        const bool with_epsilon = shortened < 1e-6 * c.value * ratio && clipping_is_right();
        EXPECT_NEAR(shortened / (static_cast<double>(c.value) * ratio), 1.0, 1e-4)
            << "a gradient " << c.what << " after clipping, as a share of what it must be"
            << likely_if(with_epsilon,
                         "something is added to the length that divides; require_norm and the "
                         "condition norm > largest are enough");
    }
}

TEST(train_one_step, clipping_refuses_a_limit_that_is_not_above_0) {
    for (const double largest : {0.0, -1.0, static_cast<double>(nan)}) {
        const Parameters parameters = with_gradients({Tensor::from({2}, {3, 4})});
        EXPECT_TRUE(refuses<ValueError>([&] { clip_by_global_norm(parameters, largest); },
                                        {largest == 0.0  ? "0"
                                         : largest < 0.0 ? "-1"
                                                         : "nan"},
                                        fmt::format("largest = {}", largest),
                                        "the limit is not checked: require_norm(parameters, largest, norm)"));
    }
}

TEST(train_one_step, clipping_refuses_gradients_that_are_not_finite) {
    for (const float bad : {infinity, -infinity, nan}) {
        const Parameters parameters =
            with_gradients({Tensor::ones({3}), Tensor::from({2}, {1, bad}), Tensor::full({2}, nan)});
        const std::string what = fmt::format("a gradient of {}", bad);
        EXPECT_TRUE(refuses<ValueError>([&] { clip_by_global_norm(parameters, 1.0); }, {"bias"}, what,
                                        what +
                                            " is accepted; require_norm(parameters, largest, norm) refuses a "
                                            "length that is not finite"));
    }
}

// --- learning_rate -------------------------------------------------------------------------------------------

TEST(train_one_step, learning_rate_with_a_cosine_equals_pytorch) {
    for (const ScheduleCase& one : schedule_cases) {
        const WarmupCosine& c = one.schedule;
        const Tensor rates = rates_to(c.total + 5, [&](std::size_t step) { return learning_rate(c, step); });
        const std::string what =
            fmt::format("the rates at step 1, 2, 3 … for peak {}, final {}, warmup {}, total {}", c.peak,
                        c.final, c.warmup, c.total);
        const testing::AssertionResult same =
            close_named(what, rates, optimizer_golden()["cosine." + one.name], {1e-5, 1e-7});
        if (same) continue;
        const std::string cause = likely_schedule();
        const bool divided = c.warmup == 0 && contains_nan(rates);
        FAIL() << same.message() << likely_if(!cause.empty(), cause)
               << likely_if(divided && cause.empty(),
                            "a warm-up of 0 steps is none: divide by warmup only in a warm-up");
    }
}

TEST(train_one_step, learning_rate_has_its_peak_after_the_warmup_and_final_at_the_end) {
    const WarmupCosine schedule{.peak = 3e-4, .final = 3e-5, .warmup = 2000, .total = 600'000};
    const auto at = [&](std::size_t step) { return learning_rate(schedule, step); };
    EXPECT_NEAR(at(1), 1.5e-7, 1e-11) << "at step 1";
    EXPECT_NEAR(at(1000), 1.5e-4, 1e-9) << "in the middle of the warm-up";
    EXPECT_NEAR(at(2000), 3e-4, 1e-9) << "at the end of the warm-up";
    EXPECT_NEAR(at(301'000), 1.65e-4, 1e-9) << "in the middle of the cosine";
    EXPECT_NEAR(at(600'000), 3e-5, 1e-11) << "at step `total`";
    EXPECT_NEAR(at(900'000), 3e-5, 1e-11) << "after `total`";
}

TEST(train_one_step, learning_rate_has_no_special_case_for_the_shortest_schedules) {
    const auto cosine = [](std::size_t warmup, std::size_t total, std::size_t step) {
        return learning_rate(WarmupCosine{.peak = 0.5, .final = 0.1, .warmup = warmup, .total = total}, step);
    };
    EXPECT_NEAR(cosine(0, 1, 1), 0.1, 1e-7) << "of one step without warm-up, which is the last";
    EXPECT_NEAR(cosine(1, 2, 1), 0.5, 1e-7) << "of two steps, the first is the warm-up";
    EXPECT_NEAR(cosine(1, 2, 2), 0.1, 1e-7) << "of two steps, the second is the last";
}

TEST(train_one_step, learning_rate_refuses_step_0_and_schedules_that_make_no_sense) {
    (void)learning_rate(WarmupCosine{}, 1);
    EXPECT_TRUE(refuses<ValueError>([] { (void)learning_rate(WarmupCosine{}, 0); }, {"1"}, "step 0"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)learning_rate(WarmupCosine{.warmup = 7, .total = 7}, 1); },
                                    {"7"}, "a warm-up as long as all"));
    for (const double bad : {double{INFINITY}, double{NAN}}) {
        EXPECT_TRUE(refuses<ValueError>([&] { (void)learning_rate(WarmupCosine{.peak = bad}, 1); },
                                        {"peak", "inf|nan"}, "a peak that is not finite"));
        EXPECT_TRUE(refuses<ValueError>([&] { (void)learning_rate(WarmupCosine{.final = bad}, 1); },
                                        {"final", "inf|nan"}, "a final rate that is not finite"));
    }
}

// --- training_step -------------------------------------------------------------------------------------------

const std::string wrong_clipping = "clip_by_global_norm, which training_step calls, is wrong; mend it first";

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
        const double left = reference_clip(optimizer.parameters, 1e30);
        const Tensor rest =
            Tensor::from({2}, {static_cast<float>(left), static_cast<float>(optimizer.steps)});
        after.push_back(concat({report, all_of(optimizer), rest}, 0));
    }
    return after;
}

// The mistake, if any, that explains all four steps. A step with wrong clipping looks like one with another mistake.
std::string likely_training(const std::vector<Tensor>& after, double dropout) {
    if (!clipping_is_right()) return wrong_clipping;
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

TEST(train_one_step, training_step_equals_pytorch_four_times) {
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

TEST(train_one_step, training_step_has_dropout_on_and_drops_others_each_time) {
    const SmallModel model(0.4), same(0.4);
    Rng rng(5);
    const std::vector<Tensor> expected = four_steps(same, [&](AdamW& optimizer, std::size_t t) {
        return reference_training_step(same, optimizer, golden_training_rate(t), rng, {});
    });
    expect_steps(steps_of_learner(model), expected, 0.4);
}

TEST(train_one_step, training_step_runs_the_model_once_on_the_batch_with_the_rng) {
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
TEST(train_one_step, training_step_forgets_gradients_of_before) {
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

TEST(train_one_step, training_step_moves_nothing_where_a_gradient_is_not_finite) {
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
        << likely_if(thrown.type.empty() && clipping_refuses_nan(),
                     "clip_by_global_norm refuses gradients that are not finite, so it was not given these")
        << likely_if(thrown.type.empty() && !clipping_refuses_nan(),
                     "clip_by_global_norm accepts gradients that are not finite; mend it first");
    EXPECT_TRUE(close_named("all parameters", all_of(optimizer), before, {0, 0}))
        << likely_if(!thrown.type.empty(),
                     "the optimizer steps before the gradients are clipped, and so before they are checked");
}

TEST(train_one_step, training_step_with_a_small_rate_lowers_the_loss) {
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
