// tests/10_training/adamw_test.cpp · step adamw: PyTorch's ten steps, properties, diagnosis
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/10_training/adamw_trial.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const std::vector<std::string> adamw_names{"weight", "bias", "table", "positions", "gamma"};
const AdamWOptions adamw_options{.beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-2, .weight_decay = 0.2};

AdamW golden_optimizer(const AdamWOptions& options = adamw_options) {
    Parameters all;
    for (const std::string& name : adamw_names)
        all.push_back({name, Tensor(optimizer_golden()["adamw.begin." + name].array())});
    return AdamW(all, options);
}

// Row t of a golden tensor: what belongs to step t + 1.
Tensor row(const std::string& name, std::size_t t) {
    const Tensor all = optimizer_golden()[name];
    const Shape shape = all.shape();
    return reshape(slice(all, 0, t, t + 1), Shape(shape.begin() + 1, shape.end()));
}

// `table` gets none at the steps 3, 4 and 8.
std::vector<std::optional<Array>> golden_gradients(std::size_t t) {
    std::vector<std::optional<Array>> all;
    for (const std::string& name : adamw_names) all.emplace_back(row("adamw.grad." + name, t).array());
    if (t == 2 || t == 3 || t == 7) all[2] = std::nullopt;
    return all;
}

Trial golden_trial() {
    Trial trial(golden_optimizer());
    for (std::size_t t = 0; t < 10; ++t) {
        trial.set_gradients(golden_gradients(t));
        trial.step(optimizer_golden()["adamw.rates"].at({t}));
        for (std::size_t i = 0; i < adamw_names.size(); ++i)
            trial.expect(trial.optimizer.parameters[i], row("adamw.after." + adamw_names[i], t));
    }
    return trial;
}

// t is not 0 or 1 here, and m and v are not 0.
AdamW in_the_middle(const AdamWOptions& options = adamw_options) {
    AdamW optimizer = golden_optimizer(options);
    optimizer.steps = 2;
    for (std::size_t i = 0; i < adamw_names.size(); ++i) {
        optimizer.m[i] = row("adamw.grad." + adamw_names[i], 8).array();
        const Tensor other = row("adamw.grad." + adamw_names[i], 9);
        optimizer.v[i] = (other * other + 0.1f).array();
    }
    return optimizer;
}

Trial two_steps_from_the_middle(const AdamWOptions& options = adamw_options) {
    Trial trial(in_the_middle(options));
    for (std::size_t t = 0; t < 2; ++t) {
        trial.set_gradients(golden_gradients(t));
        trial.step(0.3);
    }
    return trial;
}

TEST(adamw, ten_steps_equal_pytorch) {
    const Trial trial = golden_trial();
    // NaN looks like NaN, whatever it comes from.
    EXPECT_TRUE(trial.right()) << (contains_nan(all_of(trial.optimizer)) ? two_steps_from_the_middle().cause()
                                                                         : "");
}

TEST(adamw, m_and_v_equal_pytorch_after_ten_steps) {
    const Trial trial = golden_trial();
    const AdamW& optimizer = trial.optimizer;
    EXPECT_EQ(optimizer.steps, 10u) << likely_if(optimizer.steps == 0, "steps is not counted");
    for (std::size_t i = 0; i < adamw_names.size(); ++i)
        for (const auto& [name, kept] : {std::pair{"m", &optimizer.m}, {"v", &optimizer.v}}) {
            const testing::AssertionResult same =
                close_named(fmt::format("{} of {}", name, adamw_names[i]), Tensor(kept->at(i)),
                            optimizer_golden()[fmt::format("adamw.{}.{}", name, adamw_names[i])]);
            const bool zero = close(kept->at(i), Tensor::zeros(shape_of(kept->at(i))).array(), {0, 0});
            ASSERT_TRUE(same) << likely_if(zero,
                                           fmt::format("{} is never written: it begins at 0, and the step "
                                                       "keeps the new mean in it",
                                                       name));
        }
}

