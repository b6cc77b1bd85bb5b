// chapters/05_feed_forward/feed_forward.hpp · what chapter 05 builds: activations, the feed-forward network, SwiGLU
//
// Sources: Vaswani et al. 2017, "Attention Is All You Need" (arXiv:1706.03762), section 3.3, for the network; each
// activation names its own. Axes: batch · seq (positions) · d_model (width) · d_ff (width of the hidden layer).
// Read the lesson in README.md beside this file; write your steps in exercises/05_feed_forward/.
#pragma once

#include <string>
#include <vector>

#include "common/nn.hpp"
#include "common/tensor.hpp"

namespace tfs {

// Step activations · The activations, all in activations.cpp. Each takes a tensor of any shape (also an empty one) and
// returns the same shape. NaN stays NaN; -infinity times a gate of 0 is NaN as well, in PyTorch too, for all but relu.

// relu(x) = max(0, x) (Nair and Hinton 2010). Derivative 0 for x < 0 and 1 for x > 0. At x = 0 any number from 0 to 1 is
// right: PyTorch takes 0; `maximum` of common/tensor/ops.hpp, and so this, takes 1.
Tensor relu(const Tensor& x);

// gelu(x) = x Phi(x), Phi(x) = (1 + erf(x / sqrt(2))) / 2: the share of a standard normal distribution below x (Hendrycks
// and Gimpel 2016, arXiv:1606.08415, section 2). Derivative Phi(x) + x exp(-x^2 / 2) / sqrt(2 pi).
// torch.nn.functional.gelu(x).
Tensor gelu(const Tensor& x);

// Two approximations of gelu, from the same section of the paper.
// gelu_tanh(x) = x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2. GPT-2's; torch: gelu(x, approximate="tanh").
Tensor gelu_tanh(const Tensor& x);
// gelu_sigmoid(x) = x sigmoid(1.702 x).
Tensor gelu_sigmoid(const Tensor& x);

// silu(x) = x sigmoid(x) (Elfwing et al. 2018, arXiv:1702.03118; Ramachandran et al. 2017, arXiv:1710.05941, as Swish with
// beta = 1). Derivative s (1 + x (1 - s)) with s = sigmoid(x).
Tensor silu(const Tensor& x);

enum class Activation { relu, gelu, gelu_tanh, gelu_sigmoid, silu };

// Given (models/networks.cpp) · Applies one of the five.
Tensor activate(Activation activation, const Tensor& x);

// Step feed_forward_networks · The position-wise feed-forward network (Vaswani et al. 2017, eq. 2):
// FFN(x) = activation(x W_upᵀ + b_up) W_downᵀ + b_down. The same for every position, each by itself.
// Hidden layer and output are two functions, so that dropout can come between them (chapter 07).
struct FeedForward {
    Linear up;    // d_model -> d_ff: linear1, w1, fc1, c_fc elsewhere
    Linear down;  // d_ff -> d_model: linear2, w2, fc2, c_proj elsewhere
    Activation activation;

    // Draws the weights of up, then down, from `rng`. ValueError if a size is 0.
    FeedForward(std::size_t d_model, std::size_t d_ff, Rng& rng, Activation activation = Activation::gelu,
                Bias with_bias = Bias::yes);

    // The hidden activations: x (..., d_model) -> (..., d_ff). ShapeError if the width of x is not d_model.
    Tensor hidden(const Tensor& x) const;
    // Given · (..., d_ff) -> (..., d_model). ShapeError if the width is not d_ff.
    Tensor output(const Tensor& hidden) const;
    // Given · output(hidden(x)): (..., d_model) -> (..., d_model). No positions at all (an empty axis) give an empty result.
    Tensor operator()(const Tensor& x) const;
    Parameters parameters() const;  // up.weight, up.bias, down.weight, down.bias
};

// Step feed_forward_networks · SwiGLU (Shazeer 2020, arXiv:2002.05202, eq. 6): FFN(x) = (silu(x W_gateᵀ) * (x W_upᵀ))
// W_downᵀ, * element by element. No biases unless you ask for them, as in the paper and in LLaMA (Touvron et al. 2023,
// arXiv:2302.13971).
struct SwiGLU {
    Linear gate;  // d_model -> d_ff: w1 in LLaMA
    Linear up;    // d_model -> d_ff: w3 in LLaMA
    Linear down;  // d_ff -> d_model: w2 in LLaMA

