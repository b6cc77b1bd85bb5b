// tests/common/layers_test.cpp · Linear, Embedding, named parameters, gradient_step, the length of gradients
#include <algorithm>
#include <cmath>

#include "common/nn.hpp"
#include "common/tensor.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(linear, value_and_gradients_equal_pytorch) {
    const Golden golden("common.safetensors");
    Rng none = Rng::zeros();
    Linear layer(5, 4, none);
    layer.weight.mutable_array() = golden["linear.batch.bias.b"].array();
    layer.bias->mutable_array() = golden["linear.batch.bias.c"].array();
    const Tensor x(golden["linear.batch.bias.a"].array(), true);
    const Tensor y = layer(x);
    EXPECT_TRUE(close(y, golden["linear.batch.bias.output"]));
    sum(y * golden["linear.batch.bias.grad_weights"]).backward();
    EXPECT_TRUE(close(x.grad(), golden["linear.batch.bias.grad_a"].array()));
    EXPECT_TRUE(close(layer.weight.grad(), golden["linear.batch.bias.grad_b"].array()));
    EXPECT_TRUE(close(layer.bias->grad(), golden["linear.batch.bias.grad_c"].array()));
}

TEST(linear, without_a_bias_has_only_a_weight) {
    const Golden golden("common.safetensors");
    Rng none = Rng::zeros();
    Linear layer(5, 4, none, Bias::no);
    layer.weight.mutable_array() = golden["linear.rows.b"].array();
    EXPECT_TRUE(close(layer(golden["linear.rows.a"]), golden["linear.rows.output"]));
    ASSERT_EQ(layer.parameters().size(), 1u);
    EXPECT_EQ(layer.parameters()[0].name, "weight");
}

TEST(linear, starts_within_the_glorot_bounds_and_a_zero_bias) {
    Rng rng(1);
    const Linear layer(300, 100, rng);
    const double bound = std::sqrt(6.0 / 400.0);
    double squares = 0.0, largest = 0.0;
    for (const float w : layer.weight.values()) {
        squares += static_cast<double>(w) * w;
        largest = std::max(largest, std::abs(static_cast<double>(w)));
    }
    EXPECT_LE(largest, bound);
    EXPECT_GT(largest, 0.99 * bound);
    EXPECT_NEAR(squares / 30000.0, bound * bound / 3.0, 0.02 * bound * bound);  // the variance of a uniform
    EXPECT_TRUE(close(*layer.bias, Tensor::zeros({100}), {0.0, 0.0}));
    EXPECT_TRUE(layer.weight.requires_grad());
    EXPECT_TRUE(layer.bias->requires_grad());
}

TEST(linear, the_same_seed_gives_the_same_weights) {
    Rng a(3), b(3);
    EXPECT_TRUE(close(Linear(7, 5, a).weight, Linear(7, 5, b).weight, {0.0, 0.0}));
}

TEST(linear, refuses_an_input_of_another_width) {
    Rng rng(1);
    const Linear layer(5, 4, rng);
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            layer(Tensor::zeros({2, 4}));
        },
        {"linear: x (2, 4)", "(4, 5)", "(out, in)"}));
}

TEST(embedding, value_and_gradient_equal_pytorch) {
    const Golden golden("common.safetensors");
    Rng none = Rng::zeros();
    Embedding layer(5, 3, none);
    layer.weight.mutable_array() = golden["embedding.rank2.a"].array();
    const Ids ids{{2, 0, 2}, {4, 2, 0}};
    const Tensor y = layer(ids);
    EXPECT_TRUE(close(y, golden["embedding.rank2.output"]));
    sum(y * golden["embedding.rank2.grad_weights"]).backward();
    EXPECT_TRUE(close(layer.weight.grad(), golden["embedding.rank2.grad_a"].array()));
}

TEST(embedding, takes_ids_of_any_rank) {
    Rng rng(1);
    const Embedding layer(5, 3, rng);
    EXPECT_EQ(layer(Ids(std::int64_t{2})).shape(), (Shape{3}));
    EXPECT_EQ(layer(Ids{2, 4}).shape(), (Shape{2, 3}));
    EXPECT_EQ(layer(Ids::from_shape({0})).shape(), (Shape{0, 3}));
}

TEST(embedding, refuses_an_id_outside_of_the_table) {
    Rng rng(1);
    const Embedding layer(5, 3, rng);
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            layer(Ids{{0, 1}, {5, 0}});
        },
        {"id 5 at position 2", "5 rows (0 to 4)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { layer(Ids{-1}); }, {"id -1"}));
}