TEST(adamw, goes_on_from_the_state_that_it_has) {
    for (const AdamWOptions& options : {adamw_options, AdamWOptions{}}) {
        const Trial trial = two_steps_from_the_middle(options);
        ASSERT_TRUE(trial.right());
        ASSERT_EQ(trial.optimizer.steps, 4u) << "two steps after step 2";
    }
}

TEST(adamw, a_parameter_without_a_gradient_stays_as_it_is) {
    Trial trial(in_the_middle());
    const AdamW before = in_the_middle();
    trial.set_gradients(golden_gradients(2));
    trial.step(0.3);
    const auto& after = trial.optimizer;
    EXPECT_TRUE(
        close_named("m of table, which has no gradient", Tensor(after.m[2]), Tensor(before.m[2]), {0, 0}));
    EXPECT_TRUE(
        close_named("v of table, which has no gradient", Tensor(after.v[2]), Tensor(before.v[2]), {0, 0}));
    trial.set_gradients(golden_gradients(5));
    trial.step(0.3);
    EXPECT_TRUE(trial.right());
}

TEST(adamw, a_step_without_any_gradient_moves_nothing_but_counts) {
    Trial trial(in_the_middle());
    trial.step(0.3);
    EXPECT_TRUE(trial.right());
    EXPECT_EQ(trial.optimizer.steps, 3u) << "the count after a step without gradients";
}

TEST(adamw, leaves_the_gradients_as_they_are) {
    Trial trial(in_the_middle());
    const std::vector<std::optional<Array>> gradients = golden_gradients(0);
    trial.set_gradients(gradients);
    trial.step(0.3);
    const Parameters& parameters = trial.optimizer.parameters;
    const bool cleared = std::none_of(parameters.begin(), parameters.end(),
                                      [](const NamedTensor& p) { return p.tensor.has_grad(); });
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        ASSERT_TRUE(parameters[i].tensor.has_grad())
            << parameters[i].name << " has no gradient after the step"
            << likely_if(cleared,
                         "the step clears the gradients; it leaves them as they are, and training_step "
                         "clears them before backward()");
        EXPECT_TRUE(close_named("the gradient of " + parameters[i].name, Tensor(parameters[i].tensor.grad()),
                                Tensor(*gradients[i]), {0, 0}));
    }
}

// The corrections make up for means that begin at 0: the direction is g / |g|.
TEST(adamw, the_first_step_is_as_long_as_the_rate_whatever_the_gradient) {
    Trial trial(AdamW({{"weight", normal({2, 3}, 1)}}, {.weight_decay = 0.0}));
    const Tensor before(trial.optimizer.parameters[0].tensor.array());
    trial.set_gradients({Tensor::from({2, 3}, {0.05f, -1.0f, 1e3f, -0.3f, 10.0f, -300.0f}).array()});
    trial.step(0.25);
    const Tensor signs = Tensor::from({2, 3}, {1, -1, 1, -1, 1, -1});
    trial.expect({"weight", trial.optimizer.parameters[0].tensor}, before - signs * 0.25f);
    EXPECT_TRUE(trial.right());
}

TEST(adamw, refuses_a_rate_that_is_not_finite) {
    AdamW optimizer = in_the_middle();
    optimizer.step(0.3);
    EXPECT_TRUE(refuses<ValueError>([&] { optimizer.step(INFINITY); }, {"inf"}));
    EXPECT_TRUE(refuses<ValueError>([&] { optimizer.step(NAN); }, {"nan"}));
}

TEST(adamw, another_optimizer_begins_anew) {
    const auto two_steps = [] {
        Trial trial(golden_optimizer());
        for (std::size_t t = 0; t < 2; ++t) {
            trial.set_gradients(golden_gradients(t));
            trial.step(0.1);
        }
        return all_of(trial.optimizer);
    };
    const Tensor first = two_steps(), second = two_steps();
    EXPECT_TRUE(contains_nan(first) || close(second, first, {0, 0}))
        << "the same two steps with a second optimizer give other values"
        << likely_if(true,
                     "something is kept outside of the optimizer (static?); its state is m, v and steps");
}

struct DecayCase {
    NamedTensor parameter;
    bool decays;
};

