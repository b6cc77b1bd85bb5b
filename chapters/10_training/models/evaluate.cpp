// chapters/10_training/models/evaluate.cpp · loss and accuracy on examples that a model did not learn from
#include <algorithm>

#include "chapters/10_training/given/training_checks.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs {

Evaluation evaluate(const Model& model, const std::vector<Batch>& batches) {
    if (batches.empty()) throw ValueError("evaluate: there are no batches");
    const NoGrad no_grad;
    Evaluation total;
    double loss = 0.0, right = 0.0;
    for (const Batch& batch : batches) {
        const Tensor logits = model(batch, nullptr);
        const std::size_t asked = require_targets(logits, batch.targets), vocab = logits.size(-1);
        // A batch of 100 targets weighs a hundred times as much as one of a single target.
        loss += static_cast<double>(cross_entropy(logits, batch.targets).item()) * static_cast<double>(asked);
        total.targets += asked;
        for (std::size_t row = 0; row < batch.targets.size(); ++row) {
            const float* scores = logits.values().data() + row * vocab;
            if (batch.targets.data()[row] == std::max_element(scores, scores + vocab) - scores) ++right;
        }
    }
    total.loss = loss / static_cast<double>(total.targets);
    total.accuracy = right / static_cast<double>(total.targets);
    return total;
}

}  // namespace tfs
