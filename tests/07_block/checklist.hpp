// tests/07_block/checklist.hpp · what the checks of several steps of chapter 07 share
//
// The golden values are those of torch.nn.TransformerEncoderLayer, and for what it does not have (rotary positions, RMSNorm,
// SwiGLU, dropout with our masks) of PyTorch code written for the purpose.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chapters/07_block/block.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/multi_head.hpp"

namespace tfs::test {

using OptionalMask = std::optional<Mask>;

// A block of a few lines, with the weights of the golden values: those of its parameters' names.
BlockConfig small(NormPosition position = NormPosition::pre);
BlockConfig small_llama();

bool gated(const BlockConfig& c);

template <class Module>
Module with_golden_weights(Module module, const std::string& prefix) {
    for (NamedTensor parameter : module.parameters())
        parameter.tensor.mutable_array() = golden()[prefix + parameter.name].array();
    return module;
}

template <class Module>
Module made(const BlockConfig& config, const std::string& prefix = "") {
    Rng none = Rng::zeros();
    return with_golden_weights(Module(config, none), prefix);
}

TransformerBlock golden_block(const BlockConfig& config);

Mask padding();

// false where it was true
Mask inverted(const Mask& mask);
inline const std::string mask_inverted = "the mask is inverted: true = may attend";

// The four cases of the golden values.
std::vector<std::pair<std::string, OptionalMask>> masks();

// The gradients of x and of every parameter that the golden values have under this prefix.
void expect_gradients(const std::string& prefix, const Tensor& output, const Tensor& x,
                      const Parameters& parameters);

// Wrong weights that a step may give back, where these are right.
std::vector<Suspect> weights_suspects(const Tensor& right);

// What a wrong rotary attention would give: how often q, k and v are turned, and what is dropped in training.
struct RotaryVariant {
    int turns_q = 1, turns_k = 1, turns_v = 0;
    bool swapped = false;                   // w_k makes the queries
    bool other_q = false, other_k = false;  // pairs of the other layout
    double scale_q = 1.0;
};
AttentionOutput rotary_heads(const Projections& a, const Tensor& x, const RotaryEmbedding& rotary,
                             RotaryLayout layout, const OptionalMask& mask, RotaryVariant variant = {});
Tensor rotary_variant(const Projections& a, const Tensor& x, RotaryLayout layout, const OptionalMask& mask,
                      RotaryVariant variant = {});

// --- the two halves -----------------------------------------------------------------------------------------------

inline constexpr NormPosition both_positions[] = {NormPosition::pre, NormPosition::post};
std::string name_of(NormPosition position);

// A half of a block put together in another way than it should be. f: the sublayer, in evaluation.
std::vector<Suspect> half_suspects(NormPosition position, const Norm& norm, const Tensor& x,
                                   const Sublayer& f);

// f(x, rates, rng): the sublayer, whose inside is dropped at each of these rates, one after the other.
using Rates = std::vector<double>;
using DroppedSublayer = std::function<Tensor(const Tensor&, const Rates&, Rng*)>;
using TrainedHalf = std::function<Tensor(const Tensor&, Rng*)>;

// `half(x, rng)` in training at a rate of 0.25 against chapter 06's functions. inside: "the weights are", dropped by f.
// others: wrong ways to drop inside. Every parameter gets a gradient.
testing::AssertionResult drops_in_both_places(
    const TrainedHalf& half, const Parameters& parameters, NormPosition position, const Norm& norm,
    const DroppedSublayer& f, const std::string& inside,
    const std::vector<std::pair<std::string, DroppedSublayer>>& others = {});

// `half(x, null)` gives `expected`. scaled: the sublayer, where what would be dropped in training is scaled by 0.75.
testing::AssertionResult evaluates(const TrainedHalf& half, const Tensor& expected, NormPosition position,
                                   const Norm& norm, const Sublayer& f, const Sublayer& scaled);

inline const std::string dropped_in_evaluation =
    "dropout is active in evaluation: a null Rng is passed on as it is";
bool has_cause(const testing::AssertionResult& result);

// --- what a block costs -------------------------------------------------------------------------------------------

inline const std::string own_d_ff = "d_ff is the config's, not 4 d_model";

// All that decides about costs, in all combinations.
std::vector<BlockConfig> all_configs();

std::string described(const BlockConfig& c);

}  // namespace tfs::test
