// Step 4.2 · rms_norm · ●○○ · 5 min
// exercises/04_normalization/rms_norm.cpp · check yours with ./tutorial check 4.2
#include "chapters/04_normalization/given/checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

Tensor rms_norm(const Tensor& x, const Tensor& gamma, float eps) {
    require_rms_norm(x, gamma, eps);
    // TODO 4.2: Divide each row by its root mean square, then scale each feature.
    throw NotImplemented("4.2 rms_norm");
}

RMSNorm::RMSNorm(std::size_t d_model, float epsilon) : eps(epsilon) {
    require_norm_sizes("RMSNorm", d_model, 1, epsilon);
    gamma = Tensor::ones({d_model}).set_requires_grad(true);
}

Tensor RMSNorm::operator()(const Tensor& x) const { return rms_norm(x, gamma, eps); }

Parameters RMSNorm::parameters() const { return {{"gamma", gamma}}; }

}  // namespace tfs
