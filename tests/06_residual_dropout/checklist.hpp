// tests/06_residual_dropout/checklist.hpp · what the checks of several steps of chapter 06 share
//
// The masks of the golden values come from an independent implementation of Rng::bernoulli_array, so a mask drawn in
// another way does not pass.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

inline constexpr double golden_p = 0.25;  // of the golden values in training

// The mask that Rng(seed) draws first: 1 with this probability.
Tensor coins(const Shape& shape, std::uint64_t seed, double probability);

// Dropout with that mask, from the tested operations of the tensor layer.
Tensor dropped(const Tensor& x, std::uint64_t seed, double p);

// The same, drawn from a generator that goes on.
Tensor dropped_by(Rng& rng, const Tensor& x, double p);

inline const std::string not_passed_on =
    "p does not reach dropout: pass p and rng on, also where rng is null";

// `call(p, rng)` must throw a ValueError that names p, in training and in evaluation, for every p outside [0, 1). What is
// wrong with one p alone has a cause of its own; where most pass, p is not checked: `unchecked`.
void expect_rates_refused(const std::function<void(double, Rng*)>& call, const std::string& unchecked);

// --- the three ways to add a sublayer -----------------------------------------------------------------------------

// The sublayer w2(tanh(w1(x))) and the LayerNorm of the golden values, and how often each was called.
struct Parts {
    Tensor x = leaf("x"), gamma = leaf("gamma"), beta = leaf("beta");
    Tensor w1 = leaf("w1.weight"), b1 = leaf("w1.bias"), w2 = leaf("w2.weight"), b2 = leaf("w2.bias");
    int sublayer_calls = 0, norm_calls = 0;

    Tensor s(const Tensor& t) const { return linear(tanh(linear(t, w1, &b1)), w2, &b2); }
    Tensor n(const Tensor& t) const {
        const Tensor centred = t - mean(t, -1, KeepDims::yes);
        return centred / sqrt(variance(t, -1, KeepDims::yes) + 1e-5f) * gamma + beta;
    }
    Sublayer sublayer() {
        return [this](const Tensor& t) { return ++sublayer_calls, s(t); };
    }
    Sublayer norm() {
        return [this](const Tensor& t) { return ++norm_calls, n(t); };
    }
};

using Form = std::function<Tensor(Parts&, double, Rng*)>;
using Wrong = std::function<Tensor(const Parts&)>;

// Value and all gradients against PyTorch, in training and in evaluation.
void expect_golden(const std::string& name, const Form& form, bool training,
                   const std::vector<std::pair<std::string, Wrong>>& wrong);

void expect_calls(const Form& form, int norms);

// A result of another shape, also one that `+` would broadcast.
void expect_shapes_refused(const std::function<Tensor(const Tensor&, const Sublayer&)>& call);

// Dropout with the mask of the golden values.
Tensor d(const Tensor& t);

// Two masks of one generator, one after the other.
Tensor dropped_twice(const Tensor& t);

inline const std::string left_out =
    "in evaluation x comes back without the sublayer: a null rng means only that nothing is dropped";
inline const std::string by_both =
    "dropped twice: by your dropout and again by residual, which has p and rng";

}  // namespace tfs::test
