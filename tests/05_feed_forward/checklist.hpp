// tests/05_feed_forward/checklist.hpp · what the checks of several steps of chapter 05 share
#pragma once

#include <string>
#include <vector>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

inline constexpr float root_of_two = 1.41421356f, root_of_two_over_pi = 0.797884561f;

// The activations from the tested operations of the tensor layer, so that no check of one step needs another step.
Tensor reference_relu(const Tensor& x);
Tensor reference_gelu(const Tensor& x);
Tensor reference_gelu_tanh(const Tensor& x, float cubic = 0.044715f, float scale = root_of_two_over_pi);
Tensor reference_silu(const Tensor& x, float steepness = 1.0f);

// --- what every activation must do ------------------------------------------------------------------------------

using Function = Tensor (*)(const Tensor&);

void values_equal_pytorch(const std::string& name, Function f, const std::vector<Suspect>& suspects);

inline const std::string gate_detached =
    "the values are right, but not the gradient: x occurs more than once, and none may be detached";

// Right values with another gradient: the likely cause is `otherwise` (empty: none), unless it is NaN.
void gradient_equals_pytorch(const std::string& name, Function f,
                             const std::string& otherwise = gate_detached);

// All of them are x g(x) with g(x) + g(-x) = 1. Big enough for several threads, and no multiple of a vector's length.
void differs_from_its_mirror_image_by_x(Function f);

// At -infinity relu gives 0; for the others, -infinity times a gate of 0 is NaN.
void lets_large_entries_pass_or_stops_them(Function f, bool zero_at_minus_infinity = false);

// --- what both networks must do ---------------------------------------------------------------------------------

// Gives a layer the golden weights.
void load(Linear& layer, const std::string& name);

// (2, 3, 6) to (2, 3, d_ff) and back. Where two widths don't meet, the wrong layer was probably taken.
template <class Layer>
void widths_fit(const Layer& layer, std::size_t d_ff, const std::string& cause) {
    const Tensor x = Tensor::zeros({2, 3, 6});
    try {
        ASSERT_TRUE(has_shape(layer.hidden(x), {2, 3, d_ff}));
        ASSERT_TRUE(has_shape(layer.output(Tensor::zeros({2, 3, d_ff})), x.shape()));
        ASSERT_TRUE(has_shape(layer(x), x.shape()));
    } catch (const ShapeError& error) {
        FAIL() << error.what() << likely_if(true, cause);
    }
}

// The gradients of x and of every parameter.
void gradients_equal_pytorch(const std::string& prefix, const Tensor& x, Parameters parameters);

}  // namespace tfs::test
