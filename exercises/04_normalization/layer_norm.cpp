// Step 4.1 · layer_norm · ●●○ · 15 min
// exercises/04_normalization/layer_norm.cpp · check yours with ./tutorial check 4.1
#include "chapters/04_normalization/given/checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

Tensor layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps) {
    require_layer_norm(x, gamma, beta, eps);
    // TODO 4.1: Normalise each row, then scale and shift each feature: the formula of the contract.
    throw NotImplemented("4.1 layer_norm");
}

LayerNorm::LayerNorm(std::size_t d_model, float epsilon) : eps(epsilon) {
    require_norm_sizes("LayerNorm", d_model, 2, epsilon);
    // TODO 4.1: gamma and beta, learned, such that at first they change nothing.
    throw NotImplemented("4.1 layer_norm");
}

Tensor LayerNorm::operator()(const Tensor& x) const { return layer_norm(x, gamma, beta, eps); }

Parameters LayerNorm::parameters() const { return {{"gamma", gamma}, {"beta", beta}}; }

}  // namespace tfs
