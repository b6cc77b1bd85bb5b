// tests/10_training/reference_loss.hpp · the cases of the golden losses, and the parts of a loss
#pragma once

#include <string>
#include <vector>

#include "chapters/10_training/training.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

// Logits (3, 4, 5) are the same in all cases.
struct LossCase {
    std::string name, of;
    double smoothing;
    Ids targets;

    Tensor golden_of(const std::string& what) const { return golden()["loss." + name + "." + what]; }
};
std::vector<LossCase> loss_cases();

Tensor log_softmax(const Tensor& x, int axis = -1);

// A row for each target: `at` at the target, `elsewhere` at all other tokens; 0 where the target is ignored.
Tensor shares(const Ids& targets, double at, double elsewhere);
Tensor shares(const LossCase& c);

// (3, 4, 1): 1 where a target is asked for; and how many those are.
Tensor asked_rows(const LossCase& c);
float asked(const LossCase& c);

// The loss of these shares and log probabilities; n is what the sum is divided by.
Tensor loss_of(const Tensor& wanted, const Tensor& log_p, float n);

}  // namespace tfs::test
