// tests/08_encoder_decoder/backwards_head_test.cpp · puzzle backwards_head: what the head looks at, for every length
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

// The source that this target looks at most, the first of equal ones.
std::string looked_at(const Array& weights, std::size_t target, std::size_t n) {
    std::size_t most = 0;
    for (std::size_t s = 0; s < n; ++s) {
        if (std::isnan(weights(target, s))) return "nan";
        if (weights(target, s) > weights(target, most) + 1e-4f) most = s;
    }
    return std::to_string(most);
}

TEST(backwards_head, gives_nine_tenths_to_source_n_minus_1_minus_t_for_every_n_to_32) {
    for (std::size_t n = 1; n <= 32; ++n) {
        const Array weights = weights_among_positions(backwards_head(n), n);
        std::size_t worst = 0;
        std::string all;
        for (std::size_t t = 0; t < n; ++t) {
            all += looked_at(weights, t, n) + ' ';
            if (!(weights(t, n - 1 - t) >= weights(worst, n - 1 - worst))) worst = t;
        }
        EXPECT_GE(weights(worst, n - 1 - worst), 0.9f)
            << fmt::format(
                   "for n = {}, target {} attends to source {} with {:.3f}, and looks most at source {}", n,
                   worst, n - 1 - worst, weights(worst, n - 1 - worst), looked_at(weights, worst, n))
            << came(fmt::format("n = {}: {}", n, all));
    }
}

}  // namespace
}  // namespace tfs::test
