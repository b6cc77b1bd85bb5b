// tests/10_training/wrong_formulas.cpp · losses whose rows are computed in a wrong way, and wrong gradients
#include "tests/10_training/wrong_losses.hpp"

namespace tfs::test {

WrongLosses wrong_formulas() {
    WrongLosses all;
    const auto with = [&](const std::string& message, auto log_p) {
        all.push_back({message, [=](const Tensor& z, const LossCase& c) {
                           return loss_of(shares(c), log_p(z), asked(c));
                       }});
    };
    const std::string axis = "p is computed along the wrong axis: a row of scores lies along the LAST one";
    with(axis, [](const Tensor& z) { return log_softmax(z, 0); });
    with(axis, [](const Tensor& z) { return log_softmax(z, 1); });
    with("p sums to 1 over all rows together; each row has a softmax of its own",
         [](const Tensor& z) { return reshape(log_softmax(reshape(z, {z.size()})), z.shape()); });
    with("this is p, not ln p: the logarithm is missing",
         [](const Tensor& z) { return exp(log_softmax(z)); });
    with("this is 1 - p, not -ln p: the logarithm is missing",
         [](const Tensor& z) { return exp(log_softmax(z)) - 1.0f; });
    with("the softmax is missing: these are the logits, not ln p", [](const Tensor& z) { return z; });
    with("only the maximum is subtracted; ln p needs the logarithm of the sum as well",
         [](const Tensor& z) { return z - max(z, -1, KeepDims::yes); });
    with("a softmax of the softmax: logits go into it once",
         [](const Tensor& z) { return log_softmax(exp(log_softmax(z))); });
    with("the sum of the exponentials is subtracted, not its logarithm", [](const Tensor& z) {
        const Tensor shifted = z - max(z, -1, KeepDims::yes);
        return shifted - sum(exp(shifted), -1, KeepDims::yes);
    });
    with("the maximum is subtracted inside of the sum only; subtract it from the logits as well",
         [](const Tensor& z) { return z - log(sum(exp(z - max(z, -1, KeepDims::yes)), -1, KeepDims::yes)); });
    with("the mean of the exponentials; ln p has their sum",
         [](const Tensor& z) { return z - log(mean(exp(z), -1, KeepDims::yes)); });
    all.push_back({"the probabilities are averaged before the logarithm; average the logarithms",
                   [](const Tensor& z, const LossCase& c) {
                       return -log(-loss_of(shares(c), exp(log_softmax(z)), asked(c)));
                   }});
    all.push_back({"this is the perplexity, exp of the loss", [](const Tensor& z, const LossCase& c) {
                       return exp(loss_of(shares(c), log_softmax(z), asked(c)));
                   }});
    all.push_back(
        {"ln(1 - p) of the other tokens is added, as for independent yes or no questions; here one token of "
         "all is right",
         [](const Tensor& z, const LossCase& c) {
             const Tensor q = shares(c), log_p = log_softmax(z);
             return loss_of(asked_rows(c), q * log_p + (1.0f - q) * log(1.0f - exp(log_p)), asked(c));
         }});
    for (const float of : {1.0f, 5.0f}) {
        all.push_back({"this is the squared difference of p and the target, not -ln p",
                       [=](const Tensor& z, const LossCase& c) {
                           const Tensor off = (exp(log_softmax(z)) - shares(c)) * asked_rows(c);
                           return sum(off * off) / (of * asked(c));
                       }});
    }
    return all;
}

std::vector<WrongGradient> wrong_gradients() {
    std::vector<WrongGradient> all;
    // The gradient is upstream * (p - q) / asked, and 0 for ignored targets.
    const auto gradient = [&](const std::string& message, auto of) {
        all.push_back({message, [=](const Tensor& z, const LossCase& c) {
                           return c.golden_of("grad_weights") / asked(c) *
                                  of(exp(log_softmax(z)), shares(c), asked_rows(c), c);
                       }});
    };
    using T = const Tensor&;
    using C = const LossCase&;
    gradient("the logarithm of the sum is detached: nothing comes back through it",
             [](T, T q, T, C) { return -q; });
    gradient(
        "the logits themselves are detached: a gradient comes back through the logarithm of the sum only",
        [](T p, T, T rows, C) { return p * rows; });
    gradient("the gradient is not divided by the number of targets; the loss is",
             [](T p, T q, T rows, C c) { return (p * rows - q) * asked(c); });
    gradient("ignored targets send a gradient back; it must be 0", [](T p, T q, T, C) { return p - q; });
    gradient("the gradient has the wrong sign", [](T p, T q, T rows, C) { return q - p * rows; });
    gradient("label_smoothing is missing in the gradient",
             [](T p, T, T rows, C c) { return p * rows - shares(c.targets, 1, 0); });
    gradient("the gradient is not multiplied by what comes from above",
             [](T p, T q, T rows, C c) { return (p * rows - q) / c.golden_of("grad_weights"); });
    return all;
}

}  // namespace tfs::test
