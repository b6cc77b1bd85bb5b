// tests/mistakes/04_normalization/batch_statistics.one_pass_variance.cpp · step 4.3 done wrong
// The variance as E[x^2] - E[x]^2.
// The checklist must say: "E[x^2] - E[x]^2"
#include "chapters/04_normalization/given/checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

FeatureStatistics batch_statistics(const Tensor& x) {
    require_batch("batch_statistics", x, 2);
    const std::size_t features = x.size(-1);
    const Tensor rows = reshape(x, {x.size() / features, features});  // (batch * seq, features)
    const Tensor centre = mean(rows, 0);
    return {centre, mean(rows * rows, 0) - centre * centre};
}

}  // namespace tfs
