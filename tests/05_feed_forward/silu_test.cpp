// tests/05_feed_forward/silu_test.cpp · step silu: PyTorch's values, properties, diagnosis
#include "tests/05_feed_forward/checklist.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

TEST(silu, equals_pytorch) {
    const Tensor x = golden()["activation.x"];
    values_equal_pytorch(
        "silu", silu,
        {{"this is sigmoid(x) alone; the factor x is missing", [&] { return sigmoid(x); }},
         {"sigmoid(-x) is used: negative entries pass, positive ones don't", [&] { return x * sigmoid(-x); }},
         {"the factor 1.702 belongs to gelu_sigmoid, not to silu", [&] { return reference_silu(x, 1.702f); }},
         {"tanh stands where sigmoid belongs", [&] { return x * tanh(x); }},
         {"relu stands where silu belongs", [&] { return reference_relu(x); }}});
}

TEST(silu, sends_the_gradient_of_pytorch) { gradient_equals_pytorch("silu", silu); }

TEST(silu, gradient_matches_finite_differences) {
    EXPECT_TRUE(
        gradients_match([](const std::vector<Tensor>& in) { return silu(in[0]); }, {normal({3, 5}, 3)}));
}

TEST(silu, differs_from_its_mirror_image_by_x) { differs_from_its_mirror_image_by_x(silu); }

TEST(silu, takes_extremes_and_any_shape) { lets_large_entries_pass_or_stops_them(silu); }

}  // namespace
}  // namespace tfs::test
