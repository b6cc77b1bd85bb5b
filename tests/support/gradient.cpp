// tests/support/gradient.cpp
#include "tests/support/gradient.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/support/close.hpp"

namespace tfs::test {

namespace {

double weighted_sum(const Tensor& y, const Array& weights) {
    double total = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i)
        total += static_cast<double>(y.values()[i]) * weights.data()[i];
    return total;
}

// The shortest beginning of the name, up to a dot, under which no parameter received a gradient; else the name itself.
std::string without_gradient(const std::string& name, const Parameters& parameters) {
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
        const std::string prefix = name.substr(0, dot + 1);
        if (std::none_of(parameters.begin(), parameters.end(), [&](const NamedTensor& p) {
                return p.name.starts_with(prefix) && p.tensor.has_grad();
            }))
            return prefix;
    }
    return name;
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

testing::AssertionResult gradients_reach(const Parameters& parameters) {
    std::set<std::string> missing;
    std::size_t count = 0;
    for (const NamedTensor& p : parameters) {
        if (p.tensor.has_grad()) continue;
        missing.insert(without_gradient(p.name, parameters));
        ++count;
    }
    if (count == 0) return testing::AssertionSuccess();
    const std::string text =
        count == parameters.size()
            ? fmt::format("none of the {} parameters received a gradient: the way to them is cut", count)
            : fmt::format(
                  "nothing under {} received a gradient ({} of {} parameters): it is not used, or the "
                  "way to it is cut",
                  fmt::join(missing, ", "), count, parameters.size());
    return testing::AssertionFailure() << text;
}

}  // namespace tfs::test
