// tests/06_residual_dropout/checklist.hpp · what the checks of several steps of chapter 06 share
//
// The masks of the golden values come from an independent implementation of Rng::bernoulli_array, so a mask drawn in
// another way does not pass.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {

inline constexpr double golden_p = 0.25;  // of the golden values in training

// Dropout with the mask that Rng(seed) draws first, from the tested operations of the tensor layer.
inline Tensor dropped(const Tensor& x, std::uint64_t seed, double p) {
    return x * Tensor(Rng(seed).bernoulli_array(x.shape(), 1.0 - p)) / static_cast<float>(1.0 - p);
}

// As refuses(), but what was thrown is told with the result: two answers that refuse in other words come to the same.
template <class ErrorType>
testing::AssertionResult refuses_in_any_words(const std::function<void()>& call,
                                              const std::vector<std::string>& named,
                                              const std::string& what) {
    const testing::AssertionResult result = refuses<ErrorType>(call, named, what);
    return result ? result : testing::AssertionResult(result) << came("threw " + thrown_by(call).type);
}

// call(p, rng) must throw a ValueError that names p, in training and in evaluation, for every p outside of [0, 1).
inline void expect_rates_refused(const std::function<void(double, Rng*)>& call) {
    Rng rng(8);
    call(0.5, &rng);
    for (const auto& [p, number] : {std::pair(1.0, "1|1.0"), std::pair(1.5, "1.5"), std::pair(-0.25, "-0.25"),
                                    std::pair(std::numeric_limits<double>::quiet_NaN(), "nan|NaN")})
        for (Rng* const source : {static_cast<Rng*>(nullptr), &rng})
            EXPECT_TRUE(refuses_in_any_words<ValueError>(
                [&, rate = p] { call(rate, source); }, {number},
                fmt::format("p = {}{}", p, source == nullptr ? ", in evaluation (rng null)" : "")));
}

}  // namespace tfs::test
