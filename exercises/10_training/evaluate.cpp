// Step 10.7 · evaluate · ●●○ · 15 min
// exercises/10_training/evaluate.cpp · check yours with ./tutorial check 10.7
#include <algorithm>

#include "chapters/10_training/given/checks.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs {

Evaluation evaluate(const Model& model, const std::vector<Batch>& batches) {
    if (batches.empty()) throw ValueError("evaluate: there are no batches");
    const NoGrad no_grad;
    // TODO 10.7: The mean loss and the accuracy over all targets of all batches: every target weighs the same.
    throw NotImplemented("10.7 evaluate");
}

}  // namespace tfs
