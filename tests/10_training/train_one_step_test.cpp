// tests/10_training/train_one_step_test.cpp · step train_one_step: PyTorch's clipping, rates and steps, properties
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/10_training/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// --- clip_by_global_norm -------------------------------------------------------------------------------------

// Parameters with these gradients: weight, bias, kernel.
Parameters with_gradients(const std::vector<Tensor>& gradients) {
    constexpr const char* names[]{"weight", "bias", "kernel"};
    Parameters all;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        Tensor parameter(normal(gradients[i].shape(), 20 + i).array(), true);
        set_gradient(parameter, gradients[i].array());
        all.push_back({names[i], parameter});
    }
    return all;
}

Tensor gradients_of(const Parameters& parameters) {
    std::vector<Tensor> all;
    for (const NamedTensor& p : parameters)
        if (p.tensor.has_grad()) all.emplace_back(p.tensor.grad());
    return joined(all);
}

void expect_clipped(const std::string& what, const std::vector<Tensor>& gradients, double largest,
                    double norm, const Tensor& expected) {
    const Parameters parameters = with_gradients(gradients);
    const Tensor values = values_of(parameters);
    const std::string where = fmt::format("{}, largest = {}: ", what, largest);
    EXPECT_NEAR(clip_by_global_norm(parameters, largest), norm, 1e-5 * norm)
        << where << "the length that is returned";
    EXPECT_TRUE(
        close_named(where + "all gradients, one behind the other", gradients_of(parameters), expected));
    EXPECT_TRUE(close_named(where + "the parameters themselves", values_of(parameters), values, {0, 0}));
}

TEST(train_one_step, clipping_equals_pytorch) {
    for (const auto& [name, largest] : {std::pair{"long", 1.5}, {"short", 50.0}}) {
        std::vector<Tensor> gradients, expected;
        for (const std::string one : {"weight", "bias", "kernel"}) {
            gradients.push_back(optimizer_golden()["clip.grad." + one]);
            expected.push_back(optimizer_golden()[fmt::format("clip.{}.{}", name, one)]);
        }
        expect_clipped("PyTorch", gradients, largest,
                       optimizer_golden()[fmt::format("clip.{}.norm", name)].item(), joined(expected));
    }
}

// Of length 3 and 4, together 5, with limits between these, at 5 and on both sides.
TEST(train_one_step, clipping_has_one_length_for_all) {
    const std::vector<Tensor> gradients{Tensor::from({3}, {1, -2, 2}), Tensor::from({1, 2}, {-4, 0})};
    for (const double largest : {0.5, 2.5, 4.5, 5.0, 6.0})
        expect_clipped("gradients (1, -2, 2) and (-4, 0)", gradients, largest, 5.0,
                       joined(gradients) * static_cast<float>(std::min(1.0, largest / 5.0)));
}

TEST(train_one_step, clipping_leaves_out_a_parameter_without_a_gradient) {
    Parameters parameters = with_gradients({Tensor::from({2}, {3, 4}), Tensor::from({1}, {12})});
    parameters.insert(parameters.begin() + 1, {"lonely", Tensor(normal({3}, 1).array(), true)});
    EXPECT_NEAR(clip_by_global_norm(parameters, 6.5), 13.0, 1e-6) << "the second of three has no gradient";
    EXPECT_EQ(parameters[1].tensor.has_grad(), false) << "the second of three has no gradient";
    EXPECT_TRUE(close(gradients_of(parameters), Tensor::from({3}, {1.5f, 2, 6})));
    for (NamedTensor& p : parameters) p.tensor.clear_grad();
    EXPECT_EQ(clip_by_global_norm(parameters, 1.0), 0.0) << "where no parameter has a gradient";
}

TEST(train_one_step, clipping_keeps_gradients_of_zero) {
    const Parameters parameters = with_gradients({Tensor::zeros({2, 2})});
    EXPECT_EQ(clip_by_global_norm(parameters, 1.0), 0.0);
    EXPECT_TRUE(close(gradients_of(parameters), Tensor::zeros({4}), {0, 0}));
}

