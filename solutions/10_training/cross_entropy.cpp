// Step 10.1 · cross_entropy · ●●○ · 20 min
// solutions/10_training/cross_entropy.cpp
#include <algorithm>
#include <limits>

#include "chapters/10_training/given/training_checks.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs {

Tensor cross_entropy(const Tensor& logits, const Ids& targets, double label_smoothing) {
    [[maybe_unused]] const std::size_t asked = require_targets(logits, targets, label_smoothing);
    [[maybe_unused]] const std::size_t vocab = logits.size(-1);
    // begin: The loss of the contract, from the logits and not from p: exp must not overflow, and a p of 0 has no logarithm.
    // Then the mean over the targets that are asked for. (To pick one entry of each row: an Array with 1 there and 0
    // elsewhere, as a Tensor, times ln p. A logit may be -inf, and 0 times -inf is NaN, so `maximum` with the lowest float comes first.)
    Array wanted = Tensor::zeros(logits.shape()).array();
    for (std::size_t row = 0; row < targets.size(); ++row) {
        const std::int64_t target = targets.data()[row];
        if (target == ignored) continue;
        float* shares = wanted.data() + row * vocab;
        std::fill(shares, shares + vocab, static_cast<float>(label_smoothing / static_cast<double>(vocab)));
        shares[target] += static_cast<float>(1.0 - label_smoothing);
    }
    const Tensor shifted = logits - max(logits, -1, KeepDims::yes).detach();  // exp can't overflow now
    const Tensor log_p = shifted - log(sum(exp(shifted), -1, KeepDims::yes));
    constexpr float lowest = std::numeric_limits<float>::lowest();
    return sum(maximum(log_p, lowest) * Tensor(wanted)) / -static_cast<float>(asked);
    // end
}

}  // namespace tfs
