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

// In training each call draws the next mask of the golden generator; in evaluation nothing is dropped.
using Drop = std::function<Tensor(const Tensor&)>;

// Wrong answers and what to tell about them. What is wrong in training alone is right in evaluation.
using WrongForms = std::vector<std::pair<std::string, std::function<Tensor(const Parts&, const Drop&)>>>;

// Those of all three forms, each of which is around(x + drop(branch(x))).
using Part = std::function<Tensor(const Parts&, const Tensor&)>;
WrongForms common_mistakes(const Part& branch, const Part& around);

// Value and all gradients against PyTorch, in training and in evaluation.
void expect_golden(const std::string& name, const Form& form, bool training, const WrongForms& wrong);

void expect_calls(const Form& form, int norms);

}  // namespace tfs::test
