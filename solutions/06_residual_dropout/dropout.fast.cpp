// Step 6.1 · dropout, fast
// solutions/06_residual_dropout/dropout.fast.cpp · one pass; the gradient draws the same mask again
#include "chapters/06_residual_dropout/given/residual_dropout.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/base/parallel.hpp"
#include "common/tensor/tiled_attention.hpp"

namespace tfs {

namespace {

const FastStep loaded(FastStep::Of::dropout);

// y_i = x_i * scale where coin i says keep, else x_i * 0 (so that a NaN stays visible). The coins depend on their key
// and on i alone: no mask is stored, and the same coins draw the same one.
void keep_and_scale(const float* x, float* y, std::size_t begin, std::size_t end, BernoulliSequence keep,
                    float scale) {
#pragma omp simd
    for (std::size_t i = begin; i < end; ++i) y[i] = x[i] * (keep(i) ? scale : 0.0f);
}

Array kept_and_scaled(const Array& x, BernoulliSequence keep, float scale) {
    Array y = Array::from_shape(x.shape());
    parallel_pieces(x.size(), [&](std::size_t begin, std::size_t end) {
        keep_and_scale(x.data(), y.data(), begin, end, keep, scale);
    });
    return y;
}

}  // namespace

Tensor dropout(const Tensor& x, double p, Rng* rng) {
    require_rate("dropout", p);
    if (rng == nullptr || p == 0.0) return x;
    const WeightDropout drawn(p, *rng);
    return record(kept_and_scaled(x.array(), drawn.keep, drawn.scale), {x},
                  [x, drawn](const Array&, const Array& grad) {  // dx_i = dy_i * scale, or 0
                      add_to_grad(x, kept_and_scaled(grad, drawn.keep, drawn.scale));
                  });
}

}  // namespace tfs
