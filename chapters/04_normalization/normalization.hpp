// chapters/04_normalization/normalization.hpp · what chapter 04 builds: LayerNorm and its gradient, RMSNorm, BatchNorm, and a puzzle
//
// Sources: Ba, Kiros and Hinton 2016, "Layer Normalization" (arXiv:1607.06450); Zhang and Sennrich 2019, "Root Mean
// Square Layer Normalization" (arXiv:1910.07467); Ioffe and Szegedy 2015, "Batch Normalization" (arXiv:1502.03167).
// Axes: batch · seq (positions) · d_model (the features of one token, always the last axis).
// Read the lesson in README.md beside this file; write your steps in exercises/04_normalization/.
#pragma once

#include "common/nn.hpp"
#include "common/tensor.hpp"

namespace tfs {

// Step norms · Layer normalisation (Ba et al. 2016, eqs. 3 and 4), each row of the last axis by itself:
//     y = gamma (x - mean) / sqrt(variance + eps) + beta
// with the variance of the population (divided by n, not n - 1) and eps inside the root, as in PyTorch.
//   x (..., d_model) · gamma, beta (d_model) -> (..., d_model). Where eps > 0, a row whose entries are all equal gives beta.
// Throws ShapeError if gamma or beta is not (d_model), ValueError if d_model is 1 (the variance of one value is 0:
// the result would be beta, whatever x is) or eps is negative or not finite.
[[nodiscard]] Tensor layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps = 1e-5f);

struct LayerNorm {
    Tensor gamma, beta;  // (d_model) each: learned; they start as ones and zeros
    float eps;

    // ValueError if d_model is 0 or 1, or eps is negative or not finite.
    explicit LayerNorm(std::size_t d_model, float eps = 1e-5f);

    Tensor operator()(const Tensor& x) const;  // (..., d_model) -> (..., d_model)
    Parameters parameters() const;             // gamma, beta
};

// Step norms · Root mean square normalisation (Zhang and Sennrich 2019, eq. 4), each row of the last axis by itself:
//     y = gamma x / sqrt(mean of x^2 + eps)        (the paper has no eps)
// No mean is subtracted and there is no beta.
//   x (..., d_model) · gamma (d_model) -> (..., d_model). Where eps > 0, a row of zeros gives zeros.
// Throws ShapeError if gamma is not (d_model), ValueError if eps is negative or not finite.
[[nodiscard]] Tensor rms_norm(const Tensor& x, const Tensor& gamma, float eps = 1e-6f);

struct RMSNorm {
    Tensor gamma;  // (d_model): learned; it starts as ones
    float eps;

    // ValueError if d_model is 0, or eps is negative or not finite. 1e-6 is the eps of LLaMA's first models.
    explicit RMSNorm(std::size_t d_model, float eps = 1e-6f);

    Tensor operator()(const Tensor& x) const;  // (..., d_model) -> (..., d_model)
    Parameters parameters() const;             // gamma
};

// What the forward pass keeps for the way back, for each row: x_hat = (x - mean) / sqrt(variance + eps), and rstd, the
// reciprocal of that root.
struct NormalisedRows {
    Array x_hat;  // (tokens, d_model)
    Array rstd;   // (tokens)
};
// Given (normalised_rows.cpp). x (tokens, d_model).
[[nodiscard]] NormalisedRows normalised_rows(const Array& x, float eps = 1e-5f);

struct LayerNormGradients {
    Array x;            // (tokens, d_model)
    Array gamma, beta;  // (d_model) each
};

// Step layer_norm_backward · The gradient of y = gamma x_hat + beta (layer_norm) by hand: from dy, the gradient of a loss with
// respect to y, to those with respect to x, gamma and beta. No tape. The three are equal to the tape's, but for rounding.
//   forward: of x (tokens, d_model) · gamma (d_model) · dy (tokens, d_model)
// Throws ShapeError if gamma or dy doesn't fit.
[[nodiscard]] LayerNormGradients layer_norm_backward(const NormalisedRows& forward, const Array& gamma,
                                                     const Array& dy);

// One number for each feature.
struct FeatureStatistics {
    Tensor mean, variance;  // (features) each
};

// Step batch_normalization · Mean and variance of each feature over all axes but the last: over the batch and its
// positions.
//   x (batch, features), (batch, seq, features) or more axes -> mean, variance (features). The variance is divided by
//   n, not n - 1 (Ioffe and Szegedy 2015, algorithm 1). Both are on the tape: a gradient flows through them.
// Throws ShapeError if x has fewer than two axes, ValueError if a feature has no value (an empty batch) or only
// one (a variance of 0: every output would be beta).
[[nodiscard]] FeatureStatistics batch_statistics(const Tensor& x);

enum class NormMode { training, evaluation };

// Step batch_normalization · Batch normalisation (Ioffe and Szegedy 2015, algorithms 1 and 2), each feature by itself:
//     y = gamma (x - mean) / sqrt(variance + eps) + beta
// training:   mean and variance come from this batch (batch_statistics). The running ones move towards them:
//                 running = (1 - momentum) running + momentum batch
//             where the batch's variance is first multiplied by n / (n - 1), with n values for each feature
//             (as in torch.nn.BatchNorm1d).
// evaluation: mean and variance are the running ones; nothing changes.
struct BatchNorm {
    Tensor gamma, beta;  // (features) each: learned; they start as ones and zeros
    Tensor running_mean,
        running_variance;  // (features) each: not learned, no gradient; they start as zeros and ones
    float momentum, eps;

    // ValueError if features is 0, momentum is not in [0, 1], or eps is negative or not finite.
    explicit BatchNorm(std::size_t features, float momentum = 0.1f, float eps = 1e-5f);

    // x as in batch_statistics -> the same shape. Throws ShapeError if the last axis of x is not
    // `features`; ValueError if the batch is empty, or, in training, has one value for each feature.
    Tensor operator()(const Tensor& x, NormMode mode);
    Parameters parameters() const;  // gamma, beta
    Parameters buffers() const;     // running_mean, running_variance: saved with the weights, not trained
};

// A layer that carries a number s: its row is s * weight + bias; LayerNorm; then `readout` reads it: the sum of readout * y.
struct LengthReader {
    Tensor weight, bias;  // (d_model) each
    Tensor readout;       // (d_model)
};
constexpr float longest_length = 100.0f;

// Given (models/read_length.cpp) · What the reader reads of a length s: the sum over the features of
//     readout * layer_norm(s * weight + bias), with gamma = 1, beta = 0 and eps = 1e-5.
// Throws ShapeError if the three have not the same 2 to 16 features.
[[nodiscard]] float read_length(const LengthReader& reader, float length);

// Step surviving_length · Puzzle: choose the numbers of a LengthReader such that for each length s from 1 to longest_length
// what is read is within 1 % of s. 2 to 16 features. Each row, before the norm, has a standard deviation of 0.1 or more: eps
// must not help.
[[nodiscard]] LengthReader surviving_length();

}  // namespace tfs
