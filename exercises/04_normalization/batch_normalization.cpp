// Step 4.2 · batch_normalization · ●●● · 30 min
// exercises/04_normalization/batch_normalization.cpp · check yours with ./tutorial check 4.2
#include "chapters/04_normalization/given/norm_checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

FeatureStatistics batch_statistics(const Tensor& x) {
    require_batch("batch_statistics", x, 2);
    // TODO 4.2: Mean and variance of each feature over all tokens of the batch.
    throw NotImplemented("4.2 batch_normalization");
}

BatchNorm::BatchNorm(std::size_t features, float share_of_new, float epsilon)
    : momentum(share_of_new), eps(epsilon) {
    require_norm_sizes("BatchNorm", features, 1, eps);
    require_momentum(momentum);
    gamma = Tensor::ones({features}).set_requires_grad(true);
    beta = Tensor::zeros({features}).set_requires_grad(true);
    running_mean = Tensor::zeros({features});
    running_variance = Tensor::ones({features});
}

Tensor BatchNorm::operator()(const Tensor& x, NormMode mode) {
    require_batch("BatchNorm", x, mode == NormMode::training ? 2 : 1);
    require_features(x, gamma.size());
    // TODO 4.2: Normalise x by the statistics that `mode` asks for. Training also moves the running ones, which
    // must not stay on the tape.
    throw NotImplemented("4.2 batch_normalization");
}

Parameters BatchNorm::parameters() const { return {{"gamma", gamma}, {"beta", beta}}; }

Parameters BatchNorm::buffers() const {
    return {{"running_mean", running_mean}, {"running_variance", running_variance}};
}

}  // namespace tfs
