// tests/05_feed_forward/gelu_test.cpp · step gelu: PyTorch's values, properties, diagnosis
#include "tests/05_feed_forward/checklist.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

TEST(gelu, equals_pytorch) {
    const Tensor x = golden()["activation.x"];
    values_equal_pytorch(
        "gelu", gelu,
        {{"x is not divided by sqrt(2) before erf", [&] { return x * (erf(x) + 1.0f) * 0.5f; }},
         {"x is multiplied by sqrt(2) before erf, not divided",
          [&] { return x * (erf(x * root_of_two) + 1.0f) * 0.5f; }},
         {"erf(x) is divided by sqrt(2); x must be, before erf",
          [&] { return x * (erf(x) / root_of_two + 1.0f) * 0.5f; }},
         {"x is divided by 2 before erf, not by its square root",
          [&] { return x * (erf(x * 0.5f) + 1.0f) * 0.5f; }},
         {"the factor 1/2 is missing: Phi must go from 0 to 1, not from 0 to 2",
          [&] { return x * (erf(x / root_of_two) + 1.0f); }},
         {"1 / 2 of integers is 0: write 0.5f", [&] { return Tensor::zeros(x.shape()); }},
         {"this is Phi(x) alone; the factor x is missing",
          [&] { return (erf(x / root_of_two) + 1.0f) * 0.5f; }},
         {"the 1 inside the bracket is missing: 1 + erf goes from 0 to 2, erf alone from -1 to 1",
          [&] { return x * erf(x / root_of_two) * 0.5f; }},
         {"the logistic sigmoid stands where the normal distribution belongs: x sigmoid(x) is silu",
          [&] { return reference_silu(x); }},
         {"this is the sigmoid approximation of step gelu_approximations; gelu is the exact formula, by erf",
          [&] { return reference_silu(x, 1.702f); }},
         {"this is the tanh approximation of step gelu_approximations; gelu is the exact formula, by erf",
          [&] { return reference_gelu_tanh(x); }}});
}

TEST(gelu, sends_the_gradient_of_pytorch) { gradient_equals_pytorch("gelu", gelu); }

TEST(gelu, gradient_matches_finite_differences) {
    EXPECT_TRUE(
        gradients_match([](const std::vector<Tensor>& in) { return gelu(in[0]); }, {normal({3, 5}, 2)}));
}

TEST(gelu, differs_from_its_mirror_image_by_x) { differs_from_its_mirror_image_by_x(gelu); }

TEST(gelu, takes_extremes_and_any_shape) { lets_large_entries_pass_or_stops_them(gelu); }

}  // namespace
}  // namespace tfs::test