std::vector<DecayCase> decay_cases() {
    const auto named = [](const std::string& name, const Shape& shape) {
        return NamedTensor{name, Tensor::ones(shape)};
    };
    return {{named("weight", {3, 4}), true},
            {named("attention.w_q.weight", {4, 4}), true},
            {named("kernel", {2, 2, 2}), true},
            {named("output.weight", {1, 4}), true},
            {named("column", {4, 1}), true},
            {named("embedding.weight", {7, 4}), true},
            {named("segments.weight", {2, 4}), true},
            {named("attention.w_q.bias", {4}), false},
            {named("norm.gamma", {4}), false},
            {named("norm.beta", {4}), false},
            {named("norm.weight", {4}), false},
            {named("scale", {}), false},
            {named("positions.weight", {9, 4}), false},
            {named("decoder.positions.weight", {9, 4}), false},
            {named("positions", {9, 4}), false}};
}

TEST(adamw, decays_matrices_but_no_positions) {
    const auto has = [](const NamedTensor& p, const char* part) {
        return p.name.find(part) != std::string::npos;
    };
    const std::vector<std::pair<std::string, std::function<bool(const NamedTensor&)>>> rules{
        {"every parameter decays", [](const auto&) { return true; }},
        {"no parameter decays", [](const auto&) { return false; }},
        {"a table of positions decays", [](const auto& p) { return p.tensor.rank() >= 2; }},
        {"the number of axes is not asked: one axis is not enough",
         [=](const auto& p) { return !has(p, "positions"); }},
        {"one axis is enough; two or more are wanted",
         [=](const auto& p) { return p.tensor.rank() >= 1 && !has(p, "positions"); }},
        {"exactly two axes are wanted; there may be more",
         [=](const auto& p) { return p.tensor.rank() == 2 && !has(p, "positions"); }},
        {"more than two axes are wanted; two are enough",
         [=](const auto& p) { return p.tensor.rank() > 2 && !has(p, "positions"); }},
        {"the answers are exchanged: true means that it decays",
         [=](const auto& p) { return p.tensor.rank() < 2 || has(p, "positions"); }},
        {"\"positions\" must be the whole name; it may be a part of it",
         [](const auto& p) { return p.tensor.rank() >= 2 && p.name != "positions"; }},
        {"\"positions\" must be the start of the name; it may be any part of it",
         [](const auto& p) { return p.tensor.rank() >= 2 && !p.name.starts_with("positions"); }},
        {"only a parameter with \"positions\" in its name decays; find gives npos where it is not found",
         [=](const auto& p) { return p.tensor.rank() >= 2 && has(p, "positions"); }},
        {"every table decays but the embeddings; only tables of positions are left out",
         [=](const auto& p) { return p.tensor.rank() >= 2 && !has(p, "positions") && !has(p, "embedding"); }},
        {"the name is asked for \"weight\"; ask the number of axes",
         [=](const auto& p) { return has(p, "weight"); }},
        {"the name is asked for \"weight\"; ask the number of axes",
         [=](const auto& p) { return has(p, "weight") && !has(p, "positions"); }},
        {"the name is asked for \"bias\"; ask the number of axes",
         [=](const auto& p) { return !has(p, "bias"); }},
        {"the name is asked for \"bias\"; ask the number of axes",
         [=](const auto& p) { return !has(p, "bias") && !has(p, "positions"); }}};
    std::string wrong;
    for (const auto& [parameter, expected] : decay_cases())
        if (decays(parameter) != expected)
            wrong += fmt::format("{}{} {}", wrong.empty() ? "" : ", ", parameter.name,
                                 to_string(parameter.tensor.shape()));
    std::string cause;
    for (const auto& [message, rule] : rules) {
        bool explains = cause.empty();
        for (const DecayCase& c : decay_cases())
            explains = explains && rule(c.parameter) == decays(c.parameter);
        if (explains) cause = message;
    }
    EXPECT_TRUE(wrong.empty()) << "wrong for " << wrong << likely_if(!cause.empty(), cause);
}

}  // namespace
}  // namespace tfs::test