TEST(train_one_step, clipping_squares_in_double) {
    const struct {
        const char* what;
        float first, others;
        std::size_t count;
        double largest, norm;
    } cases[]{{"of a million small ones behind a large one", 1000.0f, 0.01f, 1'000'000, 1.0, 1000.04999875},
              {"of 1e-25", 1e-25f, 1e-25f, 4, 1e-26, 2e-25},
              {"of 1e25", 1e25f, 1e25f, 4, 1e24, 2e25}};
    for (const auto& c : cases) {
        std::vector<float> values(c.count, c.others);
        values[0] = c.first;
        const Parameters parameters = with_gradients({Tensor::from({c.count}, values)});
        EXPECT_NEAR(clip_by_global_norm(parameters, c.largest) / c.norm, 1.0, 1e-6)
            << "the length of gradients " << c.what << ", as a share of what it must be";
        EXPECT_NEAR(parameters[0].tensor.grad().data()[1] / (c.others * c.largest / c.norm), 1.0, 1e-4)
            << "a gradient " << c.what << " after clipping, as a share of what it must be";
    }
}

TEST(train_one_step, clipping_refuses_limits_and_gradients_that_make_no_sense) {
    for (const auto& [largest, named] :
         {std::pair(0.0, "0"), std::pair(-1.0, "-1"), std::pair(double{nan}, "nan")})
        for (const float length : {4.0f, 0.0f}) {
            const Parameters parameters = with_gradients({Tensor::from({2}, {0, length})});
            EXPECT_TRUE(refuses<ValueError>([&, limit = largest] { clip_by_global_norm(parameters, limit); },
                                            {named},
                                            fmt::format("largest = {}, length {}", largest, length)));
        }
    for (const float bad : {infinity, -infinity, nan}) {
        const Parameters parameters =
            with_gradients({Tensor::ones({3}), Tensor::from({2}, {1, bad}), Tensor::full({2}, nan)});
        EXPECT_TRUE(refuses<ValueError>([&] { clip_by_global_norm(parameters, 1.0); }, {"bias"},
                                        fmt::format("a gradient of {}", bad)));
    }
}

// --- learning_rate -------------------------------------------------------------------------------------------

// The rates at step 1 … `last`.
Tensor rates_of(const WarmupCosine& schedule, std::size_t last) {
    std::vector<float> rates;
    for (std::size_t step = 1; step <= last; ++step)
        rates.push_back(static_cast<float>(learning_rate(schedule, step)));
    return Tensor::from({last}, rates);
}

TEST(train_one_step, learning_rate_with_a_cosine_equals_pytorch) {
    const std::pair<const char*, WarmupCosine> cases[]{
        {"plain", {.peak = 0.8, .final = 0.0, .warmup = 4, .total = 16}},
        {"with_final", {.peak = 0.8, .final = 0.1, .warmup = 5, .total = 20}},
        {"without_warmup", {.peak = 0.6, .final = 0.2, .warmup = 0, .total = 10}}};
    for (const auto& [name, c] : cases)
        EXPECT_TRUE(close_named(
            fmt::format("the rates at step 1, 2, 3 … for peak {}, final {}, warmup {}, total {}", c.peak,
                        c.final, c.warmup, c.total),
            rates_of(c, c.total + 5), optimizer_golden()[fmt::format("cosine.{}", name)], {1e-5, 1e-7}));
}

