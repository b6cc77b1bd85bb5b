// Step 4.1 · norms · ●●○ · 15 min
// exercises/04_normalization/norms.cpp · check yours with ./tutorial check 4.1
#include "chapters/04_normalization/given/norm_checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

Tensor layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps) {
    require_layer_norm(x, gamma, beta, eps);
    // TODO 4.1: Normalise each row, then scale and shift each feature: the formula of the contract.
    throw NotImplemented("4.1 norms");
}

LayerNorm::LayerNorm(std::size_t d_model, float epsilon) : eps(epsilon) {
    require_norm_sizes("LayerNorm", d_model, 2, epsilon);
    gamma = Tensor::ones({d_model}).set_requires_grad(true);
    beta = Tensor::zeros({d_model}).set_requires_grad(true);
}

Tensor LayerNorm::operator()(const Tensor& x) const { return layer_norm(x, gamma, beta, eps); }

Parameters LayerNorm::parameters() const { return {{"gamma", gamma}, {"beta", beta}}; }

Tensor rms_norm(const Tensor& x, const Tensor& gamma, float eps) {
    require_rms_norm(x, gamma, eps);
    // TODO 4.1: Divide each row by its root mean square, then scale each feature.
    throw NotImplemented("4.1 norms");
}

RMSNorm::RMSNorm(std::size_t d_model, float epsilon) : eps(epsilon) {
    require_norm_sizes("RMSNorm", d_model, 1, epsilon);
    gamma = Tensor::ones({d_model}).set_requires_grad(true);
}

Tensor RMSNorm::operator()(const Tensor& x) const { return rms_norm(x, gamma, eps); }

Parameters RMSNorm::parameters() const { return {{"gamma", gamma}}; }

}  // namespace tfs
