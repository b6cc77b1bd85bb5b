// tests/mistakes/04_normalization/batch_statistics.per_token.cpp · step 4.3 done wrong
// Over the features, as LayerNorm.
// The checklist must say: "the mean runs over the features of a token"
#include "chapters/04_normalization/given/checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

FeatureStatistics batch_statistics(const Tensor& x) {
    require_batch("batch_statistics", x, 2);
    return {mean(x, -1), variance(x, -1)};
}

}  // namespace tfs