TEST(train_one_step, learning_rate_has_its_peak_after_the_warmup_and_final_at_the_end) {
    const WarmupCosine schedule{.peak = 3e-4, .final = 3e-5, .warmup = 2000, .total = 600'000};
    for (const auto& [step, rate] :
         std::vector<std::pair<std::size_t, double>>{{1, 1.5e-7},
                                                     {1000, 1.5e-4},
                                                     {2000, 3e-4},
                                                     {301'000, 1.65e-4},  // the middle of the cosine
                                                     {600'000, 3e-5},
                                                     {900'000, 3e-5}})
        EXPECT_NEAR(learning_rate(schedule, step), rate, 1e-9 + 1e-6 * rate)
            << "at step " << step << ": peak 3e-4, final 3e-5, warmup 2000, total 600000";
}

TEST(train_one_step, learning_rate_has_no_special_case_for_the_shortest_schedules) {
    const WarmupCosine one{.peak = 0.5, .final = 0.1, .warmup = 0, .total = 1},
        two{.peak = 0.5, .final = 0.1, .warmup = 1, .total = 2};
    EXPECT_TRUE(close_named("one step, the last", rates_of(one, 2), Tensor::from({2}, {0.1f, 0.1f})));
    EXPECT_TRUE(close_named("a step of warm-up, and the last", rates_of(two, 3),
                            Tensor::from({3}, {0.5f, 0.1f, 0.1f})));
}

TEST(train_one_step, learning_rate_refuses_step_0_and_schedules_that_make_no_sense) {
    (void)learning_rate(WarmupCosine{}, 1);
    const auto refused = [](const WarmupCosine& schedule, std::size_t step,
                            const std::vector<std::string>& named) {
        EXPECT_TRUE(refuses<ValueError>([&] { (void)learning_rate(schedule, step); }, named));
    };
    refused({}, 0, {"1"});
    refused({.warmup = 7, .total = 7}, 1, {"7"});
    refused({.peak = INFINITY}, 1, {"peak", "inf"});
    refused({.final = NAN}, 1, {"final", "nan"});
}

// --- training_step -------------------------------------------------------------------------------------------

constexpr StepOptions training_options{.label_smoothing = 0.1, .largest_gradient = 0.25};

// The small model of area_optimizer.py: embedding · tanh · dropout · linear, its batch and optimizer.
struct SmallModel {
    Parameters parameters;
    Batch batch{as_ids(optimizer_golden()["training.inputs"]),
                as_ids(optimizer_golden()["training.targets"])};
    double dropout;

    explicit SmallModel(double chosen_dropout) : dropout(chosen_dropout) {
        for (const std::string name : {"embedding.weight", "output.weight", "output.bias"})
            parameters.push_back({name, parameter(optimizer_golden()["training.begin." + name])});
    }
    Tensor operator()(const Batch& given, Rng* rng) const {
        Tensor x = tanh(embedding(parameters[0].tensor, given.inputs));
        if (rng != nullptr && dropout > 0.0)
            x = x * Tensor(rng->bernoulli_array(x.shape(), 1.0 - dropout)) /
                static_cast<float>(1.0 - dropout);
        return linear(x, parameters[1].tensor, &parameters[2].tensor);
    }
    AdamW optimizer() const {
        return AdamW(parameters, {.beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-2, .weight_decay = 0.2});
    }
};

double golden_training_rate(std::size_t t) { return optimizer_golden()["training.rates"].at({t}); }

// By the solution of the other steps, and the learner's own clipping.
StepReport reference_step(const SmallModel& model, AdamW& optimizer, double rate, Rng& rng) {
    for (NamedTensor& p : optimizer.parameters) p.tensor.clear_grad();
    const Tensor loss =
        cross_entropy(model(model.batch, &rng), model.batch.targets, training_options.label_smoothing);
    loss.backward();
    const double norm = clip_by_global_norm(optimizer.parameters, training_options.largest_gradient);
    optimizer.step(rate);
    return {loss.item(), norm};
}

StepReport step_of_learner(const SmallModel& model, AdamW& optimizer, double rate, Rng& rng) {
    return training_step([&](const Batch& batch, Rng* given) { return model(batch, given); }, model.batch,
                         optimizer, rate, rng, training_options);
}

// Loss and norm, behind them all values of the parameters.
Tensor after_step(const StepReport& report, const AdamW& optimizer) {
    return concat(
        {Tensor::from({2}, {static_cast<float>(report.loss), static_cast<float>(report.gradient_norm)}),
         values_of(optimizer.parameters)},
        0);
}

void expect_step(const std::string& what, const Tensor& after, const Tensor& expected) {
    const auto part = [](const Tensor& all, std::size_t begin, std::size_t end) {
        return slice(all, 0, begin, end);
    };
    const std::size_t end = expected.size();
    EXPECT_TRUE(close_named(what + ": the loss", part(after, 0, 1), part(expected, 0, 1)));
    EXPECT_TRUE(close_named(what + ": the norm", part(after, 1, 2), part(expected, 1, 2)));
    EXPECT_TRUE(close_named(what + ": all parameters, one behind the other", part(after, 2, end),
                            part(expected, 2, end)));
}

TEST(train_one_step, training_step_equals_pytorch_four_times) {
    const SmallModel model(0.0);
    AdamW optimizer = model.optimizer();
    Rng rng(5);
    for (std::size_t t = 0; t < 4; ++t) {
        const StepReport report = step_of_learner(model, optimizer, golden_training_rate(t), rng);
        std::vector<Tensor> expected{slice(optimizer_golden()["training.losses"], 0, t, t + 1),
                                     slice(optimizer_golden()["training.norms"], 0, t, t + 1)};
        for (const NamedTensor& p : model.parameters)
            expected.push_back(golden_row("training.after." + p.name, t));
        expect_step(fmt::format("step {}", t + 1), after_step(report, optimizer), joined(expected));
    }
    EXPECT_EQ(optimizer.steps, 4u) << "steps that the optimizer has taken";
}

TEST(train_one_step, training_step_has_dropout_on_and_drops_others_each_time) {
    const SmallModel model(0.4), same(0.4);
    AdamW optimizer = model.optimizer(), reference = same.optimizer();
    Rng rng(5), same_rng(5);
    for (std::size_t t = 0; t < 4; ++t) {
        const StepReport report = step_of_learner(model, optimizer, golden_training_rate(t), rng),
                         expected = reference_step(same, reference, golden_training_rate(t), same_rng);
        expect_step(fmt::format("step {} with dropout 0.4", t + 1), after_step(report, optimizer),
                    after_step(expected, reference));
    }
}

TEST(train_one_step, training_step_runs_the_model_once_on_the_batch_with_the_rng) {
    const SmallModel model(0.0);
    AdamW optimizer = model.optimizer();
    Rng rng(1);
    std::vector<std::string> runs;
    const Model counted = [&](const Batch& batch, Rng* given) {
        runs.emplace_back(given == nullptr ? "without an Rng"
                          : given == &rng  ? "with rng"
                                           : "with another Rng");
        return model(batch, given);
    };
    training_step(counted, model.batch, optimizer, 0.1, rng);
    EXPECT_EQ(runs, std::vector<std::string>{"with rng"}) << "how the model was run in one step";
}

// As a caller leaves it who has sent back something of his own.
TEST(train_one_step, training_step_forgets_gradients_of_before) {
    const auto after = [](const auto& step) {
        const SmallModel model(0.0);
        AdamW optimizer = model.optimizer();
        for (NamedTensor& p : optimizer.parameters)
            set_gradient(p.tensor, normal(p.tensor.shape(), 3).array());
        Rng rng(1);
        const StepReport report = step(model, optimizer, 0.1, rng);
        return after_step(report, optimizer);
    };
    expect_step("after gradients of before", after(step_of_learner), after(reference_step));
}

TEST(train_one_step, training_step_moves_nothing_where_a_gradient_is_not_finite) {
    const SmallModel model(0.0);
    AdamW optimizer = model.optimizer();
    const Tensor before = values_of(optimizer.parameters);
    const Model infinite = [&](const Batch& batch, Rng* rng) {
        return model(batch, rng) * Tensor::full({1}, nan);
    };
    Rng rng(1);
    EXPECT_TRUE(refuses<ValueError>([&] { training_step(infinite, model.batch, optimizer, 0.1, rng); }, {},
                                    "a model whose logits are NaN"));
    EXPECT_TRUE(close_named("all parameters, where the logits are NaN", values_of(optimizer.parameters),
                            before, {0, 0}));
}

}  // namespace
}  // namespace tfs::test
