// tests/01_attention/checklist.cpp · what the checks of several steps of chapter 01 share
#include "tests/01_attention/checklist.hpp"

#include "tests/support/golden.hpp"

namespace tfs::test {

Tensor reference_softmax(const Tensor& x, int axis) {
    const Tensor e = exp(x - max(x, axis, KeepDims::yes));
    return e / sum(e, axis, KeepDims::yes);
}

Tensor reference_scores(const Tensor& q, const Tensor& k, double divisor) {
    return matmul(q, k, Transpose::b) / static_cast<float>(divisor);
}

Tensor causal_softmax(const Tensor& scores) {
    xt::xarray<bool> allowed = xt::ones<bool>({scores.size(-2), scores.size(-1)});
    for (std::size_t i = 0; i < scores.size(-2); ++i)
        for (std::size_t j = i + 1; j < scores.size(-1); ++j) allowed(i, j) = false;
    return reference_softmax(masked_fill(scores, Mask(allowed), -infinity));
}

void load(Linear& layer, const std::string& name) {
    layer.weight = leaf(name + ".weight");
    layer.bias = leaf(name + ".bias");
}

testing::AssertionResult shapes_fit(const std::function<void()>& call,
                                    const std::function<std::string(const std::string&)>& cause_of) {
    try {
        call();
    } catch (const ShapeError& error) {
        const std::string message = error.what(), cause = cause_of(message);
        return testing::AssertionFailure() << "an exception: " << message << likely_if(!cause.empty(), cause);
    }
    return testing::AssertionSuccess();
}

testing::AssertionResult gradients_close(const std::string& prefix, const Parameters& inputs,
                                         const Parameters& parameters) {
    Parameters all = inputs;
    all.insert(all.end(), parameters.begin(), parameters.end());
    for (const bool missing : {true, false}) {
        for (const NamedTensor& p : all) {
            if (missing && p.tensor.has_grad()) continue;
            const testing::AssertionResult result =
                gradient_close(p.name, p.tensor, golden()[prefix + "grad_" + p.name], {1e-4, 1e-5});
            if (!result) return result;
        }
    }
    return testing::AssertionSuccess();
}

testing::AssertionResult remembers(const Tensor& weights) {
    if (weights.requires_grad()) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << "the weights do not remember how they were computed"
           << likely_if(true,
                        "the weights are returned detached; return them as they are, so that a loss on them "
                        "sends its gradient back");
}

testing::AssertionResult weights_send_gradients(const Tensor& weights, const Parameters& parameters,
                                                const Tensor& expected_weights, const Parameters& expected) {
    const testing::AssertionResult fits = has_shape(weights, expected_weights.shape());
    if (!fits) return fits;
    const testing::AssertionResult remembered = remembers(weights);
    if (!remembered) return remembered;
    const Tensor upstream = normal(weights.shape(), 27);
    (sum(weights * upstream) + sum(expected_weights * upstream)).backward();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!expected[i].tensor.has_grad()) continue;
        const Tensor gradient(expected[i].tensor.grad());
        const testing::AssertionResult result =
            gradient_close(parameters[i].name, parameters[i].tensor, gradient, {1e-4, 1e-5});
        if (!result) return result;
    }
    return testing::AssertionSuccess();
}

}  // namespace tfs::test
