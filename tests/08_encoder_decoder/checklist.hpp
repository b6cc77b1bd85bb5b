// tests/08_encoder_decoder/checklist.hpp · what the checks of several steps of chapter 08 share
//
// The golden values are those of torch.nn.Transformer and its parts, all of them with one set of weights.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

using Padding = std::optional<Mask>;
using Function = std::function<Tensor(const Tensor&)>;

// The golden values: 5 sources of 7 positions, 5 targets of 6, d_model = 12, 3 heads of d_k = 4, d_ff = 16, 2 layers. GELU where
// the norm comes first, ReLU where it comes last. What the tests draw themselves has other sizes, too: a source that is as long as
// its target, so that whatever is exchanged fits and comes to other values.
inline constexpr std::size_t width = 12;
inline const std::string forms[] = {"pre", "post"};
inline constexpr Tolerance by_reference{1e-5, 2e-6};

BlockConfig small(const std::string& form, double dropout = 0.0);
StackConfig stack(const std::string& form, double dropout = 0.0);
// The same with rotary positions.
StackConfig rotary_stack(const std::string& form, std::size_t max_len);

// A mask of (batch, 1, 1, seq) from "source_padding" or "target_padding".
Padding padding(const std::string& name);

// Paddings of 2 sequences of 5 positions each, which differ everywhere.
inline const Padding short_source = Mask::from({2, 1, 1, 5}, {1, 1, 1, 0, 1, 1, 1, 1, 0, 0});
inline const Padding short_target = Mask::from({2, 1, 1, 5}, {1, 1, 0, 1, 1, 1, 0, 1, 1, 1});

// Gives a part the golden weights that stand under this prefix. Returns the parameters by their names there, then the inputs.
Parameters load(const std::string& prefix, Parameters parameters, const Parameters& inputs = {});
// Gives the norms of a model gammas that differ, since all begin as ones.
void tell_norms_apart(const Parameters& parameters);

// The weights of all layers that the golden values have, under the name of their kind.
using WeightsOfLayers = std::vector<std::pair<std::string, std::vector<Tensor>>>;
void expect_golden_weights(const std::string& name, const WeightsOfLayers& weights);
// Output, weights, and the gradients of these inputs and parameters.
void expect_golden(const std::string& name, const Tensor& output, const WeightsOfLayers& weights,
                   const Parameters& leaves, double relative);

// Position j of x (1, seq, d_model) changes all of the output, which has so many positions; or itself and all after it.
enum class Sees { all, earlier };
void expect_seen(Sees sees, const Function& f, const Tensor& x, std::size_t outputs);

// With one seed, f and the reference draw the same, and the same result comes out.
using Training = std::function<Tensor(Rng*)>;
void expect_training(const Training& f, const Training& reference);

// Cross-attention in its place, from chapters 01 and 06.
Tensor attended(const AttentionSublayer& s, const Tensor& x, const Tensor& memory, const Padding& mask,
                Rng* rng = nullptr);

}  // namespace tfs::test
