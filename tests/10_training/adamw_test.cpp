// tests/10_training/adamw_test.cpp · step adamw: PyTorch's ten steps, properties
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/10_training/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const std::vector<std::string> adamw_names{"weight", "bias", "table", "positions", "gamma"};

AdamW golden_optimizer() {
    Parameters all;
    for (const std::string& name : adamw_names)
        all.push_back({name, Tensor(optimizer_golden()["adamw.begin." + name].array())});
    return AdamW(all, {.beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-2, .weight_decay = 0.2});
}

// Of step t + 1. `table` gets none at the steps 3, 4 and 8.
void set_golden_gradients(AdamW& optimizer, std::size_t t) {
    for (std::size_t i = 0; i < adamw_names.size(); ++i) {
        const bool absent = i == 2 && (t == 2 || t == 3 || t == 7);
        set_gradient(
            optimizer.parameters[i].tensor,
            absent ? std::nullopt : std::optional(golden_row("adamw.grad." + adamw_names[i], t).array()));
    }
}

void golden_step(AdamW& optimizer, std::size_t t) {
    set_golden_gradients(optimizer, t);
    optimizer.step(optimizer_golden()["adamw.rates"].at({t}));
}

void expect_after(const AdamW& optimizer, std::size_t t) {
    for (std::size_t i = 0; i < adamw_names.size(); ++i)
        EXPECT_TRUE(close_named(fmt::format("{} after step {}", adamw_names[i], t + 1),
                                optimizer.parameters[i].tensor,
                                golden_row("adamw.after." + adamw_names[i], t)));
}

TEST(adamw, ten_steps_equal_pytorch) {
    AdamW optimizer = golden_optimizer();
    for (std::size_t t = 0; t < 10; ++t) {
        golden_step(optimizer, t);
        expect_after(optimizer, t);
    }
}

TEST(adamw, m_and_v_equal_pytorch_after_ten_steps) {
    AdamW optimizer = golden_optimizer();
    for (std::size_t t = 0; t < 10; ++t) golden_step(optimizer, t);
    EXPECT_EQ(optimizer.steps, 10u);
    for (std::size_t i = 0; i < adamw_names.size(); ++i)
        for (const auto& [name, kept] : {std::pair{"m", &optimizer.m}, {"v", &optimizer.v}})
            EXPECT_TRUE(close_named(fmt::format("{} of {}", name, adamw_names[i]), Tensor(kept->at(i)),
                                    optimizer_golden()[fmt::format("adamw.{}.{}", name, adamw_names[i])]));
}

TEST(adamw, goes_on_from_the_state_that_it_has) {
    AdamW before = golden_optimizer(), optimizer = golden_optimizer();
    for (std::size_t t = 0; t < 5; ++t) golden_step(before, t);
    for (std::size_t i = 0; i < adamw_names.size(); ++i)
        optimizer.parameters[i].tensor.mutable_array() = before.parameters[i].tensor.array();
    optimizer.m = before.m, optimizer.v = before.v, optimizer.steps = before.steps;
    for (std::size_t t = 5; t < 8; ++t) {
        golden_step(optimizer, t);
        expect_after(optimizer, t);
    }
    EXPECT_EQ(optimizer.steps, 8u) << "three steps after step 5";
}

TEST(adamw, a_parameter_without_a_gradient_stays_as_it_is) {
    AdamW optimizer = golden_optimizer();
    for (std::size_t t = 0; t < 2; ++t) golden_step(optimizer, t);
    const Tensor p(optimizer.parameters[2].tensor.array()), m(optimizer.m[2]), v(optimizer.v[2]);
    golden_step(optimizer, 2);
    EXPECT_TRUE(close_named("table", optimizer.parameters[2].tensor, p, {0, 0}));
    EXPECT_TRUE(close_named("m of table", Tensor(optimizer.m[2]), m, {0, 0}));
    EXPECT_TRUE(close_named("v of table", Tensor(optimizer.v[2]), v, {0, 0}));
}

TEST(adamw, a_step_without_any_gradient_moves_nothing_but_counts) {
    AdamW optimizer = golden_optimizer();
    golden_step(optimizer, 0);
    const Tensor before = values_of(optimizer.parameters);
    const std::size_t steps = optimizer.steps;
    for (NamedTensor& p : optimizer.parameters) p.tensor.clear_grad();
    optimizer.step(0.3);
    EXPECT_TRUE(close_named("all parameters", values_of(optimizer.parameters), before, {0, 0}));
    EXPECT_EQ(optimizer.steps, steps + 1) << "the count after a step without gradients";
}

TEST(adamw, leaves_the_gradients_as_they_are) {
    AdamW optimizer = golden_optimizer();
    golden_step(optimizer, 0);
    for (const NamedTensor& p : optimizer.parameters)
        EXPECT_TRUE(gradient_close(p.name, p.tensor, golden_row("adamw.grad." + p.name, 0), {0, 0}));
}

// The corrections make up for means that begin at 0: the direction is g / |g|.
TEST(adamw, the_first_step_is_as_long_as_the_rate_whatever_the_gradient) {
    AdamW optimizer({{"weight", normal({2, 3}, 1)}}, {.weight_decay = 0.0});
    Tensor& weight = optimizer.parameters[0].tensor;
    const Tensor before(weight.array());
    set_gradient(weight, Tensor::from({2, 3}, {0.05f, -1.0f, 1e3f, -0.3f, 10.0f, -300.0f}).array());
    optimizer.step(0.25);
    EXPECT_TRUE(close(weight, before - Tensor::from({2, 3}, {1, -1, 1, -1, 1, -1}) * 0.25f));
}

TEST(adamw, refuses_a_rate_that_is_not_finite) {
    AdamW optimizer = golden_optimizer();
    golden_step(optimizer, 0);
    EXPECT_TRUE(refuses<ValueError>([&] { optimizer.step(INFINITY); }, {"inf"}));
    EXPECT_TRUE(refuses<ValueError>([&] { optimizer.step(NAN); }, {"nan"}));
}

TEST(adamw, another_optimizer_begins_anew) {
    const auto two_steps = [] {
        AdamW optimizer = golden_optimizer();
        for (std::size_t t = 0; t < 2; ++t) golden_step(optimizer, t);
        return values_of(optimizer.parameters);
    };
    const Tensor first = two_steps();
    ASSERT_EQ(contains_nan(first), false) << came(first.array(), {});
    EXPECT_TRUE(close_named("the same two steps with a second optimizer", two_steps(), first, {0, 0}));
}

TEST(adamw, decays_matrices_but_no_positions) {
    const struct {
        const char* name;
        Shape shape;
        bool decays;
    } cases[]{{"weight", {3, 4}, true},
              {"attention.w_q.weight", {4, 4}, true},
              {"kernel", {2, 2, 2}, true},
              {"output.weight", {1, 4}, true},
              {"column", {4, 1}, true},
              {"embedding.weight", {7, 4}, true},
              {"segments.weight", {2, 4}, true},
              {"norm.projection.weight", {4, 3}, true},
              {"attention.w_q.bias", {4}, false},
              {"norm.gamma", {4}, false},
              {"norm.beta", {4}, false},
              {"norm.weight", {4}, false},
              {"scale", {}, false},
              {"positions.weight", {9, 4}, false},
              {"decoder.positions.weight", {9, 4}, false},
              {"positions", {9, 4}, false}};
    for (const auto& c : cases)
        EXPECT_EQ(decays({c.name, Tensor::ones(c.shape)}), c.decays)
            << "decays of " << c.name << " " << to_string(c.shape);
}

}  // namespace
}  // namespace tfs::test
