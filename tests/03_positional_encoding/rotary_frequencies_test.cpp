// tests/03_positional_encoding/rotary_frequencies_test.cpp · step rotary_frequencies: PyTorch's values, properties, diagnosis
#include "tests/03_positional_encoding/checklist.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

Tensor rotary_table(bool cosine, const std::function<double(double, double)>& angle) {
    return table_of(
        16, 4, [=](double m, double i) { return cosine ? std::cos(angle(m, i)) : std::sin(angle(m, i)); });
}

const std::string ends_at_theta =
    "the exponent is divided by d_k - 1 or d_k / 2 - 1; the last pair does not reach 1 / theta, divide by "
    "d_k";

// Why a table has not the shape (max_len, d_k / 2).
std::string wrong_size(const Tensor& table) {
    if (table.rank() == 0) return likely_if(true, unset);
    if (table.shape() == Shape{4, 16})
        return likely_if(true, "the tables are transposed: (max_len, d_k / 2)");
    if (table.shape() != Shape{16, 8}) return {};
    const bool twice = close(slice(table, 1, 0, 4), slice(table, 1, 4, 8)) ||
                       close(columns(table, {0, 2, 4, 6}), columns(table, {1, 3, 5, 7}));
    return likely_if(
        true, twice ? "each angle is stored for both columns of its pair; one column a pair is enough"
                    : "there is a frequency for each of the d_k columns; there are only d_k / 2 pairs");
}

std::vector<Suspect> frequency_suspects(bool cosine) {
    const double degree = std::numbers::pi / 180.0;
    const auto with = [=](const std::string& message, const std::function<double(double, double)>& angle) {
        return Suspect{message, [=] { return rotary_table(cosine, angle); }};
    };
    return {with("the exponent is -i / d_k; pair i has -2i / d_k",
                 [](double m, double i) { return m * power(-i / 8.0); }),
            with("the exponent is divided by d_k / 2 although it has 2i already: the last pairs hardly turn",
                 [](double m, double i) { return m * power(-2.0 * i / 4.0); }),
            with(ends_at_theta, [](double m, double i) { return m * power(-2.0 * i / 7.0); }),
            with(ends_at_theta, [](double m, double i) { return m * power(-i / 3.0); }),
            with("the angle is negative: position m turns by +m * theta^(-2i / d_k)",
                 [](double m, double i) { return -m * power(-2.0 * i / 8.0); }),
            with("the pairs are in reverse order: the first one turns fastest",
                 [](double m, double i) { return m * power(-2.0 * (3.0 - i) / 8.0); }),
            with("pairs are counted from 1; the first one has the exponent 0",
                 [](double m, double i) { return m * power(-2.0 * (i + 1.0) / 8.0); }),
            with("the base is 1000; `theta` is 10000 here",
                 [](double m, double i) { return m * std::pow(1000.0, -2.0 * i / 8.0); }),
            with("the angle is taken for degrees; std::cos takes radians",
                 [=](double m, double i) { return m * degree * power(-2.0 * i / 8.0); }),
            with("the exponent is positive: later pairs must turn slower, not faster",
                 [](double m, double i) { return m * power(2.0 * i / 8.0); }),
            with("the exponent is 0 for every pair: integers were divided, so all pairs turn alike",
                 [](double m, double) { return m; }),
            with("positions are counted from 1; position 0 does not turn",
                 [](double m, double i) { return (m + 1.0) * power(-2.0 * i / 8.0); }),
            {"cosine and sine are swapped", [=] {
                 return rotary_table(!cosine, [](double m, double i) { return m * power(-2.0 * i / 8.0); });
             }}};
}

TEST(rotary_frequencies, tables_equal_pytorch) {
    const RotaryEmbedding rotary(8, 16);
    const bool length = depends_on_length(rotary.cos, RotaryEmbedding(8, 5).cos);
    const auto suspects = [&](bool cosine) {
        return length ? std::vector<Suspect>{} : frequency_suspects(cosine);
    };
    EXPECT_TRUE(close_named("cos", rotary.cos, golden()["rotary.cos"], {1e-5, 1e-6}, suspects(true)))
        << likely_if(length, on_length) << wrong_size(rotary.cos) << wrapped_if_nan(rotary.cos);
    EXPECT_TRUE(close_named("sin", rotary.sin, golden()["rotary.sin"], {1e-5, 1e-6}, suspects(false)))
        << likely_if(length, on_length) << wrong_size(rotary.sin);
    EXPECT_FALSE(rotary.cos.requires_grad() || rotary.sin.requires_grad())
        << likely_if(true, "the tables are fixed: they must not require a gradient");
}

TEST(rotary_frequencies, another_theta_turns_slower) {
    const RotaryEmbedding rotary(8, 16, 500000.0);
    EXPECT_TRUE(close_named(
        "cos, theta 500000", rotary.cos, golden()["rotary.theta.cos"], {1e-5, 1e-6},
        {{"`theta` is ignored: these are the angles of 10000", [] { return golden()["rotary.cos"]; }}}));
    EXPECT_TRUE(close_named("sin, theta 500000", rotary.sin, golden()["rotary.theta.sin"], {1e-5, 1e-6}));
    const auto cosines = [](double theta) {
        return table_of(16, 4,
                        [=](double m, double i) { return std::cos(m * std::pow(theta, -2.0 * i / 8.0)); });
    };
    EXPECT_TRUE(
        close_named("cos, theta 2.5", RotaryEmbedding(8, 16, 2.5).cos, cosines(2.5), {1e-5, 1e-6},
                    {{"`theta` is cut to an integer; it is a double", [&] { return cosines(2.0); }}}));
}

TEST(rotary_frequencies, angles_are_right_far_out) {
    ASSERT_TRUE(takes_width(6, [] { RotaryEmbedding(6, 16); }));
    const RotaryEmbedding rotary(6, 20001);
    ASSERT_TRUE(has_shape(rotary.cos, {20001, 3}));
    ASSERT_TRUE(has_shape(rotary.sin, {20001, 3}));
    EXPECT_TRUE(right_far_out("cos", slice(rotary.cos, 0, 19998, 20001), golden()["rotary.far.cos"]));
    EXPECT_TRUE(right_far_out("sin", slice(rotary.sin, 0, 19998, 20001), golden()["rotary.far.sin"]));
}

TEST(rotary_frequencies, refuses_an_odd_width) {
    ASSERT_TRUE(takes_width(2, [] { RotaryEmbedding(2, 3); }));
    EXPECT_TRUE(has_shape(RotaryEmbedding(2, 3).sin, {3, 1}));
    EXPECT_TRUE(refuses<ValueError>(
        [] { RotaryEmbedding(7, 16); }, {"7"}, "d_k 7",
        "an odd d_k leaves its last column without a partner: check d_k % 2 before filling the tables"));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(8, 0); }, {}, "max_len 0"));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(8, 16, 0.0); }, {}, "theta 0"));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(8, 16, INFINITY); }, {"inf"}, "theta infinity"));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(8, 16, NAN); }, {"nan"}, "theta NaN"));
    EXPECT_TRUE(refuses<ShapeError>([] { RotaryEmbedding(1ull << 32, 1ull << 32); }, {},
                                    "tables larger than any memory"));
}

}  // namespace
}  // namespace tfs::test