    // Draws the weights of gate, up, down from `rng`, in this order. ValueError if a size is 0.
    SwiGLU(std::size_t d_model, std::size_t d_ff, Rng& rng, Bias with_bias = Bias::no);

    // silu(gate(x)) * up(x): x (..., d_model) -> (..., d_ff). ShapeError if the width of x is not d_model.
    Tensor hidden(const Tensor& x) const;
    // Given · (..., d_ff) -> (..., d_model). ShapeError if the width is not d_ff.
    Tensor output(const Tensor& hidden) const;
    // Given · output(hidden(x)): (..., d_model) -> (..., d_model)
    Tensor operator()(const Tensor& x) const;
    Parameters parameters()
        const;  // gate.weight, up.weight, down.weight; each followed by its bias, if there is one
};

// Step feed_forward_networks · The hidden size that gives a SwiGLU (three matrices) about as many parameters as a
// FeedForward (two) of hidden size d_ff: two thirds of d_ff, the fraction cut off, then rounded up to a multiple of
// `multiple_of`, as in LLaMA: swiglu_hidden_size(4 * 4096, 256) is 11008. ValueError if multiple_of is 0, or d_ff is below
// 2 (nothing would be left).
std::size_t swiglu_hidden_size(std::size_t d_ff, std::size_t multiple_of = 1);

// Step key_value_memory · A feed-forward network as a memory (Geva et al. 2021, arXiv:2012.14913), its weights written, not
// trained. Row i of W_up is key k_i, b_down is 0, the activation is relu. Slot i, hidden unit i, fires (is above 0) where x
// k_i is greater than threshold * |k_i|^2. It adds a multiple of value v_i to the output. For x = k_i it adds v_i itself,
// so a key gives its value exactly, as long as no other slot fires for it. What fires no slot gives zeros.
//   keys (slots, d_model) · values (slots, d_model) · threshold: the share of a key that must be there to fire, in [0, 1)
// Throws ShapeError if keys and values are not both (slots, d_model), ValueError if the threshold is outside of
// [0, 1), there is no slot, or a key is all zeros (nothing resembles it).
FeedForward key_value_memory(const Tensor& keys, const Tensor& values, float threshold = 0.5f);

// Hidden units of a trained decoder of characters, recorded in some contexts; given/memories.hpp has three of them.
//   strengths (units, contexts): what a unit gives behind its activation · values (units, d_model): its value, a column of W_down,
//   is a row here · table (vocab, d_model): the logit of a character is the product of its row and what leaves the last block
//   (and its norm)
// All throw ValueError if there is no such unit, or fewer than `count` contexts or characters.

// Given · The `count` contexts in which the unit is strongest, the strongest first; of equal ones the first comes first.
std::vector<std::size_t> strongest_contexts(const Tensor& strengths, std::size_t unit, std::size_t count);
// Given · The ids of the `count` characters whose logits a unit's value raises most, the most raised first: table · value, as if
// nothing came between the unit and the logits.
std::vector<std::size_t> raised_most(const Tensor& values, std::size_t unit, const Tensor& table,
                                     std::size_t count);
// Step trained_units · What you read in the contexts: the unit (0, 1 or 2 of recorded_units) responds to those that end with one of
// these. It responds where its strength is more than half of its largest one. Of the contexts that are held back your endings must
// find two thirds of those to which the unit responds, and it must respond to three quarters of those that they find. The endings of
// unit 0 are given, as an example.
std::vector<std::string> response_endings(std::size_t unit);

// Step exclusive_or · Puzzle: weights by hand for exclusive or, with two hidden units and any activation.
//   x (..., 2): two features, each 0 or 1 · result (..., 2): feature 0 is 1 where exactly one of the two is 1, else 0, with
//   an error of at most 0.1. Feature 1 of the result may be anything.
[[nodiscard]] FeedForward exclusive_or();

}  // namespace tfs
