// Step 4.2 · layer_norm_backward · ●●● · 35 min
// exercises/04_normalization/layer_norm_backward.cpp · check yours with ./tutorial check 4.2
#include "chapters/04_normalization/given/norm_checks.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

LayerNormGradients layer_norm_backward(const NormalisedRows& forward, const Array& gamma, const Array& dy) {
    require_backward(forward, gamma, dy);
    const auto& [x_hat, rstd] = forward;  // (tokens, d_model), (tokens)
    const std::size_t tokens = x_hat.shape()[0], d_model = x_hat.shape()[1];
    LayerNormGradients to{xt::zeros<float>({tokens, d_model}), xt::zeros<float>({d_model}),
                          xt::zeros<float>({d_model})};
    for (std::size_t t = 0; t < tokens; ++t) {
        // Given: two means over the row that the gradient of x needs. g = gamma dy is the gradient at x_hat.
        [[maybe_unused]] float mean_g = 0.0f, mean_g_x_hat = 0.0f;
        for (std::size_t i = 0; i < d_model; ++i) {
            const float g = gamma(i) * dy(t, i);
            mean_g += g / static_cast<float>(d_model);
            mean_g_x_hat += g * x_hat(t, i) / static_cast<float>(d_model);
        }
        for (std::size_t j = 0; j < d_model; ++j) {
            [[maybe_unused]] const float g = gamma(j) * dy(t, j);
            // TODO 4.2: Add what this token sends to gamma(j) and beta(j), and set to.x(t, j).
            throw NotImplemented("4.2 layer_norm_backward");
        }
    }
    return to;
}

}  // namespace tfs
