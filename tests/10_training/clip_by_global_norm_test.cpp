// tests/10_training/clip_by_global_norm_test.cpp · step clip_by_global_norm: PyTorch's values, properties, diagnosis
#include <fmt/format.h>

#include <cmath>

#include "tests/10_training/clipped.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

void expect_clipped(bool of_pytorch) {
    std::string told;
    const auto once = [&](const std::string& cause) {
        const bool news = !cause.empty() && told.find(cause) == std::string::npos;
        told += cause;
        return likely_if(news, cause);
    };
    for (const ClipCase& c : clip_cases()) {
        if ((c.name == "PyTorch") != of_pytorch) continue;
        const Clipped result = clipped(c);
        const std::string where = fmt::format("{}, largest = {}: ", c.name, c.largest);
        ASSERT_TRUE(
            close_named(where + "the values of the parameters", result.values, result.values_before, {0, 0}))
            << likely_if(true, "the parameters themselves are changed; clipping shortens their gradients");
        EXPECT_NEAR(result.returned, c.norm, 1e-5 * c.norm)
            << where << "the length that is returned" << once(likely_length());
        const testing::AssertionResult same =
            close_named(where + "all gradients, one behind the other", result.gradients, c.expected);
        EXPECT_TRUE(same) << once(same ? "" : likely_clipping());
    }
}

TEST(clip_by_global_norm, equals_pytorch) { expect_clipped(true); }

TEST(clip_by_global_norm, there_is_one_length_for_all) { expect_clipped(false); }

TEST(clip_by_global_norm, a_parameter_without_a_gradient_does_not_count) {
    Parameters parameters = with_gradients({Tensor::from({2}, {3, 4})});
    parameters.insert(parameters.begin(), {"lonely", Tensor(normal({3}, 1).array(), true)});
    double norm = 0.0;
    const Thrown thrown = thrown_by([&] { norm = clip_by_global_norm(parameters, 1.0); });
    ASSERT_EQ(thrown.sentence, "") << likely_if(
        thrown.sentence.find("no gradient has reached") != std::string::npos,
        "a parameter without a gradient is asked for it: ask has_grad() first");
    EXPECT_NEAR(norm, 5.0, 1e-6) << "behind a parameter without a gradient"
                                 << likely_if(norm == 0.0 && lengths_are_right(),
                                              "the search ends at a parameter without a gradient; go on "
                                              "with the next (continue)");
    EXPECT_FALSE(parameters[0].tensor.has_grad());
    EXPECT_TRUE(close(Tensor(parameters[1].tensor.grad()), Tensor::from({2}, {0.6f, 0.8f})));
    clear_grads(parameters);
    EXPECT_EQ(clip_by_global_norm(parameters, 1.0), 0.0) << "where no parameter has a gradient";
}

TEST(clip_by_global_norm, gradients_of_zero_stay_zero) {
    const Parameters parameters = with_gradients({Tensor::zeros({2, 2})});
    EXPECT_EQ(clip_by_global_norm(parameters, 1.0), 0.0);
    const Tensor after(parameters[0].tensor.grad());
    EXPECT_TRUE(close(after, Tensor::zeros({2, 2}), {0, 0})) << likely_if(
        contains_nan(after), "a length of 0 divides: divide by the length only where it is above `largest`");
}

TEST(clip_by_global_norm, squares_neither_overflow_nor_vanish_nor_lose_digits) {
    struct {
        const char* what;
        float value;
        std::size_t count;
        double largest;
        const char* cause;
    } const cases[]{
        {"of 1e25", 1e25f, 4, 1e24, "the square of 1e25 is infinite in float; square and add in double"},
        {"of 1e-25", 1e-25f, 4, 1e-26, "the square of 1e-25 is 0 in float; square and add in double"},
        {"of a million small ones behind a large one", 0.01f, 1'000'000, 1.0,
         "small squares are lost beside a large sum in float; add in double"}};
    for (const auto& c : cases) {
        std::vector<float> values(c.count, c.value);
        if (c.count > 4) values[0] = 1000.0f;
        const Parameters parameters = with_gradients({Tensor::from({c.count}, values)});
        const double expected = c.count > 4 ? std::sqrt(1e6 + 99.9999) : 2.0 * static_cast<double>(c.value);
        double norm = 0.0;
        const std::string sentence =
            thrown_by([&] { norm = clip_by_global_norm(parameters, c.largest); }).sentence;
        const bool too_long = sentence.find("too long for a double") != std::string::npos;
        ASSERT_EQ(sentence, "") << "gradients " << c.what << likely_if(too_long, c.cause);
        ASSERT_NEAR(norm / expected, 1.0, 1e-6)
            << "the length of gradients " << c.what << " is " << norm << ", expected " << expected
            << likely_if(
                   c.count > 4 ? std::abs(norm / 1000.0 - 1.0) < 3e-5 : norm == 0.0 && lengths_are_right(),
                   c.cause);
        const Tensor after(parameters[0].tensor.grad());
        const double shortened = after.at({1}), ratio = c.largest / expected;
        const bool with_epsilon = shortened < 1e-6 * c.value * ratio;
        EXPECT_NEAR(shortened / (static_cast<double>(c.value) * ratio), 1.0, 1e-4)
            << "a gradient " << c.what << " after clipping, as a share of what it must be"
            << likely_if(with_epsilon,
                         "something is added to the length that divides; require_norm and the "
                         "condition norm > largest are enough");
    }
}

TEST(clip_by_global_norm, refuses_a_limit_that_is_not_above_0) {
    for (const double largest : {0.0, -1.0, static_cast<double>(nan)}) {
        const Parameters parameters = with_gradients({Tensor::from({2}, {3, 4})});
        EXPECT_TRUE(refuses<ValueError>([&] { clip_by_global_norm(parameters, largest); },
                                        {largest == 0.0  ? "0"
                                         : largest < 0.0 ? "-1"
                                                         : "nan"},
                                        fmt::format("largest = {}", largest),
                                        "the limit is not checked: require_norm(parameters, largest, norm)"));
    }
}

TEST(clip_by_global_norm, refuses_gradients_that_are_not_finite) {
    for (const float bad : {infinity, -infinity, nan}) {
        const Parameters parameters =
            with_gradients({Tensor::ones({3}), Tensor::from({2}, {1, bad}), Tensor::full({2}, nan)});
        const std::string what = fmt::format("a gradient of {}", bad);
        EXPECT_TRUE(refuses<ValueError>([&] { clip_by_global_norm(parameters, 1.0); }, {"bias"}, what,
                                        what +
                                            " is accepted; require_norm(parameters, largest, norm) refuses a "
                                            "length that is not finite"));
    }
}

}  // namespace
}  // namespace tfs::test