TEST(parameters, are_named_by_their_path) {
    Rng rng(1);
    const Linear layer(2, 3, rng);
    Parameters inner, all;
    append(inner, "w_q", layer.parameters());
    append(all, "blocks.0.attention", inner);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].name, "blocks.0.attention.w_q.weight");
    EXPECT_EQ(all[1].name, "blocks.0.attention.w_q.bias");
    EXPECT_EQ(count_parameters(all), 9u);
    EXPECT_EQ(count_parameters({}), 0u);
}

TEST(parameters, are_handles_to_the_modules_own) {
    Rng rng(1);
    Linear layer(2, 1, rng);
    Parameters parameters = layer.parameters();
    parameters[0].tensor.mutable_array().fill(1.0f);
    const Tensor x = Tensor::from({1, 2}, {3, 4});
    EXPECT_EQ(layer(x).item(), 7.0f);
    layer(x).backward();
    EXPECT_TRUE(layer.weight.has_grad());
    clear_grads(layer.parameters());
    EXPECT_FALSE(layer.weight.has_grad());
}

TEST(parameters, of_a_module_that_draws_nothing_are_zeros_to_be_replaced) {
    Rng rng(5), none = Rng::zeros();
    const Linear drawn(3, 2, rng);
    Linear layer(3, 2, none);
    const Embedding table(4, 2, none);
    EXPECT_TRUE(close(layer.weight, Tensor::zeros({2, 3}), {0.0, 0.0}));
    EXPECT_TRUE(close(table.weight, Tensor::zeros({4, 2}), {0.0, 0.0}));
    EXPECT_TRUE(layer.weight.requires_grad());
    Parameters to = layer.parameters();
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i].tensor.mutable_array() = drawn.parameters()[i].tensor.array();
    const Tensor x = Tensor::from({1, 3}, {1, 2, 3});
    EXPECT_TRUE(close(layer(x), drawn(x), {0.0, 0.0}));
}

TEST(gradient_step, goes_down_and_forgets_the_gradient_before) {
    const Parameters parameters{{"a", Tensor::from({2}, {1.0f, 2.0f}).set_requires_grad(true)},
                                {"unused", Tensor::from({1}, {7.0f}).set_requires_grad(true)}};
    const Tensor& a = parameters[0].tensor;
    for (int step = 0; step < 2; ++step) gradient_step(sum(a * a), parameters, 0.25f);  // each halves it
    EXPECT_EQ(a.at({0}), 0.25f);
    EXPECT_EQ(a.at({1}), 0.5f);
    EXPECT_EQ(parameters[1].tensor.item(), 7.0f);
}

TEST(gradient_step, refuses_a_rate_that_is_not_finite) {
    const Parameters parameters{{"a", Tensor::ones({1}).set_requires_grad(true)}};
    const Tensor& a = parameters[0].tensor;
    EXPECT_TRUE(refuses<ValueError>([&] { gradient_step(sum(a * a), parameters, INFINITY); }, {"inf"}));
    EXPECT_TRUE(refuses<ValueError>([&] { gradient_step(sum(a * a), parameters, NAN); }, {"nan"}));
    EXPECT_EQ(a.item(), 1.0f);
}

// 20,000 entries are three pieces, which threads share; 7 is part of one.
TEST(sum_of_squares, adds_in_double_in_an_order_of_its_own) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{20'000}}) {
        const Array x = Rng(3).normal_array({size});
        double expected = 0.0;
        for (const float value : x) expected += static_cast<double>(value) * value;
        EXPECT_NEAR(sum_of_squares(x), expected, 1e-12 * expected) << size << " entries";
    }
    EXPECT_EQ(sum_of_squares(Tensor::full({5}, 1e25f).array()), 5.0 * (double{1e25f} * double{1e25f}));
    EXPECT_GT(sum_of_squares(Tensor::full({2, 3}, 1e-25f).array()), 0.0);
    EXPECT_TRUE(std::isnan(sum_of_squares(Tensor::full({2}, NAN).array())));
}

TEST(scale_by, multiplies_each_entry_once) {
    for (const Shape& shape : {Shape{}, Shape{0}, Shape{3, 7}, Shape{20'000}}) {
        const Array before = Rng(4).normal_array(shape);
        Array x = before;
        scale_by(x, 0.3f);
        for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x.data()[i], 0.3f * before.data()[i]) << i;
    }
}

}  // namespace
}  // namespace tfs::test
