// common/nn/layers.hpp · Linear and Embedding, the two layers that every chapter uses
#pragma once

#include <optional>

#include "common/base/rng.hpp"
#include "common/nn/parameters.hpp"
#include "common/tensor/ops.hpp"

namespace tfs {

enum class Bias { no, yes };

// y = x Wᵀ + b, with PyTorch's layout of the weight: (out, in).
struct Linear {
    Tensor weight;               // (out, in)
    std::optional<Tensor> bias;  // (out)

    // Weights uniform in ±sqrt(6 / (in + out)), of variance 2 / (in + out) (Glorot and Bengio 2010, eq. 16): where in =
    // out, a unit-variance input gives an output of about unit variance. The bias starts at 0. ValueError if a size
    // is 0.
    Linear(std::size_t in, std::size_t out, Rng& rng, Bias with_bias = Bias::yes);

    Tensor operator()(const Tensor& x) const;  // (..., in) -> (..., out)
    Parameters parameters() const;             // weight, bias
};

// A row of the table for each id.
struct Embedding {
    Tensor weight;  // (count, size)

    // Rows drawn from N(0, 1), as in PyTorch. ValueError if a size is 0.
    Embedding(std::size_t count, std::size_t size, Rng& rng);

    Tensor operator()(const Ids& ids) const;  // (...) -> (..., size); ValueError where an id is out of range
    Parameters parameters() const;            // weight
};

}  // namespace tfs
