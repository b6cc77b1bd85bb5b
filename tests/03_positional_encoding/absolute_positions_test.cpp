// tests/03_positional_encoding/absolute_positions_test.cpp · step absolute_positions: PyTorch's values, properties, which fault is left
#include "tests/03_positional_encoding/checklist.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

double power(double exponent) { return std::pow(10000.0, exponent); }

// Whether the first rows of a table of 16 are others than those of a table of 5.
bool depends_on_length(const Tensor& of_16, const Tensor& of_5) {
    if (of_16.rank() != 2 || of_16.size(0) != 16 || of_5.shape() != Shape{5, of_16.size(1)}) return false;
    if (contains_nan(of_16)) return false;
    return !close(slice(of_16, 0, 0, 4), slice(of_5, 0, 0, 4));
}

const std::string on_length = "the angles depend on max_len; it is only the number of rows";
const std::string unset = "the member was not assigned (`Tensor table = …` makes another variable)";

// -2 * i of unsigned numbers is huge, the frequency infinite, and 0 times it not a number.
std::string wrapped_if_nan(const Tensor& table) {
    return likely_if(contains_nan(table),
                     "-2 * i of std::size_t wraps around to a huge number: write -2.0 * i");
}

// Sines in the even columns, cosines in the odd ones, of pos * frequency(column / 2).
Tensor sinusoids(const std::function<double(double)>& frequency, double first = 0.0) {
    return table_of(16, 8, [=](double pos, double column) {
        const double angle = (pos + first) * frequency(std::floor(column / 2.0));
        return std::fmod(column, 2.0) == 0.0 ? std::sin(angle) : std::cos(angle);
    });
}

// With a frequency for each column in place of each pair.
Tensor columns_at_own_speed() {
    return table_of(16, 8, [](double pos, double column) {
        const double angle = pos * power(-column / 8.0);
        return std::fmod(column, 2.0) == 0.0 ? std::sin(angle) : std::cos(angle);
    });
}

std::vector<Suspect> sinusoid_suspects() {
    const auto right = [](double i) { return power(-2.0 * i / 8.0); };
    const double degree = std::numbers::pi / 180.0;
    return {
        {"the exponent is i / d_model; pair i has 2i / d_model",
         [=] { return sinusoids([](double i) { return power(-i / 8.0); }); }},
        {"sine and cosine of a pair turn at different speeds: they are not the hand of one clock",
         [] { return columns_at_own_speed(); }},
        {"the cosine of a pair turns at the speed of the next pair: sine and cosine of a pair have one angle",
         [=] {
             return table_of(16, 8, [=](double pos, double column) {
                 const double pair = std::floor(column / 2.0);
                 return std::fmod(column, 2.0) == 0.0 ? std::sin(pos * right(pair))
                                                      : std::cos(pos * right(pair + 1.0));
             });
         }},
        {"all sines come first, then all cosines; sine and cosine of a pair are neighbours, 2i and 2i + 1",
         [=] {
             return table_of(16, 8, [=](double pos, double column) {
                 return column < 4 ? std::sin(pos * right(column)) : std::cos(pos * right(column - 4));
             });
         }},
        {"the angle is taken for degrees; std::sin takes radians",
         [=] { return sinusoids([=](double i) { return degree * right(i); }); }},
        {"sine and cosine are swapped: column 2i is the sine",
         [=] {
             return table_of(16, 8, [=](double pos, double column) {
                 const double angle = pos * right(std::floor(column / 2.0));
                 return std::fmod(column, 2.0) == 0.0 ? std::cos(angle) : std::sin(angle);
             });
         }},
        {"the exponent is divided by d_model - 1 or d_model / 2 - 1, so that the last pair gets 1/10000; the "
         "paper divides by d_model",
         [=] { return sinusoids([](double i) { return power(-2.0 * i / 7.0); }); }},
        {"the exponent is divided by d_model - 1 or d_model / 2 - 1, so that the last pair gets 1/10000; the "
         "paper divides by d_model",
         [=] { return sinusoids([](double i) { return power(-i / 3.0); }); }},
        {"the exponent is 0 for every pair: 2 * i / d_model of integers is 0, divide in double",
         [=] { return sinusoids([](double) { return 1.0; }); }},
        {"the position is multiplied by 10000^(2i / d_model), not divided",
         [=] { return sinusoids([](double i) { return power(2.0 * i / 8.0); }); }},
        {"both columns of a pair are sines; column 2i + 1 is the cosine",
         [=] {
             return table_of(16, 8, [=](double pos, double column) {
                 return std::sin(pos * right(std::floor(column / 2.0)));
             });
         }},
        {"the base is 1000; the paper's is 10000",
         [=] { return sinusoids([](double i) { return std::pow(1000.0, -2.0 * i / 8.0); }); }},
        {"pairs are counted from 1; the first one has the exponent 0",
         [=] { return sinusoids([=](double i) { return right(i + 1.0); }); }},
        {"positions are counted from 1; the first one is 0", [=] { return sinusoids(right, 1.0); }}};
}

TEST(absolute_positions, sinusoids_equal_pytorch) {
    const SinusoidalPositionalEncoding encoding(8, 16);
    const bool length = depends_on_length(encoding.table, SinusoidalPositionalEncoding(8, 5).table);
    EXPECT_TRUE(close(encoding.table, golden()["sinusoids.table"], {1e-5, 1e-6},
                      length ? std::vector<Suspect>{} : sinusoid_suspects()))
        << likely_if(length, on_length) << wrapped_if_nan(encoding.table)
        << likely_if(encoding.table.rank() == 0, unset)
        << likely_if(encoding.table.shape() == Shape{8, 16}, "the table is transposed: (max_len, d_model)");
    EXPECT_FALSE(encoding.table.requires_grad())
        << likely_if(true, "the table is fixed: it must not require a gradient");
}

