// tests/01_attention/checklist.hpp · what the checks of several steps of chapter 01 share
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "chapters/01_attention/attention.hpp"

namespace tfs::test {

// Softmax and attention from the tested operations of the tensor layer, so that no check of one step needs another step.
Tensor reference_softmax(const Tensor& x, int axis = -1);
Tensor reference_scores(const Tensor& q, const Tensor& k, double divisor);

// Weight and bias of PyTorch, as leaves.
void load(Linear& layer, const std::string& name);

// The gradients of the inputs and of every parameter.
testing::AssertionResult gradients_close(const std::string& prefix, const Parameters& inputs,
                                         const Parameters& parameters);

}  // namespace tfs::test
