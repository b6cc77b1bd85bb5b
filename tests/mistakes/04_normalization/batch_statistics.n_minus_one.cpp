// tests/mistakes/04_normalization/batch_statistics.n_minus_one.cpp · step 4.3 done wrong
// The variance over n - 1.
// The checklist must say: "divided by n - 1"
#include "chapters/04_normalization/given/checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

FeatureStatistics batch_statistics(const Tensor& x) {
    require_batch("batch_statistics", x, 2);
    const std::size_t features = x.size(-1);
    const Tensor rows = reshape(x, {x.size() / features, features});  // (batch * seq, features)
    const float n = static_cast<float>(rows.size(0));
    return {mean(rows, 0), variance(rows, 0) * (n / (n - 1.0f))};
}

}  // namespace tfs
