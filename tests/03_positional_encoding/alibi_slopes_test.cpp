// tests/03_positional_encoding/alibi_slopes_test.cpp · step alibi_slopes: the published slopes, diagnosis
#include "tests/03_positional_encoding/checklist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

Tensor slopes_of(std::size_t heads, const std::function<double(double)>& exponent) {
    return reshape(table_of(1, heads, [=](double, double h) { return std::exp2(exponent(h)); }), {heads});
}

TEST(alibi_slopes, equal_the_paper_for_powers_of_two) {
    for (const std::size_t heads : {1u, 2u, 8u, 16u}) {
        const auto n = static_cast<double>(heads);
        const Tensor right = golden()[fmt::format("alibi.slopes.{}", heads)];
        EXPECT_TRUE(close_named(
            fmt::format("{} heads", heads), alibi_slopes(heads), right, {1e-5, 0},
            {{"the first slope is 1: the exponents begin at 8/n, with k = 1",
              [=] { return slopes_of(heads, [=](double h) { return -8.0 * h / n; }); }},
             {"each slope is half of the one before, whatever the number of heads: the ratio is 2^(-8/n)",
              [=] { return slopes_of(heads, [](double h) { return -(h + 1.0); }); }},
             {"the slopes have the wrong base: powers of e, not of 2",
              [=] {
                  return slopes_of(heads,
                                   [=](double h) { return -8.0 * (h + 1.0) / n * std::log2(std::exp(1.0)); });
              }},
             {"the slopes are negative; the minus is that of alibi_bias", [=] { return -right; }},
             {"the slopes have axes for the scores already: the contract says (heads)",
              [=] {
                  return reshape(right, {1, heads, 1, 1});
              }},
             {"the slopes are a column: the contract says (heads)",
              [=] {
                  return reshape(right, {heads, 1});
              }},
             {"the exponents end at 4, not at 8: the last slope is 2^-8",
              [=] { return slopes_of(heads, [=](double h) { return -4.0 * (h + 1.0) / n; }); }},
             {"the slopes grow beyond 1: the exponent is negative",
              [=] { return slopes_of(heads, [=](double h) { return 8.0 * (h + 1.0) / n; }); }},
             {"the exponent is computed in integers, which cut it: write -8.0 * k / n",
              [=] { return slopes_of(heads, [=](double h) { return -std::floor(8.0 * (h + 1.0) / n); }); }},
             {"the slopes are in reverse order: the first head has the steepest",
              [=] { return slopes_of(heads, [=](double h) { return -8.0 * (n - h) / n; }); }}}));
    }
    EXPECT_FALSE(alibi_slopes(2).requires_grad())
        << likely_if(true, "the slopes are fixed: they must not require a gradient");
}

TEST(alibi_slopes, equal_the_published_code_for_other_numbers_of_heads) {
    for (const std::size_t heads : {3u, 12u}) {
        const Tensor expected = golden()[fmt::format("alibi.slopes.{}", heads)];
        const double p = heads == 3 ? 2.0 : 8.0, n = static_cast<double>(heads);
        const auto rest = [=](const std::function<double(double)>& k) {
            return slopes_of(heads,
                             [=](double h) { return h < p ? -8.0 * (h + 1.0) / p : -4.0 * k(h - p) / p; });
        };
        EXPECT_TRUE(
            close_named(fmt::format("{} heads", heads), alibi_slopes(heads), expected, {1e-5, 0},
                        {{"the formula for powers of two is used for all: take the slopes of the power "
                          "below, and fill up",
                          [=] { return slopes_of(heads, [=](double h) { return -8.0 * (h + 1.0) / n; }); }},
                         {"the slopes are sorted; those of the heads left over come after the first p",
                          [=] {
                              Array slopes = expected.array();
                              std::sort(slopes.data(), slopes.data() + heads, std::greater<>());
                              return Tensor(std::move(slopes));
                          }},
                         {"the slopes of the power of two above are used; take those of the one below",
                          [=] { return slopes_of(heads, [=](double h) { return -4.0 * (h + 1.0) / p; }); }},
                         {"the heads left over get the first slopes of 2p heads, half of which are there "
                          "already: every other one",
                          [=] { return rest([](double h) { return h + 1.0; }); }},
                         {"the heads left over get the 2nd, 4th, … slope of 2p heads, which are there "
                          "already; take the 1st, 3rd, …",
                          [=] { return rest([](double h) { return 2.0 * h + 2.0; }); }},
                         {"the heads left over get the last slopes of 2p heads; take the 1st, 3rd, …",
                          [=] { return rest([=](double h) { return 2.0 * p - (n - p) + h + 1.0; }); }}}));
    }
    EXPECT_TRUE(refuses<ValueError>([] { (void)alibi_slopes(0); }, {}, "0 heads"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)alibi_slopes(1ull << 62); }, {"4611686018427387904"},
                                    "1 << 62 heads"));
}

}  // namespace
}  // namespace tfs::test
