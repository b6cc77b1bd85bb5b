// tests/06_residual_dropout/refusals.hpp · what dropout and the residuals must refuse
#pragma once

#include <functional>
#include <string>

#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs::test {

// `call(p, rng)` must throw a ValueError that names p, in training and in evaluation, for every p outside [0, 1). Where all
// pass in evaluation the likely cause is `unchecked`.
void expect_rates_refused(const std::function<void(double, Rng*)>& call, const std::string& unchecked);

// A result of another shape, also one that `+` would broadcast.
void expect_shapes_refused(const std::function<Tensor(const Tensor&, const Sublayer&)>& call);

}  // namespace tfs::test
