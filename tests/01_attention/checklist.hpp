// tests/01_attention/checklist.hpp · what the checks of several steps of chapter 01 share
#pragma once

#include <functional>
#include <string>

#include "chapters/01_attention/attention.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
// Softmax and attention from the tested operations of the tensor layer, so that no check of one step needs another step.
Tensor reference_softmax(const Tensor& x, int axis = -1);
Tensor reference_scores(const Tensor& q, const Tensor& k, double divisor);

// The weights where each query sees the keys up to its own position.
Tensor causal_softmax(const Tensor& scores);
inline const std::string causal_by_default =
    "without a mask a causal one is applied; where there is none, every query sees every key";

// For the layers that call attention.
inline const std::string scaled_twice =
    "the scores are scaled twice: scaled_dot_product_attention divides them by sqrt(d_k) by itself";

// Weight and bias of PyTorch, as leaves.
void load(Linear& layer, const std::string& name);

// Whether call() throws no ShapeError. The cause of one is what `cause_of` makes of its sentence; nothing where that is empty.
testing::AssertionResult shapes_fit(const std::function<void()>& call,
                                    const std::function<std::string(const std::string&)>& cause_of);

// The gradients of the inputs and of every parameter. One that is missing tells more than one that differs.
testing::AssertionResult gradients_close(const std::string& prefix, const Parameters& inputs,
                                         const Parameters& parameters);

// Whether weights made from leaves still know how they were computed, so that a loss on them sends a gradient back.
testing::AssertionResult remembers(const Tensor& weights);

// The gradients that weights send to the parameters of a layer, against those that the expected weights send to the
// parameters of the same layer again.
testing::AssertionResult weights_send_gradients(const Tensor& weights, const Parameters& parameters,
                                                const Tensor& expected_weights, const Parameters& expected);

}  // namespace tfs::test
