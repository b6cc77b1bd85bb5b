// tests/mistakes/04_normalization/batch_statistics.per_position.cpp · step 4.3 done wrong
// Over the batch, each position by itself.
// The checklist must say: "the mean runs over the batch only"
#include "chapters/04_normalization/given/checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

FeatureStatistics batch_statistics(const Tensor& x) {
    require_batch("batch_statistics", x, 2);
    return {mean(x, 0), variance(x, 0)};
}

}  // namespace tfs
