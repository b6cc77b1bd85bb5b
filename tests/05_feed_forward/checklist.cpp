// tests/05_feed_forward/checklist.cpp · what the checks of several steps of chapter 05 share
#include "tests/05_feed_forward/checklist.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {

Tensor reference_relu(const Tensor& x) { return maximum(x, 0.0f); }
Tensor reference_gelu(const Tensor& x) { return x * (erf(x / root_of_two) + 1.0f) * 0.5f; }
Tensor reference_gelu_tanh(const Tensor& x, float cubic, float scale) {
    return x * (tanh((x + x * x * x * cubic) * scale) + 1.0f) * 0.5f;
}
Tensor reference_silu(const Tensor& x, float steepness) { return x * sigmoid(x * steepness); }

void values_equal_pytorch(const std::string& name, Function f, const std::vector<Suspect>& suspects) {
    const Tensor y = f(golden()["activation.x"]);
    EXPECT_TRUE(close_named(name, y, golden()["activation." + name + ".output"], {1e-5, 1e-6}, suspects))
        << likely_if(contains_nan(y), "exp(x) overflows for x = 100, and infinity / infinity is NaN");
}

namespace {

// What y = x g(x) sends back through its first x alone: upstream g(x).
Tensor through_the_factor(const Tensor& x, const Tensor& y, const Tensor& upstream) {
    Array gate = Array::from_shape(x.shape());
    for (std::size_t i = 0; i < x.size(); ++i)
        gate.data()[i] = x.values()[i] == 0.0f ? 0.5f : y.values()[i] / x.values()[i];
    return upstream * Tensor(gate);
}

}  // namespace

void gradient_equals_pytorch(const std::string& name, Function f) {
    const std::string prefix = "activation." + name + ".";
    const Tensor x = leaf("activation.x"), upstream = golden()["activation.grad_weights"];
    const Tensor expected = golden()[prefix + "output"], grad_x = golden()[prefix + "grad_x"];
    const Tensor y = f(x);
    ASSERT_TRUE(send_back(y, upstream));
    const bool right = close(y, expected, {1e-5, 1e-6});
    const Tensor found = x.has_grad() ? Tensor(x.grad()) : upstream,
                 first = through_the_factor(x, expected, upstream);
    std::string cause = "the values are right, but not the gradient: ";
    if (contains_nan(found))
        cause =
            "exp(-x) overflows for x = -100 and the gradient becomes infinity times 0: use `sigmoid` of "
            "common/tensor/ops.hpp, or `tanh`";
    else if (close(found, first, {1e-4, 1e-5}) || close(found, grad_x - first, {1e-4, 1e-5}))
        cause += "x occurs more than once, and none may be detached";
    else
        cause += "a derivative of your own is wrong, or one of several x is detached";
    EXPECT_TRUE(gradient_close("x", x, grad_x, {1e-5, 2e-6})) << likely_if(right && x.has_grad(), cause);
}

void differs_from_its_mirror_image_by_x(Function f) {
    const Tensor x = normal({9, 4099}, 1) * 3.0f;
    ASSERT_TRUE(has_shape(f(x), x.shape()));
    EXPECT_TRUE(close_named("f(x) - f(-x) against x", f(x) - f(-x), x, {1e-5, 1e-6}));
}

