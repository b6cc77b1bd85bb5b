// tests/06_residual_dropout/branch_factor_test.cpp · puzzle branch_factor: the size of the stream at every depth
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

// Over two seeds: the largest size after any layer, the smallest change, and the mean change.
struct AtDepth {
    std::size_t layers = 0;
    float factor = 0.0f;
    double size = 0.0, change = std::numeric_limits<double>::infinity(), mean_change = 0.0;
};

AtDepth measured(std::size_t layers) {
    AtDepth found{.layers = layers, .factor = branch_factor(layers)};
    for (const std::uint64_t seed : {51U, 52U}) {
        const StreamSizes sizes = stream_sizes(layers, found.factor, seed);
        for (const double size : sizes.after_layer)
            if (!(size <= found.size)) found.size = size;  // NaN is kept
        found.change = std::min(found.change, sizes.change);
        found.mean_change += sizes.change / 2.0;
    }
    return found;
}

const std::vector<AtDepth>& all_depths() {
    static const std::vector<AtDepth> all = [] {
        std::vector<AtDepth> depths;
        for (const std::size_t layers : {1u, 2u, 3u, 6u, 12u, 24u, 48u, 96u, 512u})
            depths.push_back(measured(layers));
        return depths;
    }();
    return all;
}

// How the factor goes on between some depths, as a power of the depth: that of 1 / layers is -1. So factors that differ by a
// constant alone have the same law.
std::string law(const std::function<std::string(double)>& told) {
    const std::vector<AtDepth>& all = all_depths();
    std::set<float> factors;
    for (const AtDepth& at : all) factors.insert(at.factor);
    if (1 < factors.size() && factors.size() <= all.size() / 2)
        return "none, as there are few different factors";
    std::string text;
    const std::vector<std::size_t> places{0, 3, 6, all.size() - 1};
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
        const AtDepth &from = all[places[i]], &to = all[places[i + 1]];
        const double times = static_cast<double>(to.factor / from.factor);
        text += fmt::format("{}{} to {} layers ", i == 0 ? "" : ", ", from.layers, to.layers);
        text += times > 0.0 ? told(std::log(times) / std::log(static_cast<double>(to.layers) /
                                                              static_cast<double>(from.layers)))
                            : "no power";
    }
    return text;
}

std::string in_words(double power) {
    return power > 0.01    ? "growing"
           : power > -0.01 ? "constant"
           : power > -0.45 ? "slow"
           : power < -0.55 ? "fast"
                           : "as the root";
}

// What is wrong at the first depth where something is; `why` is empty where all is right.
testing::AssertionResult right_at_every_depth(const std::function<std::string(const AtDepth&)>& why) {
    for (const AtDepth& at : all_depths())
        if (const std::string wrong = why(at); !wrong.empty())
            return testing::AssertionFailure()
                   << fmt::format(
                          "{} layers, factor {:.4f}: {}; the power by which the factor follows the depth: {}",
                          at.layers, at.factor, wrong,
                          law([](double power) { return fmt::format("{:.2f}", power); }))
                   << came(law(in_words));
    return testing::AssertionSuccess();
}

TEST(branch_factor, is_a_finite_number_at_every_depth) {
    EXPECT_TRUE(right_at_every_depth(
        [](const AtDepth& at) { return std::isfinite(at.factor) ? "" : "it is no finite number"; }));
}

TEST(branch_factor, keeps_the_stream_below_2_after_every_layer_at_every_depth) {
    EXPECT_TRUE(right_at_every_depth([](const AtDepth& at) {
        return at.size < 2.0 ? "" : fmt::format("the size of the stream reaches {:.2f}", at.size);
    }));
}

TEST(branch_factor, lets_the_layers_change_the_stream_at_every_depth) {
    EXPECT_TRUE(right_at_every_depth([](const AtDepth& at) {
        return at.change >= 0.25 ? ""
                                 : fmt::format("all layers together change the stream by {:.3f}", at.change);
    }));
}

// A factor that falls a little too slowly, or too fast, keeps within both limits for a long time.
TEST(branch_factor, changes_the_stream_at_every_depth_by_about_as_much_as_one_layer_does) {
    constexpr double most = 1.5;
    const AtDepth one = all_depths().front();
    EXPECT_TRUE(right_at_every_depth([&](const AtDepth& at) {
        const double ratio = at.mean_change / one.mean_change;
        return ratio <= most && ratio >= 1.0 / most ? ""
                                                    : fmt::format(
                                                          "all layers together change the stream {:.2f} "
                                                          "times as much as one layer does with its "
                                                          "factor, {:.4f}; allowed is {:.2f} to {:.2f} times",
                                                          ratio, one.factor, 1.0 / most, most);
    }));
}

}  // namespace
}  // namespace tfs::test
