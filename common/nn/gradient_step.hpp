// common/nn/gradient_step.hpp · plain gradient descent, which trains the small examples before chapter 10
#pragma once

#include "common/nn/parameters.hpp"

namespace tfs {

// One step of plain gradient descent: forgets all gradients, sends that of the loss back, then p -= rate * gradient for each
// parameter. One that the loss does not depend on stays as it is. ValueError if the rate is not finite.
void gradient_step(const Tensor& loss, Parameters parameters, float rate);

}  // namespace tfs
