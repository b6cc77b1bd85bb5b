// tests/04_normalization/checklist.hpp · what several checks of chapter 04 share
#pragma once

#include <functional>
#include <string>

#include "chapters/04_normalization/normalization.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
// References from the tested operations of the tensor layer, so that no check of one function needs another.
Tensor mean_of(const Tensor& x, int axis = -1);
Tensor variance_of(const Tensor& x, int axis = -1);
Tensor deviation_of(const Tensor& x, float eps, int axis = -1);
Tensor rms_of(const Tensor& x, float eps, int axis = -1);
Tensor normalised(const Tensor& x, float eps, int axis = -1);
inline float of_a_sample(double n) { return static_cast<float>(n / (n - 1.0)); }

// The gradient that x would get through `f`, to compare a learner's gradient with that of a mistake.
Tensor gradient_through(const std::function<Tensor(const Tensor&)>& f, const Tensor& x,
                        const Tensor& upstream);

// Of eps, in the steps that add it.
inline const std::string eps_outside_of_variance =
    "eps is added outside the root; the formula has it inside: sqrt(variance + eps)";
inline const std::string eps_as_floor = "eps is only a floor, as by maximum(…, eps); the formula adds it";
inline const std::string eps_squared = "eps is squared; the formula adds it as it is";
inline const std::string eps_fixed = "eps is a number in the code: use the one that is passed in";

inline const std::string half_of_the_gradient =
    "only half of the gradient through the squares arrives: one factor of the square is detached, or the 2 "
    "of its "
    "derivative is missing";

Suspect known(const std::string& message, const Tensor& wrong);

// A norm of rows must give (..., 8) for (..., 8), with any number of axes in front, also none.
void expect_axes_in_front_to_stay(const std::function<Tensor(const Tensor&)>& norm);

}  // namespace tfs::test
