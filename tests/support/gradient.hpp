// tests/support/gradient.hpp · one finite-difference test for every operation; which parameters a backward pass reaches
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "common/nn/parameters.hpp"
#include "common/tensor.hpp"

namespace tfs::test {

struct GradientCheck {
    float step = 1e-2f;       // h in (f(x + h) - f(x - h)) / 2h
    double tolerance = 2e-3;  // of |analytic - numeric| against 1 + |numeric|
    std::uint64_t seed = 7;   // of the weights below
};

// Compares backward() with central differences, for every element of every input. `f` may return any shape: it is
// reduced to a number by a fixed random weight for each element (summed in double, where float would lose the digits).
testing::AssertionResult gradients_match(const std::function<Tensor(const std::vector<Tensor>&)>& f,
                                         const std::vector<Tensor>& inputs, GradientCheck check = {});

// A gradient is sent back through the weights that weights_of(x) gives: they are recorded, and it is that of central
// differences. what: "the weights of cross-attention".
void expect_gradient_through_weights(const std::string& what, const Tensor& x,
                                     const std::function<Tensor(const Tensor&)>& weights_of);

// After send_back: whether each of these received a gradient. A failure says in one sentence which did not, all of those under
// one name as one: "nothing under encoder. received a gradient (34 of 84 parameters): …".
testing::AssertionResult gradients_reach(const Parameters& parameters);

}  // namespace tfs::test
