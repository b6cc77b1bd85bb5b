// tests/01_attention/checklist.hpp · what the checks of several steps of chapter 01 share
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chapters/01_attention/attention.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

// Softmax and attention from the tested operations of the tensor layer, so that no check of one step needs another step.
inline Tensor reference_softmax(const Tensor& x, int axis = -1) {
    const Tensor e = exp(x - max(x, axis, KeepDims::yes));
    return e / sum(e, axis, KeepDims::yes);
}
inline Tensor reference_scores(const Tensor& q, const Tensor& k, double divisor) {
    return matmul(q, k, Transpose::b) / static_cast<float>(divisor);
}

// Weight and bias of PyTorch, as leaves.
inline void load(Linear& layer, const std::string& name) {
    layer.weight = leaf(name + ".weight");
    layer.bias = leaf(name + ".bias");
}

// The gradients of the inputs and of every parameter.
inline testing::AssertionResult gradients_close(const std::string& prefix, const Parameters& inputs,
                                                const Parameters& parameters) {
    testing::AssertionResult first = testing::AssertionSuccess();
    for (const Parameters& some : {inputs, parameters})
        for (const NamedTensor& p : some) {
            const testing::AssertionResult result =
                gradient_close(p.name, p.tensor, golden()[prefix + "grad_" + p.name], {1e-4, 1e-5});
            if (first && !result) first = result;
        }
    return first;
}

}  // namespace tfs::test
