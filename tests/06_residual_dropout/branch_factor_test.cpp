// tests/06_residual_dropout/branch_factor_test.cpp · puzzle branch_factor: the size of the stream at every depth
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

const std::vector<std::size_t> depths{1, 2, 3, 6, 12, 24, 48, 96, 128, 192, 256, 384, 512};
constexpr std::size_t deepest = 512;
constexpr double largest_size = 2.0, smallest_change = 0.25, largest_ratio = 1.5;

// Over two seeds: the largest size after any layer, the smallest change, and the mean change.
struct Worst {
    double size = 0.0, change = INFINITY, mean_change = 0.0;
};
Worst worst(std::size_t layers, float factor) {
    Worst found;
    for (const std::uint64_t seed : {51U, 52U}) {
        const StreamSizes sizes = stream_sizes(layers, factor, seed);
        for (const double size : sizes.after_layer)
            if (!(size <= found.size)) found.size = size;  // NaN is kept
        found.change = std::min(found.change, sizes.change);
        found.mean_change += sizes.change / 2.0;
    }
    return found;
}

// How the factor falls from 1 layer to 512, as a power of the number of layers: -0.5 is that of 1 / sqrt(layers).
double power_of_depth() {
    return std::log(std::abs(branch_factor(deepest) / branch_factor(1))) /
           std::log(static_cast<double>(deepest));
}

bool falls_too_slowly() { return power_of_depth() > -0.4 && power_of_depth() <= 0.0; }

bool falls_as_it_should() { return std::abs(power_of_depth() + 0.5) < 0.05; }

bool constant() { return branch_factor(1) == branch_factor(deepest); }

// How many factors there are for all these depths: one for each, or only a few.
std::size_t different_factors() {
    std::set<float> factors;
    for (const std::size_t layers : depths) factors.insert(branch_factor(layers));
    return factors.size();
}

TEST(branch_factor, is_a_finite_number_at_every_depth) {
    for (const std::size_t layers : depths)
        ASSERT_TRUE(std::isfinite(branch_factor(layers)))
            << "at " << layers << " layers it is " << branch_factor(layers);
}

TEST(branch_factor, keeps_the_stream_below_2_after_every_layer_at_every_depth) {
    for (const std::size_t layers : depths) {
        const float factor = branch_factor(layers);
        const Worst found = worst(layers, factor);
        const bool grows = !constant() && std::abs(branch_factor(deepest)) > std::abs(branch_factor(1));
        ASSERT_LT(found.size, largest_size)
            << fmt::format("{} layers, factor {:.4f}: the size of the stream reaches {:.2f}", layers,
                           static_cast<double>(factor), found.size)
            << likely_if(constant(),
                         "the factor is the same at every depth: every layer adds, so a deeper stack needs a "
                         "smaller one")
            << likely_if(grows, "the factor grows with the depth; it must fall")
            << likely_if(!constant() && falls_too_slowly(), "the factor falls too slowly as the depth grows")
            << likely_if(
                   falls_as_it_should(),
                   "the factor falls with the depth as it should, but is too large everywhere: compare it "
                   "at 1 layer with the allowed size");
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
                         fmt::format("the factor is 0 at {} layers, so no layer counts{}", layers,
                                     branch_factor(6) == 0.0f ? "; is it a quotient of whole numbers?" : ""))
            << likely_if(
                   factor != 0.0f && falls_as_it_should(),
                   "the factor falls with the depth as it should, but is too small everywhere: compare it "
                   "at 1 layer with the least allowed change")
            << likely_if(factor != 0.0f && constant(),
                         "the factor is the same at every depth: a stack of one layer needs a larger one")
            << likely_if(falls_as_fast_as_depth,
                         "the factor falls as fast as the depth grows; but the changes point in different "
                         "directions, and their sum grows more slowly than their number");
    }
}

// How much more all layers together change the stream than one layer does with its factor, at each of the depths.
std::vector<double> ratios_to_one_layer() {
    std::vector<double> ratios;
    const double of_one = worst(1, branch_factor(1)).mean_change;
    for (const std::size_t layers : depths)
        ratios.push_back(worst(layers, branch_factor(layers)).mean_change / of_one);
    return ratios;
}

std::string cause_of_ratio(const std::vector<double>& ratios, std::size_t at) {
    const std::size_t few = different_factors();
    if (constant()) return "";
    if (few <= depths.size() / 2)
        return fmt::format(
            "there are only {} factors for {} depths: each fits a few of them, and one rule must "
            "fit all",
            few, depths.size());
    if (ratios[at] > largest_ratio) return "the factor falls too slowly as the depth grows";
    const auto lowest = std::min_element(ratios.begin(), ratios.end());
    if (ratios.back() > *lowest * largest_ratio)
        return fmt::format(
            "the factor falls too fast at first, and from {} layers on too slowly: the same rule "
            "must hold from each depth to twice the depth",
            depths[static_cast<std::size_t>(lowest - ratios.begin())]);
    return "the factor falls too fast as the depth grows";
}

// A factor that falls a little too slowly, or too fast, keeps within both limits for a long time.
TEST(branch_factor, changes_the_stream_at_every_depth_by_about_as_much_as_one_layer_does) {
    const std::vector<double> ratios = ratios_to_one_layer();
    for (std::size_t i = 0; i < depths.size(); ++i) {
        const bool allowed = ratios[i] <= largest_ratio && ratios[i] >= 1.0 / largest_ratio;
        const std::string likely = allowed ? "" : cause_of_ratio(ratios, i);
        ASSERT_TRUE(allowed) << fmt::format(
                                    "{} layers, factor {:.4f}: all layers together change the stream {:.2f} "
                                    "times as much as one "
                                    "layer does with its factor, {:.4f}; allowed is {:.2f} to {:.2f} times",
                                    depths[i], static_cast<double>(branch_factor(depths[i])), ratios[i],
                                    static_cast<double>(branch_factor(1)), 1.0 / largest_ratio, largest_ratio)
                             << likely_if(!likely.empty(), likely);
    }
}

}  // namespace
}  // namespace tfs::test
