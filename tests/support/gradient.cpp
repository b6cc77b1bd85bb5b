// tests/support/gradient.cpp · one finite-difference test for every operation
#include "tests/support/gradient.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tests/support/close.hpp"

namespace tfs::test {

namespace {

double weighted_sum(const Tensor& y, const Array& weights) {
    double total = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i)
        total += static_cast<double>(y.values()[i]) * weights.data()[i];
    return total;
}

}  // namespace

testing::AssertionResult gradients_match(const std::function<Tensor(const std::vector<Tensor>&)>& f,
                                         const std::vector<Tensor>& inputs, GradientCheck check) {
    std::vector<Tensor> leaves;
    for (const Tensor& input : inputs) leaves.emplace_back(Tensor(input.array(), true));
    const Tensor y = f(leaves);
    Rng rng(check.seed);
    const Array weights = rng.uniform_array(y.shape(), 0.5, 1.5);
    const testing::AssertionResult sent = send_back(y, Tensor(weights));
    if (!sent) return sent;
    count_comparison();

    const NoGrad no_grad;
    for (std::size_t which = 0; which < leaves.size(); ++which) {
        if (!leaves[which].has_grad())
            return testing::AssertionFailure() << "no gradient reached input " << which;
        for (std::size_t i = 0; i < leaves[which].size(); ++i) {
            float& x = leaves[which].mutable_array().data()[i];
            const float before = x;
            x = before + check.step;
            const double above = weighted_sum(f(leaves), weights), high = x;
            x = before - check.step;
            const double below = weighted_sum(f(leaves), weights), low = x;
            x = before;
            const double numeric = (above - below) / (high - low);
            const double analytic = leaves[which].grad().data()[i];
            const double allowed = check.tolerance * (1.0 + std::abs(numeric));
            note_margin(std::abs(analytic - numeric), allowed);
            if (!(std::abs(analytic - numeric) <= allowed)) {
                return testing::AssertionFailure()
                       << fmt::format(
                              "input {}, element {}: backward() gives {:.6g}, finite differences give {:.6g}",
                              which, i, analytic, numeric)
                       << came(leaves[which].grad(), {check.tolerance, check.tolerance});
            }
        }
    }
    return testing::AssertionSuccess();
}

void expect_gradient_through_weights(const std::string& what, const Tensor& x,
                                     const std::function<Tensor(const Tensor&)>& weights_of) {
    const Tensor weights = weights_of(Tensor(x.array(), true));
    if (weights.size() == 0) {
        ADD_FAILURE() << what << " have the shape " << to_string(weights.shape())
                      << ": pass.keep_weights does not reach the attention that makes them";
        return;
    }
    const bool recorded = weights.requires_grad();
    EXPECT_TRUE(recorded)
        << what << " are detached, or made of raw values or under NoGrad: no gradient goes back through them";
    if (!recorded) return;
    EXPECT_TRUE(gradients_match([&](const std::vector<Tensor>& in) { return weights_of(in[0]); }, {x}));
}

}  // namespace tfs::test
