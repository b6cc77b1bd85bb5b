// Step 4.1 · layer_norm · ●●○ · 15 min
// exercises/04_normalization/layer_norm.cpp · check yours with ./tutorial check 4.1
#include "chapters/04_normalization/given/checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

Tensor layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps) {
    require_layer_norm(x, gamma, beta, eps);
    // TODO 4.1: gamma (x - mean) / sqrt(variance + eps) + beta, with mean and variance over the last axis.
    // KeepDims::yes keeps that axis, so that one number for each row broadcasts against x. `variance` divides
    // by n, as it should.
    throw NotImplemented("4.1 layer_norm");
}

LayerNorm::LayerNorm(std::size_t d_model, float epsilon) : eps(epsilon) {
    require_norm_sizes("LayerNorm", d_model, 2, epsilon);
    // TODO 4.1: gamma and beta, one number for each feature, such that at first they change nothing. Both
    // are learned: let them require a gradient (`set_requires_grad`).
    throw NotImplemented("4.1 layer_norm");
}

Tensor LayerNorm::operator()(const Tensor& x) const { return layer_norm(x, gamma, beta, eps); }

Parameters LayerNorm::parameters() const { return {{"gamma", gamma}, {"beta", beta}}; }

}  // namespace tfs
