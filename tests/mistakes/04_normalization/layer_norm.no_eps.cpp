// tests/mistakes/04_normalization/layer_norm.no_eps.cpp · step 4.1 done wrong
// Nothing is added to the variance.
// The checklist must say: "eps is not used"
#include "chapters/04_normalization/given/checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

Tensor layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps) {
    require_layer_norm(x, gamma, beta, eps);
    const Tensor centred = x - mean(x, -1, KeepDims::yes);          // (..., d_model)
    const Tensor deviation = sqrt(variance(x, -1, KeepDims::yes));  // (..., 1)
    return gamma * (centred / deviation) + beta;                    // (..., d_model)
}

LayerNorm::LayerNorm(std::size_t d_model, float epsilon) : eps(epsilon) {
    require_norm_sizes("LayerNorm", d_model, 2, epsilon);
    gamma = Tensor::ones({d_model}).set_requires_grad(true);
    beta = Tensor::zeros({d_model}).set_requires_grad(true);
}

Tensor LayerNorm::operator()(const Tensor& x) const { return layer_norm(x, gamma, beta, eps); }

Parameters LayerNorm::parameters() const { return {{"gamma", gamma}, {"beta", beta}}; }

}  // namespace tfs
