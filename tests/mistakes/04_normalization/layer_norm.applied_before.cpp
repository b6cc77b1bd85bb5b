// tests/mistakes/04_normalization/layer_norm.applied_before.cpp · step 4.1 done wrong
// Gamma and beta before normalising.
// The checklist must say: "applied before normalising"
#include "chapters/04_normalization/given/checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

Tensor layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps) {
    require_layer_norm(x, gamma, beta, eps);
    const Tensor scaled = gamma * x + beta;
    const Tensor centred = scaled - mean(scaled, -1, KeepDims::yes);           // (..., d_model)
    const Tensor deviation = sqrt(variance(scaled, -1, KeepDims::yes) + eps);  // (..., 1)
    return centred / deviation;
}

LayerNorm::LayerNorm(std::size_t d_model, float epsilon) : eps(epsilon) {
    require_norm_sizes("LayerNorm", d_model, 2, epsilon);
    gamma = Tensor::ones({d_model}).set_requires_grad(true);
    beta = Tensor::zeros({d_model}).set_requires_grad(true);
}

Tensor LayerNorm::operator()(const Tensor& x) const { return layer_norm(x, gamma, beta, eps); }

Parameters LayerNorm::parameters() const { return {{"gamma", gamma}, {"beta", beta}}; }

}  // namespace tfs
