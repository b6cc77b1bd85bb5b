// tests/05_feed_forward/checklist.hpp · what the checks of several steps of chapter 05 share
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

inline constexpr float root_of_two = 1.41421356f, root_of_two_over_pi = 0.797884561f,
                       root_of_pi = 1.77245385f;

// The activations from the tested operations of the tensor layer, so that no check of one step needs another step.
Tensor reference_relu(const Tensor& x);
Tensor reference_gelu(const Tensor& x);
Tensor reference_gelu_tanh(const Tensor& x, float cubic = 0.044715f, float scale = root_of_two_over_pi);
Tensor reference_silu(const Tensor& x, float steepness = 1.0f);

// --- what every activation must do ------------------------------------------------------------------------------

using Function = Tensor (*)(const Tensor&);

void values_equal_pytorch(const std::string& name, Function f, const std::vector<Suspect>& suspects);

// Says why right values may come with another gradient.
void gradient_equals_pytorch(const std::string& name, Function f);

// All of them are x g(x) with g(x) + g(-x) = 1. Big enough for several threads, and no multiple of a vector's length.
void differs_from_its_mirror_image_by_x(Function f);

// At -infinity relu gives 0; for the others, -infinity times a gate of 0 is NaN.
void lets_large_entries_pass_or_stops_them(Function f, bool zero_at_minus_infinity = false);

// --- what both networks must do ---------------------------------------------------------------------------------

// The networks with the golden weights.
FeedForward golden_feed_forward(Activation activation);
SwiGLU golden_swiglu();

inline const std::string reshaped =
    "the weight is reshaped, not transposed, so its entries are in the wrong places";
Tensor with_reshaped_weight(const Linear& layer, const Tensor& x);

Tensor axes_in_front_rows();  // (4, 6)
Tensor with_axes_in_front(const Tensor& rows,
                          const Shape& front);  // as many rows as that takes: (front..., width)
void same_as_rows(const std::string& part, const Tensor& input, const std::function<Tensor()>& call,
                  const Tensor& expected);

// What an error of the tensor layer about x (2, 3, 6) tells of the widths; of a linear layer that it is the wrong one.
std::string width_mistake(const std::string& error, const std::string& swapped);

// (2, 3, 6) to (2, 3, d_ff).
template <class Layer>
void widths_fit(const Layer& layer, std::size_t d_ff, const std::string& cause) {
    const Tensor x = Tensor::zeros({2, 3, 6});
    try {
        ASSERT_TRUE(has_shape(layer.hidden(x), {2, 3, d_ff}));
    } catch (const ShapeError& error) {
        const std::string mistake = width_mistake(error.what(), cause);
        FAIL() << error.what() << likely_if(!mistake.empty(), mistake);
    }
}

// (..., 6) to (..., d_ff) with any number of axes in front, also none: the values are those of the rows, (4, 6).
template <class Layer>
void axes_in_front_stay(const Layer& layer, std::size_t d_ff) {
    const Tensor rows = axes_in_front_rows(), hidden = layer.hidden(rows);
    ASSERT_TRUE(has_shape(hidden, {4, d_ff}));
    for (const Shape& front : {Shape{}, Shape{1}, Shape{4}, Shape{2, 2}, Shape{2, 1, 2}}) {
        const Tensor x = with_axes_in_front(rows, front);
        same_as_rows(
            "hidden", x, [&] { return layer.hidden(x); }, with_axes_in_front(hidden, front));
    }
}

// No positions at all: (2, 0, 6) to (2, 0, d_ff).
template <class Layer>
void no_positions_are_no_special_case(const Layer& layer, std::size_t d_ff) {
    const Tensor x = Tensor::zeros({2, 0, 6}), hidden = layer.hidden(x);
    ASSERT_TRUE(has_shape(hidden, {2, 0, d_ff}))
        << likely_if(hidden.shape() == x.shape(),
                     "an empty x comes back as it is; its width must become d_ff, as for any other x");
}

// The gradients of x and of every parameter.
void gradients_equal_pytorch(const std::string& prefix, const Tensor& x, const Parameters& parameters,
                             const std::vector<Suspect>& of_x = {});

}  // namespace tfs::test
