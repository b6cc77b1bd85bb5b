// Step 10.2 · adamw · ●●○ · 20 min
// exercises/10_training/adamw.cpp · check yours with ./tutorial check 10.2
#include <cmath>
#include <string>

#include "chapters/10_training/given/training_checks.hpp"
#include "chapters/10_training/training.hpp"
#include "common/nn/parameters.hpp"

namespace tfs {

bool decays(const NamedTensor& parameter) {
    // TODO 10.2: Which parameters have two axes or more, and are no table of positions?
    throw NotImplemented("10.2 adamw");
}

void AdamW::step(double rate) {
    require_step(*this, rate);
    // TODO 10.2: Count the step; then the four lines of the contract for each parameter that has a gradient. `m[i]` and `v[i]`
    // belong to `parameters[i]`. Compute in double.
    throw NotImplemented("10.2 adamw");
}

}  // namespace tfs
