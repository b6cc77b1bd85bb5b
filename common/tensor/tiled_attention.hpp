// common/tensor/tiled_attention.hpp · attention on the tape whose weights are never all there at once
#pragma once

#include <functional>
#include <optional>

#include "common/base/rng.hpp"
#include "common/tensor/score_rows.hpp"
#include "common/tensor/tensor.hpp"

namespace tfs {

// What falls on the weights in training: times `scale` where keep(i), else 0, for the i-th of all weights (…, query, key).
struct WeightDropout {
    BernoulliSequence keep;
    float scale;

    // With probability p a weight is dropped. One draw.
    WeightDropout(double p, Rng& rng)
        : keep(rng.bernoulli(1.0 - p)), scale(static_cast<float>(1.0 / (1.0 - p))) {}
};

// Whether tiles are faster than two products of all weights, and can be had: from as many queries on as a block has, and where no
// bias learns.
[[nodiscard]] bool tiles_pay(const Tensor& q, const std::optional<Tensor>& bias);

// dropout(softmax(q kᵀ / sqrt(d_k) + bias)) v, 0 where the mask forbids the key: q (…, query, d_k), k (…, key, d_k), v (…, key, d_v) ->
// (…, query, d_v). Each thread has one tile of weights at a time, and one of their gradients (kernels/attention_tiles.hpp). The
// caller has checked q, k and v (the same leading axes, a key at least); ShapeError if the mask or the bias does not broadcast.
[[nodiscard]] Tensor tiled_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                     const std::optional<Mask>& mask, const std::optional<Tensor>& bias,
                                     const std::optional<WeightDropout>& dropout = {});

// What models compute attention with where tiles pay, nobody asks for the weights, each query sees one run of keys, and there is no
// dropout and no bias, as long as this lives: here chapter 13 puts its steps.
class AttentionOfModels {
  public:
    using Function = std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v,
                                          const std::optional<Mask>& mask)>;

    explicit AttentionOfModels(Function function);
    ~AttentionOfModels();
    AttentionOfModels(const AttentionOfModels&) = delete;
    AttentionOfModels& operator=(const AttentionOfModels&) = delete;
    static const Function& now();  // empty where there is none

  private:
    Function before_;
};

// Attention and dropout in one pass are two steps in one. That is right where both are our fast ones: each says so when it is loaded,
// and a learner's step does not.
struct FastStep {
    enum class Of { attention, dropout };

    explicit FastStep(Of of);
};
[[nodiscard]] bool both_steps_are_fast();

}  // namespace tfs
