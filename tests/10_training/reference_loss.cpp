// tests/10_training/reference_loss.cpp · the cases of the golden losses, and the parts of a loss
#include "tests/10_training/reference_loss.hpp"

#include <algorithm>

namespace tfs::test {

std::vector<LossCase> loss_cases() {
    const Ids whole = golden_ids("loss.targets"), gaps = golden_ids("loss.targets_with_gaps");
    return {{"plain", "the loss", 0.0, whole},
            {"gaps", "with ignored targets", 0.0, gaps},
            {"smoothed", "with label smoothing 0.1", 0.1, whole},
            {"smoothed_gaps", "with label smoothing 0.3 and ignored targets", 0.3, gaps}};
}

Tensor log_softmax(const Tensor& x, int axis) {
    const Tensor shifted = x - max(x, axis, KeepDims::yes);
    return shifted - log(sum(exp(shifted), axis, KeepDims::yes));
}

Tensor shares(const Ids& targets, double at, double elsewhere) {
    constexpr std::size_t vocab = 5;
    Array rows = Tensor::zeros({targets.shape()[0], targets.shape()[1], vocab}).array();
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (targets.data()[i] == ignored) continue;
        std::fill_n(rows.data() + i * vocab, vocab, static_cast<float>(elsewhere));
        rows.data()[i * vocab + static_cast<std::size_t>(targets.data()[i])] = static_cast<float>(at);
    }
    return Tensor(rows);
}
Tensor shares(const LossCase& c) {
    return shares(c.targets, 1.0 - c.smoothing + c.smoothing / 5.0, c.smoothing / 5.0);
}

Tensor asked_rows(const LossCase& c) { return sum(shares(c.targets, 1, 0), -1, KeepDims::yes); }

float asked(const LossCase& c) { return sum(asked_rows(c)).item(); }

Tensor loss_of(const Tensor& wanted, const Tensor& log_p, float n) { return sum(wanted * log_p) / -n; }

}  // namespace tfs::test
