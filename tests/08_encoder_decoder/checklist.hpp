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
#include "tests/support/golden.hpp"
#include "tests/support/multi_head.hpp"

namespace tfs::test {

using Padding = std::optional<Mask>;
using Function = std::function<Tensor(const Tensor&)>;

// The golden values: 5 sources of 7 positions, 5 targets of 6, d_model = 12, 3 heads of d_k = 4, d_ff = 16, 2 layers. Here as in
// what the tests draw themselves no two axes have one size: exchanging them would go unseen. GELU where the norm comes first,
// ReLU where it comes last.
inline constexpr std::size_t width = 12;
inline const std::string forms[] = {"pre", "post"};

BlockConfig small(const std::string& form, double dropout = 0.0);
StackConfig stack(const std::string& form, double dropout = 0.0);

// A mask of (batch, 1, 1, seq) from "source_padding" or "target_padding".
Padding padding(const std::string& name);

// For the diagnoses: source and target are both 5 long, so that whatever is exchanged fits. Not golden.
inline const Padding short_source = Mask::from({2, 1, 1, 5}, {1, 1, 1, 1, 1, 1, 1, 1, 0, 0});

// A part, and where its parameters stand among the golden values: under this prefix, by the names that the part gives them.
struct Loaded {
    std::string prefix;
    Parameters parameters;
};

// Gives a part the golden weights.
Loaded load(const std::string& prefix, Parameters parameters);

Parameters layers(const std::string& kind, const std::vector<Tensor>& weights);

// Output, weights, and the gradients of all inputs and parameters. Where a wrong output has a known cause, the rest would
// only say it again.
void expect_golden(const std::string& name, const Loaded& part, const Tensor& output,
                   const Parameters& weights, const Parameters& inputs, double relative,
                   const std::vector<Suspect>& suspects);

// Position j changes itself and all after it, and none before it.
void expect_causal(const Function& f, std::size_t seq);

// Every position of the input changes all of the output, which has so many positions. The causes: for an output position i
// that depends on inputs up to i alone, and for an output that depends on none.
void expect_all_seen(const Function& f, const Tensor& x, std::size_t outputs, const std::string& if_causal,
                     const std::string& if_none);

// The first five positions of x, alone, give what they give with padding behind them.
void expect_padding_without_effect(const std::function<Tensor(const Tensor&, const Padding&)>& f);

using Training = std::function<Tensor(Rng*)>;

// With one seed, f and the reference draw the same, and the same result comes out. Returns whether it does. `wrong`: what else f may do with rng.
bool expect_training(const Training& f, const Training& reference,
                     std::vector<std::pair<std::string, Training>> wrong = {});

// The likely cause of an error that names this shape, else nothing.
std::string cause_of_shape(const ShapeError& error, const std::string& shape, const std::string& cause);

// `call` runs what has no final norm, and finds no other optional empty.
void expect_none_needed(const std::function<void()>& call);

// false where it was true
Mask inverted(const Padding& mask);

// `call` takes a padding called `name` for 5 sequences of `seq` positions: (5, 1, 1, seq) or (1, 1, 1, seq), no other shape.
void expect_paddings_refused(const std::string& name, std::size_t seq,
                             const std::function<void(const Padding&)>& call);

// `call` takes what is called `name`, of this shape; not one of another width, nor of another rank.
void expect_shapes_refused(const std::string& name, const Shape& right,
                           const std::function<void(const Tensor&)>& call);

// A config with three mistakes: all are named at once.
void expect_config_refused(const std::function<void(const StackConfig&)>& make, bool layers_too);

inline const std::string causal_encoder =
    "an encoder has no causal mask: every position sees those after it too";
inline const std::string causal_across =
    "the causal mask falls on cross-attention too; the source is known in whole";
inline const std::string not_asked =
    "no target position depends on the source: cross-attention does not read the memory, or what it gives is "
    "not used";

// Attention in its place, from chapters 01, 06 and 07. In cross-attention q is x, and k and v are the memory.
Tensor attended(const AttentionSublayer& s, const Norm& norm, const Tensor& x, const Tensor& q,
                const Tensor& k, const Tensor& v, const Padding& mask, Rng* rng = nullptr);
Tensor attended(const AttentionSublayer& s, const Tensor& x, const Tensor& memory, const Padding& mask,
                Rng* rng = nullptr);

}  // namespace tfs::test