void lets_large_entries_pass_or_stops_them(Function f, bool zero_at_minus_infinity) {
    const std::vector<float> x{1e4f, -1e4f, infinity, nan, 0.0f, -infinity};
    const std::vector<float> expected{1e4f, 0.0f, infinity, nan, 0.0f, zero_at_minus_infinity ? 0.0f : nan};
    const Tensor y = f(Tensor::from({6}, x));
    ASSERT_TRUE(has_shape(y, {6}));
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float found = y.at({i});
        EXPECT_TRUE(found == expected[i] || (std::isnan(found) && std::isnan(expected[i])))
            << fmt::format("f({}) is {}, expected {}", x[i], found, expected[i])
            << likely_if(std::isnan(x[i]) && found == 0.0f,
                         "NaN > 0 is false, and so NaN counts as negative: ask x < 0 instead")
            << likely_if(zero_at_minus_infinity && x[i] == -infinity && std::isnan(found),
                         "-infinity times 0, as by a mask, and -infinity + infinity are NaN: take the larger "
                         "of x and 0")
            << likely_if(
                   !zero_at_minus_infinity && x[i] < 0.0f && found < 0.0f,
                   "the gate stops falling where the argument of exp is cut off, so far below 0 a part of "
                   "x passes; `sigmoid` of common/tensor/ops.hpp needs no such limit");
    }
    for (const Shape& shape : {Shape{}, Shape{2, 0, 3}, Shape{1, 2, 1, 3, 1}})
        EXPECT_TRUE(has_shape(f(Tensor::zeros(shape)), shape));
}

namespace {

// Gives a layer the golden weights.
void load(Linear& layer, const std::string& name) {
    layer.weight = leaf(name + ".weight");
    if (golden().contains(name + ".bias")) layer.bias = leaf(name + ".bias");
}

}  // namespace

FeedForward golden_feed_forward(Activation activation) {
    Rng none = Rng::zeros();
    FeedForward layer(6, 10, none, activation);
    load(layer.up, "ffn.up");
    load(layer.down, "ffn.down");
    return layer;
}

SwiGLU golden_swiglu() {
    Rng none = Rng::zeros();
    SwiGLU layer(6, 9, none);
    load(layer.gate, "swiglu.gate");
    load(layer.up, "swiglu.up");
    load(layer.down, "swiglu.down");
    return layer;
}

Tensor with_reshaped_weight(const Linear& layer, const Tensor& x) {
    const Tensor product = matmul(x, reshape(layer.weight, {layer.weight.size(1), layer.weight.size(0)}));
    return layer.bias ? product + *layer.bias : product;
}

Tensor axes_in_front_rows() { return normal({4, 6}, 7); }

Tensor with_axes_in_front(const Tensor& rows, const Shape& front) {
    std::size_t count = 1;
    for (const std::size_t size : front) count *= size;
    Shape shape = front;
    shape.push_back(rows.size(-1));
    return reshape(slice(rows, 0, 0, count), shape);
}

std::string width_mistake(const std::string& error, const std::string& swapped) {
    const auto begins = [&](const char* name) { return error.rfind(name, 0) == 0; };
    if (begins("linear") || begins("matmul")) return swapped;
    if (begins("slice"))
        return "the hidden layer is cut along the wrong axis: the width is the last one, axis -1";
    if (error.find("(2, 3, 6)") != std::string::npos)
        return "x itself meets the hidden layer, which is d_ff wide; x enters it through `up` (and the gate) "
               "alone";
    return "";
}

void same_as_rows(const std::string& part, const Tensor& input, const std::function<Tensor()>& call,
                  const Tensor& expected) {
    const std::string what = part + " of " + to_string(input.shape());
    const std::string cause =
        "the number of axes is assumed; x may have any in front of its width, also none, and they stay";
    try {
        const Tensor result = call();
        EXPECT_TRUE(close_named(what, result, expected, {1e-5, 1e-6}))
            << likely_if(result.shape() != expected.shape(), cause);
    } catch (const NotImplemented&) {
        throw;
    } catch (const Error& error) {
        ADD_FAILURE() << what << ": " << error.what() << likely_if(true, cause);
    }
}

void gradients_equal_pytorch(const std::string& prefix, const Tensor& x, const Parameters& parameters,
                             const std::vector<Suspect>& of_x) {
    for (const NamedTensor& p : parameters)
        EXPECT_TRUE(gradient_close(p.name, p.tensor, golden()[prefix + "grad_" + p.name], {1e-4, 1e-5}));
    EXPECT_TRUE(gradient_close("x", x, golden()[prefix + "grad_x"], {1e-4, 1e-5}, of_x));
}

}  // namespace tfs::test
