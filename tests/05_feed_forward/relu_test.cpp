// tests/05_feed_forward/relu_test.cpp · step relu: PyTorch's values, properties, diagnosis
#include "tests/05_feed_forward/checklist.hpp"

#include <cmath>

#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

TEST(relu, equals_pytorch) {
    const Tensor x = golden()["activation.x"];
    values_equal_pytorch(
        "relu", relu,
        {{"negative entries lose their sign instead of becoming 0: that is |x|",
          [&] { return maximum(x, 0.0f) + maximum(-x, 0.0f); }},
         {"negative entries pass with a slope of 0.01: that is a leaky ReLU; they must become 0",
          [&] { return maximum(x, 0.0f) - maximum(-x, 0.0f) * 0.01f; }},
         {"the smaller of x and 0 is taken; it must be the larger", [&] { return -maximum(-x, 0.0f); }},
         {"this is the derivative of relu, not relu itself",
          [&] { return maximum(x, 0.0f) / maximum(maximum(x, 0.0f), 1e-9f); }},
         {"x is returned as it is", [&] { return x; }}});
}

TEST(relu, sends_the_gradient_of_pytorch) { gradient_equals_pytorch("relu", relu, ""); }

TEST(relu, at_zero_the_gradient_is_between_0_and_1) {
    const Tensor x = Tensor::zeros({3}).set_requires_grad(true);
    ASSERT_TRUE(send_back(relu(x), Tensor::ones({3})));
    ASSERT_TRUE(x.has_grad());
    for (const float slope : x.grad()) {
        EXPECT_TRUE(slope >= 0.0f && slope <= 1.0f)
            << slope
            << likely_if(std::isnan(slope), "sqrt is infinitely steep at 0, and infinity times 0 is NaN");
    }
}

TEST(relu, differs_from_its_mirror_image_by_x) { differs_from_its_mirror_image_by_x(relu); }

TEST(relu, takes_extremes_and_any_shape) { lets_large_entries_pass_or_stops_them(relu, true); }

}  // namespace
}  // namespace tfs::test
