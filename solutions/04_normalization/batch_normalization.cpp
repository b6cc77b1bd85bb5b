// Step 4.3 · batch_normalization · ●●○ · 15 min
// solutions/04_normalization/batch_normalization.cpp
#include "chapters/04_normalization/given/norm_checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

FeatureStatistics batch_statistics(const Tensor& x) {
    require_batch("batch_statistics", x, 2);
    const std::size_t features = x.size(-1);
    const Tensor rows = reshape(x, {x.size() / features, features});  // (batch * seq, features)
    return {mean(rows, 0), variance(rows, 0)};                        // (features) each
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
    // begin: These lines run, and have two faults: compare each line with the contract.
    FeatureStatistics used{running_mean, running_variance};
    if (mode == NormMode::training) {
        used = batch_statistics(x);
        const float n = static_cast<float>(x.size() / gamma.size());
        const Tensor of_a_sample = used.variance * (n / (n - 1.0f));
        running_mean = (running_mean * (1.0f - momentum) + used.mean * momentum).detach();
        running_variance = (running_variance * (1.0f - momentum) + of_a_sample * momentum).detach();
    }
    // instead
    // const FeatureStatistics used = batch_statistics(x);
    // if (mode == NormMode::training) {
    //     const float n = static_cast<float>(x.size() / gamma.size());
    //     const Tensor of_a_sample = used.variance * (n / (n - 1.0f));
    //     running_mean = running_mean * (1.0f - momentum) + used.mean * momentum;
    //     running_variance = running_variance * (1.0f - momentum) + of_a_sample * momentum;
    // }
    // end
    return gamma * ((x - used.mean) / sqrt(used.variance + eps)) + beta;  // (batch, seq, features)
}

Parameters BatchNorm::parameters() const { return {{"gamma", gamma}, {"beta", beta}}; }

Parameters BatchNorm::buffers() const {
    return {{"running_mean", running_mean}, {"running_variance", running_variance}};
}

}  // namespace tfs
