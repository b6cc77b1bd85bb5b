// tests/08_encoder_decoder/checklist.cpp · what the checks of several steps of chapter 08 share
#include "tests/08_encoder_decoder/checklist.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/golden.hpp"
#include "tests/support/multi_head.hpp"

namespace tfs::test {

BlockConfig small(const std::string& form, double dropout) {
    const bool pre = form == "pre";
    return {.d_model = width,
            .num_heads = 3,
            .d_ff = 16,
            .norm_position = pre ? NormPosition::pre : NormPosition::post,
            .activation = pre ? Activation::gelu : Activation::relu,
            .dropout = dropout};
}

StackConfig stack(const std::string& form, double dropout) { return {small(form, dropout), 2, true}; }

StackConfig rotary_stack(const std::string& form, std::size_t max_len) {
    StackConfig config = stack(form);
    config.block.positions = Rotary{};
    config.block.max_len = max_len;
    return config;
}

Padding padding(const std::string& name) {
    const Tensor real = golden()[name];  // (batch, seq)
    return as_mask(reshape(real, {real.size(0), 1, 1, real.size(1)}));
}

Parameters load(const std::string& prefix, Parameters parameters, const Parameters& inputs) {
    for (NamedTensor& parameter : parameters) {
        parameter.name = prefix + parameter.name;
        parameter.tensor.mutable_array() = golden()[parameter.name].array();
    }
    parameters.insert(parameters.end(), inputs.begin(), inputs.end());
    return parameters;
}

void tell_norms_apart(const Parameters& parameters) {
    Rng rng(21);
    for (NamedTensor parameter : parameters)
        if (parameter.name.ends_with("gamma"))
            parameter.tensor.mutable_array() = rng.normal_array({width}, 1.0, 0.5);
}

void expect_golden_weights(const std::string& name, const WeightsOfLayers& weights) {
    constexpr std::size_t layers = 2;
    for (const auto& [kind, of_layers] : weights) {
        const std::size_t expected = golden().contains(name + kind + ".1") ? layers : 1;
        EXPECT_EQ(of_layers.size(), expected) << "the number of " << name << kind;
        for (std::size_t i = 0; i < std::min(of_layers.size(), expected); ++i) {
            const std::string layer = name + kind + "." + std::to_string(i);
            EXPECT_TRUE(close_named(layer, of_layers[i], golden()[layer], {1e-4, 2e-6}));
        }
    }
}

void expect_golden(const std::string& name, const Tensor& output, const WeightsOfLayers& weights,
                   const Parameters& leaves, double relative) {
    EXPECT_TRUE(close_named(name + "output", output, golden()[name + "output"], {relative, 2e-6}));
    expect_golden_weights(name, weights);
    ASSERT_TRUE(send_back(output, golden()[name + "grad_weights"]));
    testing::AssertionResult first =
        testing::AssertionSuccess();  // of the gradients, which mostly fail together
    for (const NamedTensor& leaf : leaves) {
        const testing::AssertionResult result = gradient_close(
            leaf.name, leaf.tensor, golden()[name + "grad_" + leaf.name], {10 * relative, 1e-5});
        if (first && !result) first = result;
    }
    EXPECT_TRUE(first);
}

namespace {

// The same x (1, seq, d_model) with another vector at one position.
Tensor changed_at(const Tensor& x, std::size_t position) {
    Array values = x.array();
    for (std::size_t i = 0; i < width; ++i) values.data()[position * width + i] += i % 2 == 0 ? 1.0f : -1.0f;
    return Tensor(values);
}

// The positions of the (only) sequence at which two results differ, to the last bit.
std::string differing(const Tensor& a, const Tensor& b) {
    std::string found;
    for (std::size_t t = 0; t < a.size(1); ++t) {
        const auto row_a = a.values().subspan(t * width, width), row_b = b.values().subspan(t * width, width);
        if (!std::equal(row_a.begin(), row_a.end(), row_b.begin())) found += ' ' + std::to_string(t);
    }
    return found;
}

}  // namespace

void expect_seen(Sees sees, const Function& f, const Tensor& x, std::size_t outputs) {
    const Tensor before = f(x);
    ASSERT_TRUE(has_shape(before, {1, outputs, width}));
    std::string found, expected;
    for (std::size_t j = 0; j < x.size(1); ++j) {
        const std::string input = " | input " + std::to_string(j) + " changes";
        found += input + differing(before, f(changed_at(x, j)));
        expected += input;
        for (std::size_t t = sees == Sees::all ? 0 : j; t < outputs; ++t) expected += ' ' + std::to_string(t);
    }
    EXPECT_EQ(found, expected) << "the positions of the output";
}

void expect_training(const Training& f, const Training& reference) {
    Rng rng(3), same(3);
    EXPECT_TRUE(close_named("in training", f(&rng), reference(&same), by_reference));
    EXPECT_TRUE(close_named("what rng draws afterwards: it shows how much was drawn",
                            Tensor(rng.normal_array({3}, 0.0, 1.0)), Tensor(same.normal_array({3}, 0.0, 1.0)),
                            {0, 0}));
}

Tensor attended(const AttentionSublayer& s, const Tensor& x, const Tensor& memory, const Padding& mask,
                Rng* rng) {
    const bool pre = s.position == NormPosition::pre;
    const Tensor change = attention_with_dropout(multi_head(s.attention), pre ? s.norm(x) : x, memory, memory,
                                                 mask, s.dropout, rng)
                              .output;
    const Tensor added = x + dropout(change, s.dropout, rng);
    return pre ? added : s.norm(added);
}

}  // namespace tfs::test
