// tests/06_residual_dropout/checklist.hpp · what the checks of several steps of chapter 06 share
//
// The masks of the golden values come from an independent implementation of Rng::bernoulli_array, so a mask drawn in
// another way does not pass.
#pragma once

#include <functional>
#include <string>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

inline constexpr double golden_p = 0.25;  // of the golden values in training

// Dropout with the mask that Rng(seed) draws first, from the tested operations of the tensor layer.
Tensor dropped(const Tensor& x, std::uint64_t seed, double p);

// call(p, rng) must throw a ValueError that names p, in training and in evaluation, for every p outside of [0, 1).
void expect_rates_refused(const std::function<void(double, Rng*)>& call);

// --- the three ways to add a sublayer -----------------------------------------------------------------------------

// The sublayer w2(tanh(w1(x))) and the LayerNorm of the golden values, and how often each was called.
struct Parts {
    Tensor x = leaf("x"), gamma = leaf("gamma"), beta = leaf("beta");
    Tensor w1 = leaf("w1.weight"), b1 = leaf("w1.bias"), w2 = leaf("w2.weight"), b2 = leaf("w2.bias");
    int sublayer_calls = 0, norm_calls = 0;

    Sublayer sublayer();
    Sublayer norm();
};

using Form = std::function<Tensor(Parts&, double, Rng*)>;

// Value and all gradients against PyTorch, in training and in evaluation.
void expect_golden(const std::string& name, const Form& form, bool training);

// The sublayer must be called once, the norm so often.
void expect_calls(const Form& form, int norms);

// A result of another shape must be refused, also one that `+` would broadcast.
void expect_shapes_refused(const std::function<Tensor(const Tensor&, const Sublayer&)>& call);

}  // namespace tfs::test
