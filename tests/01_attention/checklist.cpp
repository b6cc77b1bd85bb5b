// tests/01_attention/checklist.cpp · what the checks of several steps of chapter 01 share
#include "tests/01_attention/checklist.hpp"

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

Tensor reference_softmax(const Tensor& x, int axis) {
    const Tensor e = exp(x - max(x, axis, KeepDims::yes));
    return e / sum(e, axis, KeepDims::yes);
}

Tensor reference_scores(const Tensor& q, const Tensor& k, double divisor) {
    return matmul(q, k, Transpose::b) / static_cast<float>(divisor);
}

void load(Linear& layer, const std::string& name) {
    layer.weight = leaf(name + ".weight");
    layer.bias = leaf(name + ".bias");
}

testing::AssertionResult gradients_close(const std::string& prefix, const Parameters& inputs,
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
