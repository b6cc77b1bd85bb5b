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

void gradient_equals_pytorch(const std::string& name, Function f, const std::string& otherwise) {
    const std::string of_nan =
        "exp(-x) overflows for x = -100 and the gradient becomes infinity times 0: use `sigmoid` of "
        "common/tensor/ops.hpp, or `tanh`";
    const Tensor x = leaf("activation.x");
    const Tensor y = f(x);
    ASSERT_TRUE(send_back(y, golden()["activation.grad_weights"]));
    const bool right = close(y, golden()["activation." + name + ".output"], {1e-5, 1e-6});
    const std::string& cause = x.has_grad() && contains_nan(Tensor(x.grad())) ? of_nan : otherwise;
    EXPECT_TRUE(gradient_close("x", x, golden()["activation." + name + ".grad_x"], {1e-5, 2e-6}))
        << likely_if(right && !cause.empty(), cause);
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
                         "NaN > 0 is false, and so NaN counts as negative: ask x < 0 instead");
    }
    for (const Shape& shape : {Shape{}, Shape{2, 0, 3}, Shape{1, 2, 1, 3, 1}})
        EXPECT_TRUE(has_shape(f(Tensor::zeros(shape)), shape));
}

void load(Linear& layer, const std::string& name) {
    layer.weight = leaf(name + ".weight");
    if (golden().contains(name + ".bias")) layer.bias = leaf(name + ".bias");
}

Tensor axes_in_front_rows() { return normal({4, 6}, 7); }

Tensor with_axes_in_front(const Tensor& rows, const Shape& front) {
    std::size_t count = 1;
    for (const std::size_t size : front) count *= size;
    Shape shape = front;
    shape.push_back(rows.size(-1));
    return reshape(slice(rows, 0, 0, count), shape);
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

void gradients_equal_pytorch(const std::string& prefix, const Tensor& x, Parameters parameters) {
    parameters.push_back({"x", x});
    for (const NamedTensor& p : parameters) {
        EXPECT_TRUE(gradient_close(p.name, p.tensor, golden()[prefix + "grad_" + p.name], {1e-4, 1e-5}));
    }
}

}  // namespace tfs::test
