// tests/06_residual_dropout/checklist.cpp · what the checks of several steps of chapter 06 share
#include "tests/06_residual_dropout/checklist.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {

Tensor dropped(const Tensor& x, std::uint64_t seed, double p) {
    return x * Tensor(Rng(seed).bernoulli_array(x.shape(), 1.0 - p)) / static_cast<float>(1.0 - p);
}

namespace {

// Two answers that refuse in other words come to the same.
template <class ErrorType>
testing::AssertionResult refuses_in_any_words(const std::function<void()>& call,
                                              const std::vector<std::string>& named,
                                              const std::string& what) {
    const testing::AssertionResult result = refuses<ErrorType>(call, named, what);
    return result ? result : testing::AssertionResult(result) << came("threw " + thrown_by(call).type);
}

}  // namespace

void expect_rates_refused(const std::function<void(double, Rng*)>& call) {
    Rng rng(8);
    call(0.5, &rng);
    for (const auto& [p, number] : {std::pair(1.0, "1|1.0"), std::pair(1.5, "1.5"), std::pair(-0.25, "-0.25"),
                                    std::pair(std::numeric_limits<double>::quiet_NaN(), "nan|NaN")})
        for (Rng* const source : {static_cast<Rng*>(nullptr), &rng})
            EXPECT_TRUE(refuses_in_any_words<ValueError>(
                [&, rate = p] { call(rate, source); }, {number},
                fmt::format("p = {}{}", p, source == nullptr ? ", in evaluation (rng null)" : "")));
}

Sublayer Parts::sublayer() {
    return [this](const Tensor& t) {
        ++sublayer_calls;
        return linear(tanh(linear(t, w1, &b1)), w2, &b2);
    };
}

Sublayer Parts::norm() {
    return [this](const Tensor& t) {
        ++norm_calls;
        const Tensor centred = t - mean(t, -1, KeepDims::yes);
        return centred / sqrt(variance(t, -1, KeepDims::yes) + 1e-5f) * gamma + beta;
    };
}

void expect_golden(const std::string& name, const Form& form, bool training) {
    Parts parts;
    Rng rng(21);
    const std::string prefix = name + (training ? ".training." : ".evaluation.");
    const Tensor y = form(parts, golden_p, training ? &rng : nullptr);
    EXPECT_TRUE(close(y, golden()[prefix + "output"], {1e-5, 1e-6}));
    ASSERT_TRUE(send_back(y, golden()[prefix + "grad_weights"]));
    for (const auto& [input, tensor] :
         {std::pair("x", parts.x), std::pair("w1.weight", parts.w1), std::pair("w1.bias", parts.b1),
          std::pair("w2.weight", parts.w2), std::pair("w2.bias", parts.b2), std::pair("gamma", parts.gamma),
          std::pair("beta", parts.beta)}) {
        if (!golden().contains(prefix + "grad_" + input)) continue;
        EXPECT_TRUE(gradient_close(input, tensor, golden()[prefix + "grad_" + input], {1e-4, 1e-5}));
    }
}

void expect_calls(const Form& form, int norms) {
    Parts parts;
    form(parts, 0.0, nullptr);
    EXPECT_EQ(parts.sublayer_calls, 1) << "calls of the sublayer: each costs its whole work again";
    EXPECT_EQ(parts.norm_calls, norms) << "calls of the norm";
}

void expect_shapes_refused(const std::function<Tensor(const Tensor&, const Sublayer&)>& call) {
    const Tensor x = normal({2, 4, 6}, 9);
    EXPECT_TRUE(close(call(x, [](const Tensor& t) { return t * 0.5f; }), x * 1.5f));
    for (const Shape& shape :
         {Shape{2, 4, 5}, Shape{2, 4, 1}, Shape{6}, Shape{3, 2, 4, 6}, Shape{1, 2, 4, 6}, Shape{4, 2, 6}})
        EXPECT_TRUE(refuses_in_any_words<ShapeError>(
            [&] { call(x, [&](const Tensor&) { return Tensor::ones(shape); }); },
            {to_string(shape), to_string(x.shape())},
            "a sublayer that returns " + to_string(shape) + " for (2, 4, 6)"));
}

}  // namespace tfs::test
