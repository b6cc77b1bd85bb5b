// tests/06_residual_dropout/branch_factor_test.cpp · puzzle branch_factor: the size of the stream at every depth
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

const std::vector<std::size_t> depths{1, 2, 3, 6, 12, 24, 48, 96, 128};
constexpr double largest_size = 2.0, smallest_change = 0.25;

// Over two seeds: the largest size after any layer, and the smallest change.
struct Worst {
    double size = 0.0, change = INFINITY;
};
Worst worst(std::size_t layers, float factor) {
    Worst found;
    for (const std::uint64_t seed : {51U, 52U}) {
        const StreamSizes sizes = stream_sizes(layers, factor, seed);
        for (const double size : sizes.after_layer)
            if (!(size <= found.size)) found.size = size;  // NaN is kept
        found.change = std::min(found.change, sizes.change);
    }
    return found;
}

// How the factor falls from 1 layer to 128, as a power of the number of layers: -0.5 is that of 1 / sqrt(layers).
double power_of_depth() {
    return std::log(std::abs(branch_factor(128) / branch_factor(1))) / std::log(128.0);
}

bool constant() { return branch_factor(1) == branch_factor(128); }

TEST(branch_factor, is_a_finite_number_at_every_depth) {
    for (const std::size_t layers : depths)
        ASSERT_TRUE(std::isfinite(branch_factor(layers)))
            << "at " << layers << " layers it is " << branch_factor(layers);
}

TEST(branch_factor, keeps_the_stream_below_2_after_every_layer_at_every_depth) {
    for (const std::size_t layers : depths) {
        const float factor = branch_factor(layers);
        const Worst found = worst(layers, factor);
        const bool grows = !constant() && std::abs(branch_factor(128)) > std::abs(branch_factor(1));
        ASSERT_LT(found.size, largest_size)
            << fmt::format("{} layers, factor {:.4f}: the size of the stream reaches {:.2f}", layers,
                           static_cast<double>(factor), found.size)
            << likely_if(constant(),
                         "the factor is the same at every depth: every layer adds, so a deeper stack needs a "
                         "smaller one")
            << likely_if(grows, "the factor grows with the depth; it must fall");
    }
}

TEST(branch_factor, lets_the_layers_change_the_stream_at_every_depth) {
    for (const std::size_t layers : depths) {
        const float factor = branch_factor(layers);
        const Worst found = worst(layers, factor);
        const bool falls_as_fast_as_depth = factor != 0.0f && power_of_depth() < -0.75;
        ASSERT_GE(found.change, smallest_change)
            << fmt::format("{} layers, factor {:.4f}: all layers together change the stream by {:.3f}",
                           layers, static_cast<double>(factor), found.change)
            << likely_if(factor == 0.0f,
                         "the factor is 0, so no layer counts; is it a quotient of whole numbers?")
            << likely_if(factor != 0.0f && constant(),
                         "the factor is the same at every depth: a stack of one layer needs a larger one")
            << likely_if(falls_as_fast_as_depth,
                         "the factor falls as fast as the depth grows; but the changes point in different "
                         "directions, and their sum grows more slowly than their number");
    }
}

}  // namespace
}  // namespace tfs::test
