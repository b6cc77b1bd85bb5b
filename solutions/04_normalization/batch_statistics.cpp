// Step 4.3 · batch_statistics · ●●○ · 10 min
// solutions/04_normalization/batch_statistics.cpp
#include "chapters/04_normalization/given/checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

FeatureStatistics batch_statistics(const Tensor& x) {
    require_batch("batch_statistics", x, 2);
    // begin: Mean and variance of each feature over all tokens of the batch.
    const std::size_t features = x.size(-1);
    const Tensor rows = reshape(x, {x.size() / features, features});  // (batch * seq, features)
    return {mean(rows, 0), variance(rows, 0)};                        // (features) each
    // end
}

}  // namespace tfs
