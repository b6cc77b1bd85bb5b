// common/tensor/tiled_attention.cpp · attention on the tape whose weights are never all there at once
#include "common/tensor/tiled_attention.hpp"

#include <cmath>
#include <utility>

#include "common/kernels/attention_tiles.hpp"
#include "common/tensor/tape.hpp"

namespace tfs {

namespace {

Array gradient_of(const Tensor& x) { return Array::from_shape(x.requires_grad() ? x.shape() : Shape{0}); }

// Multiplies a tile of weights, or of their gradients.
void drop(const WeightDropout& dropout, std::size_t first, std::size_t keys, float* weights) {
    const BernoulliSequence keep = dropout.keep;
    const float scale = dropout.scale;
#pragma omp simd
    for (std::size_t j = 0; j < keys; ++j) weights[j] *= keep(first + j) ? scale : 0.0f;
}

bool fast[2] = {};  // set before main begins

AttentionOfModels::Function of_models;

}  // namespace

AttentionOfModels::AttentionOfModels(Function function)
    : before_(std::exchange(of_models, std::move(function))) {}

AttentionOfModels::~AttentionOfModels() { of_models = std::move(before_); }

const AttentionOfModels::Function& AttentionOfModels::now() { return of_models; }

FastStep::FastStep(Of of) { fast[of == Of::attention ? 0 : 1] = true; }

bool both_steps_are_fast() { return fast[0] && fast[1]; }

bool tiles_pay(const Tensor& q, const std::optional<Tensor>& bias) {
    return q.size(-2) >= kernels::tile_queries && !(bias && is_recorded({*bias}));
}

Tensor tiled_attention(const Tensor& q, const Tensor& k, const Tensor& v, const std::optional<Mask>& mask,
                       const std::optional<Tensor>& bias, const std::optional<WeightDropout>& dropout) {
    Shape rows = q.shape(), scores = q.shape();
    rows.back() = v.size(-1);
    scores.back() = k.size(-2);
    Array output = Array::from_shape(rows);
    rows.pop_back();
    Array log_sums = Array::from_shape(rows);
    const ScoreRows changed(mask, bias, scores);
    kernels::AttentionTiles tiles{.heads = element_count(Shape(rows.begin(), rows.end() - 1)),
                                  .query = q.size(-2),
                                  .key = k.size(-2),
                                  .d_k = q.size(-1),
                                  .d_v = v.size(-1),
                                  .scale = 1.0f / std::sqrt(static_cast<float>(q.size(-1)))};
    if (dropout)
        tiles.adjust_weights = [of = *dropout, all = tiles.key](std::size_t row, std::size_t count,
                                                                std::size_t key, std::size_t keys,
                                                                float* weights, std::size_t row_step) {
            for (std::size_t r = 0; r < count; ++r)
                drop(of, (row + r) * all + key, keys, weights + r * row_step);
        };
    changed.describe_to(tiles);
    kernels::attention_forward(tiles, q.values().data(), k.values().data(), v.values().data(), output.data(),
                               log_sums.data());
    return record(std::move(output), {q, k, v},
                  [tiles, changed, q, k, v, log_sums = std::move(log_sums)](const Array& result,
                                                                            const Array& grad) mutable {
                      changed.describe_to(tiles);  // this copy
                      Array dq = gradient_of(q), dk = gradient_of(k), dv = gradient_of(v);
                      const auto place = [](Array& x) { return x.size() > 0 ? x.data() : nullptr; };
                      kernels::attention_backward(tiles, q.values().data(), k.values().data(),
                                                  v.values().data(), result.data(), log_sums.data(),
                                                  grad.data(), place(dq), place(dk), place(dv));
                      add_to_grad(q, std::move(dq));
                      add_to_grad(k, std::move(dk));
                      add_to_grad(v, std::move(dv));
                  });
}

}  // namespace tfs
