// tests/mistakes/04_normalization/batch_statistics.mean_of_variances.cpp · step 4.3 done wrong
// The variances of the sentences, averaged.
// The checklist must say: "mean of the sentences' variances"
#include "chapters/04_normalization/given/checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

FeatureStatistics batch_statistics(const Tensor& x) {
    require_batch("batch_statistics", x, 2);
    const std::size_t features = x.size(-1);
    const Tensor rows = reshape(x, {x.size() / features, features});  // (batch * seq, features)
    if (x.rank() < 3) return {mean(rows, 0), variance(rows, 0)};
    return {mean(rows, 0), mean(variance(x, 1), 0)};
}

}  // namespace tfs
