// tests/03_positional_encoding/absolute_positions_test.cpp · step absolute_positions: PyTorch's values, properties, diagnosis
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

// Sines in the even columns, cosines in the odd ones, of pos * frequency(column / 2).
Tensor sinusoids(const std::function<double(double)>& frequency, double first = 0.0) {
    return table_of(16, 8, [=](double pos, double column) {
        const double angle = (pos + first) * frequency(std::floor(column / 2.0));
        return std::fmod(column, 2.0) == 0.0 ? std::sin(angle) : std::cos(angle);
    });
}

std::vector<Suspect> sinusoid_suspects() {
    const auto right = [](double i) { return power(-2.0 * i / 8.0); };
    const double degree = std::numbers::pi / 180.0;
    return {
        {"the exponent is i / d_model; pair i has 2i / d_model",
         [=] { return sinusoids([](double i) { return power(-i / 8.0); }); }},
        {"the exponent has the column in place of 2i: the cosine of a pair must have the angle of its sine",
         [=] {
             return table_of(16, 8, [](double pos, double column) {
                 const double angle = pos * power(-column / 8.0);
                 return std::fmod(column, 2.0) == 0.0 ? std::sin(angle) : std::cos(angle);
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
    ASSERT_TRUE(takes_width(6, [] { SinusoidalPositionalEncoding(6, 16); }));
    const SinusoidalPositionalEncoding encoding(6, 20001);
    ASSERT_TRUE(has_shape(encoding.table, {20001, 6}));
    EXPECT_TRUE(
        right_far_out("the table", slice(encoding.table, 0, 19997, 20001), golden()["sinusoids.far"]));
}

TEST(absolute_positions, sinusoids_are_added_to_x_at_their_positions) {
    const SinusoidalPositionalEncoding encoding(8, 16);
    const Tensor x = leaf("sinusoids.x"), table = golden()["sinusoids.table"];
    ASSERT_TRUE(right_for_positions(
        "", [&](const Tensor& any) { return encoding(any); }, x, golden()["sinusoids.output"],
        sum_suspects(x, slice(table, 0, 0, 5))));
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
    ASSERT_TRUE(takes_width(2, [] { SinusoidalPositionalEncoding(2, 3); }));
    EXPECT_TRUE(has_shape(SinusoidalPositionalEncoding(8, 16).table, {16, 8}));
    EXPECT_TRUE(refuses<ValueError>(
        [] { SinusoidalPositionalEncoding(7, 16); }, {"7"}, "d_model 7",
        "an odd d_model leaves its last sine without a cosine: check d_model % 2 before filling the table"));
    EXPECT_TRUE(refuses<ValueError>([] { SinusoidalPositionalEncoding(0, 16); }, {}, "d_model 0"));
    EXPECT_TRUE(refuses<ValueError>([] { SinusoidalPositionalEncoding(8, 0); }, {}, "max_len 0"));
    EXPECT_TRUE(refuses<ShapeError>([] { SinusoidalPositionalEncoding(1ull << 32, 1ull << 32); }, {},
                                    "a table larger than any memory"));
}

LearnedPositionalEmbedding golden_learned() {
    Rng none = Rng::zeros();
    LearnedPositionalEmbedding layer(6, 12, none);
    layer.embedding.weight = leaf("learned.table");
    return layer;
}

const std::string kept =
    "the positions are those of an earlier call, as a `static` keeps them; make the ids in each call";

// x of another length than before is refused.
bool keeps_positions(const LearnedPositionalEmbedding& layer) {
    try {
        (void)layer(Tensor::zeros({1, 4, 6}));
        (void)layer(Tensor::zeros({1, 3, 6}));
    } catch (const ShapeError&) {
        return true;
    } catch (const ValueError&) {  // told by the comparison
    }
    return false;
}

TEST(absolute_positions, learned_rows_equal_pytorch) {
    const LearnedPositionalEmbedding layer = golden_learned();
    const Tensor x = golden()["learned.x"], table = golden()["learned.table"];
    const auto rows = [&](std::size_t begin) { return slice(table, 0, begin, begin + 4); };
    const std::string same_row =
        "every position gets the same row; position i needs row offset + i. `Ids ids(n)` and `Ids ids({n})` "
        "hold one "
        "number, `Ids::from_shape({n})` holds n";
    std::vector<Suspect> suspects{
        {"positions are counted from 1; the first row of the table is that of position 0",
         [&] { return x + rows(1); }},
        {"each sequence of the batch gets one row; the ids count positions, not sequences",
         [&] {
             return x + reshape(slice(table, 0, 0, 2), {2, 1, 6});
         }},
        {"the ids go on counting from one sequence to the next; each begins at `offset`",
         [&] {
             return x + reshape(slice(table, 0, 0, 8), {2, 4, 6});
         }},
        {same_row, [&] { return x + slice(table, 0, 0, 1); }}};
    for (Suspect& suspect : sum_suspects(x, rows(0))) suspects.push_back(std::move(suspect));
    EXPECT_TRUE(right_for_positions(
        "", [&](const Tensor& any) { return layer(any); }, x, golden()["learned.output"], suspects));
    ASSERT_TRUE(close_named(
        "with offset 8", layer(x, 8), golden()["learned.offset.output"], {1e-6, 1e-6},
        {{keeps_positions(layer) ? kept
                                 : "`offset` is ignored: the first row of x stands at position `offset`",
          [&] { return x + rows(0); }},
         {one_before, [&] { return x + rows(7); }},
         {same_row, [&] { return x + slice(table, 0, 8, 9); }}}));
    const Tensor one = slice(x, 1, 0, 1);
    EXPECT_TRUE(close_named("a single position, offset 8", layer(one, 8), one + slice(table, 0, 8, 9), {},
                            {{dropped_for_one, [&] { return one + slice(table, 0, 0, 1); }}}));
}

TEST(absolute_positions, learned_rows_take_the_axis_before_the_last_for_the_positions) {
    const LearnedPositionalEmbedding layer = golden_learned();
    for (const Shape& shape : {Shape{4, 6}, Shape{2, 3, 4, 6}}) {
        const Tensor x = normal(shape, 6);
        EXPECT_TRUE(right_for_positions(
            "x " + to_string(shape), [&](const Tensor& any) { return layer(any); }, x,
            x + slice(golden()["learned.table"], 0, 0, 4)));
    }
}

TEST(absolute_positions, learned_rows_send_the_gradients_of_pytorch) {
    const LearnedPositionalEmbedding layer = golden_learned();
    const Tensor x = leaf("learned.x");
    ASSERT_TRUE(send_back(layer(x, 8), golden()["learned.offset.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["learned.offset.grad_x"]));
    ASSERT_EQ(layer.parameters().size(), 1u);
    EXPECT_EQ(layer.parameters()[0].name, "embedding.weight");
    EXPECT_TRUE(
        gradient_close("embedding.weight", layer.embedding.weight, golden()["learned.offset.grad_table"]));
}

TEST(absolute_positions, learned_rows_can_all_be_used_and_no_more) {
    const LearnedPositionalEmbedding layer = golden_learned();
    try {
        EXPECT_TRUE(close(layer(Tensor::zeros({1, 12, 6})), reshape(golden()["learned.table"], {1, 12, 6})));
    } catch (const ShapeError& error) {
        FAIL() << error.what() << likely_if(keeps_positions(layer), kept);
    } catch (const ValueError& error) {
        FAIL() << "12 positions, a table of 12: \"" << error.what() << "\""
               << likely_if(!names(error.what(), "-1"),
                            "positions are counted from 1: the last one then has no row");
    }
    const std::string cause = "positions beyond the table must be refused";
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            (void)layer(Tensor::zeros({1, 4, 6}), 9);
        },
        {"9|12|13", "12"}, "4 positions from 9 on, of 12", cause));
    for (const std::size_t width : {5u, 1u}) {  // 1 would broadcast
        EXPECT_TRUE(refuses<ShapeError>(
            [&] {
                (void)layer(Tensor::zeros({1, 4, width}));
            },
            {}, fmt::format("x of width {}, a table of 6", width)));
    }
}

}  // namespace
}  // namespace tfs::test