TEST(absolute_positions, sinusoids_are_right_far_out) {
    const SinusoidalPositionalEncoding encoding(6, 20001);
    ASSERT_TRUE(has_shape(encoding.table, {20001, 6}));
    EXPECT_TRUE(
        right_far_out("the table", slice(encoding.table, 0, 19997, 20001), golden()["sinusoids.far"]));
}

TEST(absolute_positions, sinusoids_are_added_to_x_at_their_positions) {
    const SinusoidalPositionalEncoding encoding(8, 16);
    const Tensor x = leaf("sinusoids.x"), table = golden()["sinusoids.table"];
    std::vector<Suspect> suspects{
        {"every position gets the row of the first one", [&] { return x + slice(table, 0, 0, 1); }}};
    for (Suspect& suspect : sum_suspects(x, slice(table, 0, 0, 5))) suspects.push_back(std::move(suspect));
    ASSERT_TRUE(right_for_positions(
        "", [&](const Tensor& any) { return encoding(any); }, x, golden()["sinusoids.output"], suspects));
    const Tensor y = encoding(x);
    ASSERT_TRUE(send_back(y, golden()["sinusoids.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["sinusoids.grad_x"]));
}

TEST(absolute_positions, sinusoids_take_the_axis_before_the_last_for_the_positions) {
    const SinusoidalPositionalEncoding encoding(8, 16);
    for (const Shape& shape : {Shape{5, 8}, Shape{2, 3, 5, 8}}) {
        const Tensor x = normal(shape, 6);
        EXPECT_TRUE(right_for_positions(
            "x " + to_string(shape), [&](const Tensor& any) { return encoding(any); }, x,
            x + slice(golden()["sinusoids.table"], 0, 0, 5)));
    }
}

TEST(absolute_positions, sinusoids_begin_at_the_offset) {
    const SinusoidalPositionalEncoding encoding(8, 16);
    ASSERT_TRUE(has_shape(encoding.table, {16, 8}));
    const Tensor x = golden()["sinusoids.x"];
    ASSERT_TRUE(close(encoding(x, 7), golden()["sinusoids.offset.output"], {1e-5, 1e-6},
                      {{"`offset` is ignored: the first row of x stands at position `offset`",
                        [&] { return x + slice(encoding.table, 0, 0, 5); }},
                       {one_before, [&] { return x + slice(encoding.table, 0, 6, 11); }},
                       {one_behind, [&] { return x + slice(encoding.table, 0, 8, 13); }}}));
    const Tensor one = slice(x, 1, 0, 1);
    EXPECT_TRUE(close_named("a single position, offset 7", encoding(one, 7),
                            one + slice(encoding.table, 0, 7, 8), {},
                            {{dropped_for_one, [&] { return one + slice(encoding.table, 0, 0, 1); }}}));
}

TEST(absolute_positions, sinusoids_refuse_positions_beyond_the_table) {
    const SinusoidalPositionalEncoding encoding(8, 16);
    ASSERT_TRUE(has_shape(encoding.table, {16, 8}));
    const Tensor x = Tensor::zeros({2, 5, 8});
    try {
        EXPECT_TRUE(close_named("the last 5 rows", encoding(x, 11),
                                x + slice(golden()["sinusoids.table"], 0, 11, 16)));
    } catch (const ValueError& error) {
        ADD_FAILURE() << "5 positions from 11 on, of 16: \"" << error.what() << "\""
                      << likely_if(true,
                                   "the last row is refused: offset + seq may be as large as the table");
    } catch (const ShapeError& error) {
        ADD_FAILURE() << "5 positions from 11 on, of 16: \"" << error.what() << "\""
                      << likely_if(names(error.what(), "12"), one_behind);
    }
    const std::string cause =
        "positions beyond the table must be refused before its rows are read: check offset + seq against the "
        "number "
        "of rows, and say which positions and how many rows";
    EXPECT_TRUE(refuses<ValueError>([&] { (void)encoding(x, 12); }, {"12|16|17", "16"},
                                    "5 positions from 12 on, of 16", cause));
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            (void)encoding(Tensor::zeros({1, 19, 8}));
        },
        {"18|19", "16"}, "19 positions of 16", cause));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)encoding(x, std::numeric_limits<std::size_t>::max()); }, {},
                                    "5 positions from 2^64 - 1 on",
                                    "offset + seq of std::size_t wraps around to a small number: ask "
                                    "require_positions, or compare offset with the rows minus seq"));
    for (const std::size_t width : {6u, 1u}) {  // 1 would broadcast
        EXPECT_TRUE(refuses<ShapeError>(
            [&] {
                (void)encoding(Tensor::zeros({2, 5, width}));
            },
            {}, fmt::format("x of width {}, a table of 8", width)));
    }
}

TEST(absolute_positions, sinusoids_refuse_an_odd_width) {
    EXPECT_TRUE(has_shape(SinusoidalPositionalEncoding(2, 3).table, {3, 2}));
    EXPECT_TRUE(refuses<ValueError>([] { SinusoidalPositionalEncoding(7, 16); }, {"7"}, "d_model 7"));
    EXPECT_TRUE(refuses<ValueError>([] { SinusoidalPositionalEncoding(0, 16); }, {}, "d_model 0"));
    EXPECT_TRUE(refuses<ValueError>([] { SinusoidalPositionalEncoding(8, 0); }, {}, "max_len 0"));
    EXPECT_TRUE(refuses<ShapeError>([] { SinusoidalPositionalEncoding(1ull << 32, 1ull << 32); }, {},
                                    "a table larger than any memory"));
}

}  // namespace
}  // namespace tfs::test
