// tests/03_positional_encoding_test.cpp · the checklist of chapter 03: values of PyTorch, properties, diagnosis
//
// Run it on your steps with ./tutorial check 3. The golden values are made by tests/golden/make_golden.py.
#include "chapters/03_positional_encoding/positional_encoding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const Golden& golden() {
    static const Golden file("03_positional_encoding.safetensors");
    return file;
}

Tensor leaf(const std::string& name) { return Tensor(golden()[name].array(), true); }

Tensor normal(const Shape& shape, std::uint64_t seed) {
    Rng rng(seed);
    return Tensor(rng.normal_array(shape));
}

Tensor table_of(std::size_t rows, std::size_t columns, const std::function<double(double, double)>& entry) {
    Array values = Array::from_shape({rows, columns});
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto row = static_cast<double>(i / columns), column = static_cast<double>(i % columns);
        values.data()[i] = static_cast<float>(entry(row, column));
    }
    return Tensor(std::move(values));
}

// Every x (…, seq, width) is taken: of rank 2 and 4 as well.
testing::AssertionResult right_for_any_rank(const std::string& what, const std::function<Tensor()>& call,
                                            const Tensor& expected) {
    const std::string cause = "the positions are the axis before the last: size(-2)";
    try {
        return close_named(what, call(), expected);
    } catch (const ShapeError& error) {
        return testing::AssertionFailure()
               << what << ": \"" << error.what() << "\"" << likely_if(true, cause);
    }
}

// -2 * i of unsigned numbers is huge, the frequency infinite, and 0 times it not a number.
std::string wrapped_if_nan(const Tensor& table) {
    return likely_if(contains_nan(table),
                     "-2 * i of std::size_t wraps around to a huge number: write -2.0 * i");
}

// Far out, where an angle in float has lost its last digits: wrong there, but not by much.
testing::AssertionResult right_far_out(const std::string& what, const Tensor& actual,
                                       const Tensor& expected) {
    const bool nearly = close(actual, expected, {0, 0.01}) && !close(actual, expected, {0, 1e-6});
    return close_named(what + " at the positions 19998 to 20000", actual, expected, {0, 1e-6})
           << likely_if(nearly,
                        "the angle is computed in float; position and frequency must be multiplied in "
                        "double, and only the sine and cosine be rounded");
}

// --- 3.1 sinusoidal_positional_encoding --------------------------------------------------------------------------

// Sines in the even columns, cosines in the odd ones, of pos * frequency(column / 2).
Tensor sinusoids(const std::function<double(double)>& frequency, double first = 0.0) {
    return table_of(16, 8, [=](double pos, double column) {
        const double angle = (pos + first) * frequency(std::floor(column / 2.0));
        return std::fmod(column, 2.0) == 0.0 ? std::sin(angle) : std::cos(angle);
    });
}

double power(double exponent) { return std::pow(10000.0, exponent); }

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
        {"positions are counted from 1; the first one is 0", [=] { return sinusoids(right, 1.0); }}};
}

TEST(Step_3_1_sinusoidal_positional_encoding, table_equals_pytorch) {
    const SinusoidalPositionalEncoding encoding(8, 16);
    EXPECT_TRUE(close(encoding.table, golden()["sinusoids.table"], {1e-5, 1e-6}, sinusoid_suspects()))
        << wrapped_if_nan(encoding.table);
    EXPECT_FALSE(encoding.table.requires_grad())
        << likely_if(true, "the table is fixed: it must not require a gradient");
}

TEST(Step_3_1_sinusoidal_positional_encoding, angles_are_right_far_out) {
    const SinusoidalPositionalEncoding encoding(6, 20001);
    ASSERT_TRUE(has_shape(encoding.table, {20001, 6}));
    EXPECT_TRUE(
        right_far_out("the table", slice(encoding.table, 0, 19998, 20001), golden()["sinusoids.far"]));
}

TEST(Step_3_1_sinusoidal_positional_encoding, adds_the_rows_of_the_positions) {
    const SinusoidalPositionalEncoding encoding(8, 16);
    const Tensor x = leaf("sinusoids.x"), table = golden()["sinusoids.table"];
    const Tensor y = encoding(x);
    EXPECT_TRUE(
        close(y, golden()["sinusoids.output"], {1e-5, 1e-6},
              {{"x is missing: the rows are added to it",
                [&] { return Tensor::zeros(x.shape()) + slice(table, 0, 0, 5); }},
               {"x is multiplied by the rows; they are added", [&] { return x * slice(table, 0, 0, 5); }},
               {"x is scaled; sqrt(d_model) belongs to the embedding",
                [&] { return x * std::sqrt(8.0f) + slice(table, 0, 0, 5); }}}));
    ASSERT_TRUE(send_back(y, golden()["sinusoids.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["sinusoids.grad_x"]));
}

TEST(Step_3_1_sinusoidal_positional_encoding, takes_the_axis_before_the_last_for_the_positions) {
    const SinusoidalPositionalEncoding encoding(8, 16);
    for (const Shape& shape : {Shape{5, 8}, Shape{2, 3, 5, 8}}) {
        const Tensor x = normal(shape, 6);
        EXPECT_TRUE(right_for_any_rank(
            "x " + to_string(shape), [&] { return encoding(x, 7); },
            x + slice(golden()["sinusoids.table"], 0, 7, 12)));
    }
}

TEST(Step_3_1_sinusoidal_positional_encoding, begins_at_the_offset) {
    const SinusoidalPositionalEncoding encoding(8, 16);
    const Tensor x = golden()["sinusoids.x"];
    EXPECT_TRUE(close(encoding(x, 7), golden()["sinusoids.offset.output"], {1e-5, 1e-6},
                      {{"`offset` is ignored: the first row of x stands at position `offset`",
                        [&] { return golden()["sinusoids.output"]; }}}));
}

TEST(Step_3_1_sinusoidal_positional_encoding, refuses_positions_beyond_the_table) {
    const SinusoidalPositionalEncoding encoding(8, 16);
    const Tensor x = Tensor::zeros({2, 5, 8});
    try {
        EXPECT_TRUE(close_named("the last 5 rows", encoding(x, 11),
                                x + slice(golden()["sinusoids.table"], 0, 11, 16)));
    } catch (const ValueError& error) {
        ADD_FAILURE() << "5 positions from 11 on, of 16: \"" << error.what() << "\""
                      << likely_if(true,
                                   "the last row is refused: offset + seq may be as large as the table");
    }
    const std::string cause =
        "positions beyond the table are accepted, read past its end or wrapped around; check offset + seq "
        "against the number of rows, and say which positions and how many rows";
    EXPECT_TRUE(refuses<ValueError>([&] { (void)encoding(x, 12); }, {"12|16|17", "16"},
                                    "5 positions from 12 on, of 16", cause));
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            (void)encoding(Tensor::zeros({1, 19, 8}));
        },
        {"18|19", "16"}, "19 positions of 16", cause));
    EXPECT_THROW((void)encoding(Tensor::zeros({2, 5, 6})), ShapeError);
    EXPECT_THROW((void)encoding(Tensor::zeros({2, 5, 1})), ShapeError);  // would broadcast
}

TEST(Step_3_1_sinusoidal_positional_encoding, refuses_an_odd_width) {
    EXPECT_TRUE(has_shape(SinusoidalPositionalEncoding(8, 16).table, {16, 8}));
    EXPECT_TRUE(refuses<ValueError>(
        [] { SinusoidalPositionalEncoding(7, 16); }, {"7"}, "d_model 7",
        "an odd d_model is accepted; its last sine has no cosine. Check d_model % 2 before filling the "
        "table"));
    EXPECT_THROW(SinusoidalPositionalEncoding(0, 16), ValueError);
    EXPECT_THROW(SinusoidalPositionalEncoding(8, 0), ValueError);
}

// --- 3.2 learned_positional_embedding ----------------------------------------------------------------------------

LearnedPositionalEmbedding golden_learned() {
    Rng rng(0);
    LearnedPositionalEmbedding layer(6, 12, rng);
    layer.embedding.weight = leaf("learned.table");
    return layer;
}

TEST(Step_3_2_learned_positional_embedding, equals_pytorch) {
    const LearnedPositionalEmbedding layer = golden_learned();
    const Tensor x = golden()["learned.x"], table = golden()["learned.table"];
    const auto rows = [&](std::size_t begin) { return slice(table, 0, begin, begin + 4); };
    EXPECT_TRUE(close(
        layer(x), golden()["learned.output"], {1e-6, 1e-6},
        {{"positions are counted from 1; the first row of the table is that of position 0",
          [&] { return x + rows(1); }},
         {"each sequence of the batch gets one row; the ids count positions, not sequences",
          [&] {
              return x + reshape(slice(table, 0, 0, 2), {2, 1, 6});
          }},
         {"the ids go on counting from one sequence to the next; each begins at `offset`",
          [&] {
              return x + reshape(slice(table, 0, 0, 8), {2, 4, 6});
          }},
         {"every position gets the same row; position i needs row i",
          [&] { return x + slice(table, 0, 0, 1); }},
         {"x is missing: the rows are added to it", [&] { return Tensor::zeros(x.shape()) + rows(0); }}}));
    EXPECT_TRUE(close_named(
        "with offset 8", layer(x, 8), golden()["learned.offset.output"], {1e-6, 1e-6},
        {{"`offset` is ignored: the first row of x stands at position `offset`", [&] { return x + rows(0); }},
         {"every position gets the row of the offset; they count up from there",
          [&] { return x + slice(table, 0, 8, 9); }}}));
}

TEST(Step_3_2_learned_positional_embedding, takes_the_axis_before_the_last_for_the_positions) {
    const LearnedPositionalEmbedding layer = golden_learned();
    for (const Shape& shape : {Shape{4, 6}, Shape{2, 3, 4, 6}}) {
        const Tensor x = normal(shape, 6);
        EXPECT_TRUE(right_for_any_rank(
            "x " + to_string(shape), [&] { return layer(x, 5); },
            x + slice(golden()["learned.table"], 0, 5, 9)));
    }
}

TEST(Step_3_2_learned_positional_embedding, sends_the_gradients_of_pytorch) {
    const LearnedPositionalEmbedding layer = golden_learned();
    const Tensor x = leaf("learned.x");
    ASSERT_TRUE(send_back(layer(x, 8), golden()["learned.offset.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["learned.offset.grad_x"]));
    ASSERT_EQ(layer.parameters().size(), 1u);
    EXPECT_EQ(layer.parameters()[0].name, "embedding.weight");
    EXPECT_TRUE(
        gradient_close("embedding.weight", layer.embedding.weight, golden()["learned.offset.grad_table"]));
}

TEST(Step_3_2_learned_positional_embedding, the_whole_table_can_be_used_and_no_more) {
    const LearnedPositionalEmbedding layer = golden_learned();
    try {
        EXPECT_TRUE(close(layer(Tensor::zeros({1, 12, 6})), reshape(golden()["learned.table"], {1, 12, 6})));
    } catch (const ValueError& error) {
        FAIL() << "12 positions, a table of 12: \"" << error.what() << "\""
               << likely_if(true, "positions are counted from 1: the last one then has no row");
    }
    const std::string cause = "positions beyond the table are accepted";
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            (void)layer(Tensor::zeros({1, 4, 6}), 9);
        },
        {"9|12|13", "12"}, "4 positions from 9 on, of 12", cause));
    EXPECT_THROW((void)layer(Tensor::zeros({1, 4, 5})), ShapeError);
}

// --- 3.3 rotary_frequencies --------------------------------------------------------------------------------------

Tensor rotary_table(bool cosine, const std::function<double(double, double)>& angle) {
    return table_of(
        16, 4, [=](double m, double i) { return cosine ? std::cos(angle(m, i)) : std::sin(angle(m, i)); });
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

TEST(Step_3_3_rotary_frequencies, tables_equal_pytorch) {
    const RotaryEmbedding rotary(8, 16);
    const std::string doubled =
        "each angle is stored for both columns of its pair; one column a pair is enough";
    const bool wide = rotary.cos.shape() == Shape{16, 8};
    const std::string unset = "the member was not assigned (`Tensor sin = …` makes another variable)";
    EXPECT_TRUE(
        close_named("cos", rotary.cos, golden()["rotary.cos"], {1e-5, 1e-6}, frequency_suspects(true)))
        << likely_if(wide, doubled) << likely_if(rotary.cos.rank() == 0, unset) << wrapped_if_nan(rotary.cos);
    EXPECT_TRUE(
        close_named("sin", rotary.sin, golden()["rotary.sin"], {1e-5, 1e-6}, frequency_suspects(false)))
        << likely_if(wide, doubled) << likely_if(rotary.sin.rank() == 0, unset);
}

TEST(Step_3_3_rotary_frequencies, another_theta_turns_slower) {
    const RotaryEmbedding rotary(8, 16, 500000.0);
    EXPECT_TRUE(close_named(
        "cos, theta 500000", rotary.cos, golden()["rotary.theta.cos"], {1e-5, 1e-6},
        {{"`theta` is ignored: these are the angles of 10000", [] { return golden()["rotary.cos"]; }}}));
    EXPECT_TRUE(close_named("sin, theta 500000", rotary.sin, golden()["rotary.theta.sin"], {1e-5, 1e-6}));
}

TEST(Step_3_3_rotary_frequencies, angles_are_right_far_out) {
    const RotaryEmbedding rotary(6, 20001);
    ASSERT_TRUE(has_shape(rotary.cos, {20001, 3}));
    ASSERT_TRUE(has_shape(rotary.sin, {20001, 3}));
    EXPECT_TRUE(right_far_out("cos", slice(rotary.cos, 0, 19998, 20001), golden()["rotary.far.cos"]));
    EXPECT_TRUE(right_far_out("sin", slice(rotary.sin, 0, 19998, 20001), golden()["rotary.far.sin"]));
}

TEST(Step_3_3_rotary_frequencies, refuses_an_odd_width) {
    EXPECT_TRUE(has_shape(RotaryEmbedding(2, 3).sin, {3, 1}));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(7, 16); }, {"7"}, "d_k 7",
                                    "an odd d_k is accepted; its last column has no partner to turn with"));
    EXPECT_THROW(RotaryEmbedding(8, 0), ValueError);
    EXPECT_THROW(RotaryEmbedding(8, 16, 0.0), ValueError);
}

// --- 3.4 apply_rotary --------------------------------------------------------------------------------------------

// The tables as PyTorch has them, so that wrong ones of 3.3 spoil no check of 3.4.
RotaryEmbedding golden_rotary() {
    RotaryEmbedding rotary(8, 16);
    rotary.cos = golden()["rotary.cos"];
    rotary.sin = golden()["rotary.sin"];
    return rotary;
}

// The columns of x in another order.
Tensor columns(const Tensor& x, const std::vector<std::size_t>& order) {
    std::vector<Tensor> parts;
    for (const std::size_t column : order) parts.push_back(slice(x, -1, column, column + 1));
    return concat(parts, -1);
}

const std::vector<std::size_t> even_first{0, 2, 4, 6, 1, 3, 5, 7}, merged{0, 4, 1, 5, 2, 6, 3, 7};

// (a, b) -> (turn_a, turn_b) for the first and second columns of all pairs.
using Turn = std::function<std::pair<Tensor, Tensor>(const Tensor& a, const Tensor& b, const Tensor& cos,
                                                     const Tensor& sin)>;

std::pair<Tensor, Tensor> right_turn(const Tensor& a, const Tensor& b, const Tensor& cos, const Tensor& sin) {
    return {a * cos - b * sin, a * sin + b * cos};
}

// x (…, seq, 8), rotated by operations of the tensor layer; the angles broadcast as they are given.
Tensor turned(const Tensor& x, RotaryLayout layout, const Tensor& cos, const Tensor& sin,
              const Turn& turn = right_turn) {
    const bool interleaved = layout == RotaryLayout::interleaved;
    const Tensor halves = interleaved ? columns(x, even_first) : x;
    const auto [a, b] = turn(slice(halves, -1, 0, 4), slice(halves, -1, 4, 8), cos, sin);
    const Tensor result = concat({a, b}, -1);
    return interleaved ? columns(result, merged) : result;
}

Tensor rows_of(const std::string& table, std::size_t begin, std::size_t seq) {
    return slice(golden()[table], 0, begin, begin + seq);
}

Tensor reference_rotary(const Tensor& x, RotaryLayout layout, std::size_t offset = 0,
                        const Turn& turn = right_turn) {
    const std::size_t seq = x.size(-2);
    return turned(x, layout, rows_of("rotary.cos", offset, seq), rows_of("rotary.sin", offset, seq), turn);
}

std::vector<Suspect> rotary_suspects(const Tensor& x, RotaryLayout layout, std::size_t offset) {
    const bool interleaved = layout == RotaryLayout::interleaved;
    const auto other = interleaved ? RotaryLayout::half_split : RotaryLayout::interleaved;
    const auto with = [=](const std::string& message, const Turn& turn) {
        return Suspect{message, [=] { return reference_rotary(x, layout, offset, turn); }};
    };
    return {{interleaved
                 ? "columns i and i + d_k/2 are paired: that is half_split; interleaved pairs 2i and 2i + 1"
                 : "columns 2i and 2i + 1 are paired: that is interleaved; half_split pairs i and i + d_k/2",
             [=] { return reference_rotary(x, other, offset); }},
            {"`offset` is ignored: the first position of x is `offset`",
             [=] { return reference_rotary(x, layout); }},
            {interleaved ? "the result keeps the first columns of all pairs before the second: put each back "
                           "where it came from"
                         : "the results are woven together as neighbours; under half_split all first columns "
                           "stay before the second",
             [=] { return columns(reference_rotary(x, layout, offset), interleaved ? even_first : merged); }},
            with("every pair turns the other way: the angle's sign is reversed",
                 [](const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& s) {
                     return std::pair(a * c + b * s, b * c - a * s);
                 }),
            with("the sign of one sine is wrong: a cos - b sin and a sin + b cos; this is not a rotation",
                 [](const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& s) {
                     return std::pair(a * c + b * s, a * s + b * c);
                 }),
            with("the sign of one sine is wrong: a cos - b sin and a sin + b cos; this is not a rotation",
                 [](const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& s) {
                     return std::pair(a * c - b * s, b * c - a * s);
                 }),
            with("the second column is computed from the first one's new value; both need the old a and b",
                 [](const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& s) {
                     const Tensor new_a = a * c - b * s;
                     return std::pair(new_a, new_a * s + b * c);
                 }),
            with("sine and cosine are swapped",
                 [](const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& s) {
                     return std::pair(a * s - b * c, a * c + b * s);
                 })};
}

TEST(Step_3_4_apply_rotary, interleaved_pairs_equal_pytorch) {
    const Tensor x = golden()["rotary.x"];
    const auto layout = RotaryLayout::interleaved;
    EXPECT_TRUE(close(apply_rotary(x, golden_rotary(), layout), golden()["rotary.interleaved.output"],
                      {1e-5, 1e-6}, rotary_suspects(x, layout, 0)));
}

TEST(Step_3_4_apply_rotary, half_split_pairs_equal_pytorch) {
    const Tensor x = golden()["rotary.x"];
    const auto layout = RotaryLayout::half_split;
    EXPECT_TRUE(close(apply_rotary(x, golden_rotary(), layout), golden()["rotary.half_split.output"],
                      {1e-5, 1e-6}, rotary_suspects(x, layout, 0)));
}

TEST(Step_3_4_apply_rotary, begins_at_the_offset) {
    const Tensor x = golden()["rotary.x"];
    for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
        const std::string name = layout == RotaryLayout::interleaved ? "interleaved" : "half_split";
        EXPECT_TRUE(close_named(name + ", offset 11", apply_rotary(x, golden_rotary(), layout, 11),
                                golden()["rotary." + name + ".offset.output"], {1e-5, 1e-6},
                                rotary_suspects(x, layout, 11)));
    }
}

TEST(Step_3_4_apply_rotary, sends_the_gradient_of_pytorch) {
    for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
        const std::string prefix =
            layout == RotaryLayout::interleaved ? "rotary.interleaved.offset." : "rotary.half_split.offset.";
        const Tensor x = leaf("rotary.x"), upstream = golden()[prefix + "grad_weights"];
        const Tensor y = apply_rotary(x, golden_rotary(), layout, 11);
        ASSERT_TRUE(send_back(y, upstream));
        std::vector<Suspect> suspects;
        if (close(y, golden()[prefix + "output"], {1e-5, 1e-6})) {  // else the forward pass is to blame
            suspects.push_back({"the gradient is turned by the angle; it must be turned back",
                                [&] { return reference_rotary(upstream, layout, 11); }});
        }
        EXPECT_TRUE(gradient_close("x", x, golden()[prefix + "grad_x"], {1e-5, 1e-6}, suspects));
    }
}

TEST(Step_3_4_apply_rotary, turns_by_the_position_not_by_the_head) {
    const Tensor x = normal({2, 4, 4, 8}, 1);  // as many heads as positions, so that no shape complains
    for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
        const auto by_head = [&] {
            const auto angles = [](const char* table) { return reshape(rows_of(table, 0, 4), {4, 1, 4}); };
            return turned(x, layout, angles("rotary.cos"), angles("rotary.sin"));
        };
        EXPECT_TRUE(
            close(apply_rotary(x, golden_rotary(), layout), reference_rotary(x, layout), {1e-5, 1e-6},
                  {{"a head is turned by its own number: the angles must lie along axis -2, the positions",
                    by_head}}));
        const Tensor many = normal({64, 4, 16, 8}, 9);  // enough for several threads
        EXPECT_TRUE(close(apply_rotary(many, golden_rotary(), layout), reference_rotary(many, layout)));
    }
}

TEST(Step_3_4_apply_rotary, keeps_norms_and_lets_scores_depend_on_the_distance_alone) {
    const RotaryEmbedding rotary = golden_rotary();
    const Tensor q = normal({1, 1, 1, 8}, 2), k = normal({1, 1, 1, 8}, 3);
    for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
        const auto score = [&](std::size_t m, std::size_t n) {
            return sum(apply_rotary(q, rotary, layout, m) * apply_rotary(k, rotary, layout, n));
        };
        const Tensor at_nine = apply_rotary(q, rotary, layout, 9);
        ASSERT_TRUE(has_shape(at_nine, q.shape()));
        EXPECT_TRUE(close_named("squared norm", sum(at_nine * at_nine), sum(q * q), {1e-5, 0}));
        EXPECT_TRUE(close_named("score of positions 12 and 10 against 5 and 3", score(12, 10), score(5, 3),
                                {1e-4, 1e-5}));
        EXPECT_GT(std::abs(score(5, 3).item() - score(3, 5).item()), 0.1f);
    }
}

TEST(Step_3_4_apply_rotary, the_layouts_differ_by_an_order_of_columns) {
    const RotaryEmbedding rotary = golden_rotary();
    const Tensor x = normal({5, 8}, 7);
    const auto reordered = [](const Tensor& t) {  // interleaved_to_half_split moves rows
        return transpose(interleaved_to_half_split(transpose(t, 0, 1), 1), 0, 1);
    };
    const auto rotated = [&](const Tensor& t, RotaryLayout layout) {
        const Tensor result = apply_rotary(reshape(t, {1, 1, 5, 8}), rotary, layout);
        return result.size() == t.size() ? reshape(result, {5, 8}) : result;
    };
    const Tensor result = rotated(x, RotaryLayout::interleaved);
    ASSERT_TRUE(has_shape(result, x.shape()));
    EXPECT_TRUE(close(rotated(reordered(x), RotaryLayout::half_split), reordered(result)));
    const Tensor rows = normal({12, 3}, 8);
    EXPECT_TRUE(close(half_split_to_interleaved(interleaved_to_half_split(rows, 3), 3), rows, {0, 0}));
    EXPECT_THROW((void)interleaved_to_half_split(rows, 4), ValueError);
}

TEST(Step_3_4_apply_rotary, takes_the_axis_before_the_last_for_the_positions) {
    for (const Shape& shape : {Shape{5, 8}, Shape{3, 5, 8}, Shape{2, 2, 3, 5, 8}}) {
        const Tensor x = normal(shape, 4);
        for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
            EXPECT_TRUE(right_for_any_rank(
                "x " + to_string(shape), [&] { return apply_rotary(x, golden_rotary(), layout, 2); },
                reference_rotary(x, layout, 2)));
        }
    }
}

TEST(Step_3_4_apply_rotary, refuses_what_does_not_fit_the_table) {
    const RotaryEmbedding rotary = golden_rotary();
    const Tensor x = normal({1, 1, 5, 8}, 4);
    EXPECT_TRUE(close_named("the last 5 positions", apply_rotary(x, rotary, RotaryLayout::half_split, 11),
                            reference_rotary(x, RotaryLayout::half_split, 11)));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)apply_rotary(x, rotary, RotaryLayout::interleaved, 12); },
                                    {"12|16|17", "16"}, "5 positions from 12 on, of 16",
                                    "positions beyond the table are accepted"));
    EXPECT_THROW((void)apply_rotary(Tensor::zeros({5, 6}), rotary), ShapeError);
}

// --- 3.5 rotary_attention ----------------------------------------------------------------------------------------

const char* const guessed_offset =
    "`offset` is guessed as keys - queries; there may be more keys than offset + queries";

// Attention of turned queries, keys and values, by the tensor layer and chapter 01.
AttentionOutput attend(const Tensor& q, const Tensor& k, const Tensor& v) {
    return scaled_dot_product_attention(q, k, v);
}

TEST(Step_3_5_rotary_attention, equals_pytorch_with_an_offset) {
    const Tensor q = golden()["rotary_attention.q"], k = golden()["rotary_attention.k"],
                 v = golden()["rotary_attention.v"];
    for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
        const bool half = layout == RotaryLayout::half_split;
        const std::string prefix = half ? "rotary_attention.half_split." : "rotary_attention.";
        const auto turn = [&](const Tensor& x, std::size_t offset) {
            return reference_rotary(x, layout, offset);
        };
        const auto suspects = [&](bool weights) {
            const auto suspect = [=](const std::string& message,
                                     const std::function<AttentionOutput()>& wrong) {
                return Suspect{message, [=] { return weights ? wrong().weights : wrong().output; }};
            };
            return std::vector<Suspect>{
                suspect("the values are turned too: positions belong into the scores only, values are summed "
                        "as they are",
                        [=] { return attend(turn(q, 3), turn(k, 0), turn(v, 0)); }),
                suspect("only the queries are turned: the scores then depend on the query's position alone",
                        [=] { return attend(turn(q, 3), k, v); }),
                suspect("only the keys are turned: the scores then depend on the key's position alone",
                        [=] { return attend(q, turn(k, 0), v); }),
                suspect(
                    "queries and keys begin at the same position: `offset` is where the queries begin, the "
                    "keys begin at 0",
                    [=] { return attend(turn(q, 0), turn(k, 0), v); }),
                suspect("`offset` is given to the keys; it is where the queries begin",
                        [=] { return attend(turn(q, 0), turn(k, 3), v); }),
                suspect("the output is turned; only queries and keys are",
                        [=] {
                            const AttentionOutput right = attend(turn(q, 3), turn(k, 0), v);
                            return AttentionOutput{turn(right.output, 3), right.weights};
                        }),
                suspect("the scores are not divided by sqrt(d_k): attend as in chapter 01",
                        [=] { return attend(turn(q, 3) * std::sqrt(8.0f), turn(k, 0), v); }),
                suspect("nothing is turned", [=] { return attend(q, k, v); }),
                suspect(
                    "`layout` is passed on for the queries only",
                    [=] { return attend(turn(q, 3), reference_rotary(k, RotaryLayout::interleaved), v); }),
                suspect(
                    "`layout` is passed on for the keys only",
                    [=] { return attend(reference_rotary(q, RotaryLayout::interleaved, 3), turn(k, 0), v); }),
                suspect("`layout` is not passed on", [=] {
                    const auto other = half ? RotaryLayout::interleaved : RotaryLayout::half_split;
                    return attend(reference_rotary(q, other, 3), reference_rotary(k, other), v);
                })};
        };
        const AttentionOutput result = rotary_attention(q, k, v, golden_rotary(), std::nullopt, layout, 3);
        EXPECT_TRUE(close_named("weights", result.weights, golden()[prefix + "weights"], {1e-5, 1e-6},
                                suspects(true)));
        EXPECT_TRUE(
            close_named("output", result.output, golden()[prefix + "output"], {1e-5, 1e-6}, suspects(false)));
    }
}

TEST(Step_3_5_rotary_attention, queries_may_stand_before_the_last_keys) {
    const Tensor q = golden()["rotary_attention.q"], k = golden()["rotary_attention.k"],
                 v = golden()["rotary_attention.v"];  // 3 queries, 6 keys
    const auto layout = RotaryLayout::interleaved;
    const auto weights = [&](std::size_t offset) {
        return attend(reference_rotary(q, layout, offset), reference_rotary(k, layout), v).weights;
    };
    const AttentionOutput result = rotary_attention(q, k, v, golden_rotary(), std::nullopt, layout, 1);
    EXPECT_TRUE(close_named("weights of 3 queries from position 1 on, over 6 keys", result.weights,
                            weights(1), {1e-5, 1e-6}, {{guessed_offset, [&] { return weights(3); }}}));
}

TEST(Step_3_5_rotary_attention, passes_the_mask_on_and_sends_the_gradients_of_pytorch) {
    const Tensor q = leaf("rotary_attention.q"), k = leaf("rotary_attention.k"),
                 v = leaf("rotary_attention.v");
    const Mask causal = Mask::from({3, 6}, {1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1});
    const auto result = rotary_attention(q, k, v, golden_rotary(), causal, RotaryLayout::interleaved, 3);
    EXPECT_TRUE(close(result.output, golden()["rotary_attention.masked.output"], {1e-5, 1e-6},
                      {{"the mask is not passed on to the attention",
                        [] { return golden()["rotary_attention.output"]; }}}));
    ASSERT_TRUE(send_back(result.output, golden()["rotary_attention.masked.grad_weights"]));
    for (const auto& [name, input] : {std::pair("q", q), std::pair("k", k), std::pair("v", v)}) {
        EXPECT_TRUE(gradient_close(name, input, golden()[std::string("rotary_attention.masked.grad_") + name],
                                   {1e-4, 1e-6}));
    }
}

// --- 3.6 alibi_slopes --------------------------------------------------------------------------------------------

Tensor slopes_of(std::size_t heads, const std::function<double(double)>& exponent) {
    return reshape(table_of(1, heads, [=](double, double h) { return std::exp2(exponent(h)); }), {heads});
}

TEST(Step_3_6_alibi_slopes, equal_the_paper_for_powers_of_two) {
    for (const std::size_t heads : {1u, 2u, 8u, 16u}) {
        const auto n = static_cast<double>(heads);
        EXPECT_TRUE(close_named(
            fmt::format("{} heads", heads), alibi_slopes(heads),
            golden()[fmt::format("alibi.slopes.{}", heads)], {1e-5, 0},
            {{"the first slope is 1: the exponents begin at 8/n, with k = 1",
              [=] { return slopes_of(heads, [=](double h) { return -8.0 * h / n; }); }},
             {"each slope is half of the one before, whatever the number of heads: the ratio is 2^(-8/n)",
              [=] { return slopes_of(heads, [](double h) { return -(h + 1.0); }); }},
             {"the slopes have the wrong base: powers of e, not of 2",
              [=] {
                  return slopes_of(heads,
                                   [=](double h) { return -8.0 * (h + 1.0) / n * std::log2(std::exp(1.0)); });
              }},
             {"the slopes grow beyond 1: the exponent is negative",
              [=] { return slopes_of(heads, [=](double h) { return 8.0 * (h + 1.0) / n; }); }},
             {"the exponent is computed in integers, which cut it: write -8.0 * k / n",
              [=] { return slopes_of(heads, [=](double h) { return -std::floor(8.0 * (h + 1.0) / n); }); }},
             {"the slopes are in reverse order: the first head has the steepest",
              [=] { return slopes_of(heads, [=](double h) { return -8.0 * (n - h) / n; }); }}}));
    }
}

TEST(Step_3_6_alibi_slopes, equal_the_published_code_for_other_numbers_of_heads) {
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
                          [=] { return rest([](double h) { return 2.0 * h + 2.0; }); }}}));
    }
    EXPECT_THROW((void)alibi_slopes(0), ValueError);
}

// --- 3.7 alibi_bias ----------------------------------------------------------------------------------------------

// slope * entry(i - j), with i the position of the query.
Tensor reference_bias(std::size_t heads, std::size_t queries, std::size_t keys, std::size_t offset,
                      const std::function<double(double, double)>& entry) {
    const Tensor slopes = golden()["alibi.bias.slopes." + std::to_string(heads)];
    const auto first = static_cast<double>(offset);
    return reshape(slopes, {1, heads, 1, 1}) *
           table_of(queries, keys, [=](double i, double j) { return entry(i + first, j); });
}

std::vector<Suspect> bias_suspects(std::size_t heads, std::size_t queries, std::size_t keys,
                                   std::size_t offset) {
    const auto with = [=](const std::string& message, const std::function<double(double, double)>& entry) {
        return Suspect{message, [=] { return reference_bias(heads, queries, keys, offset, entry); }};
    };
    const auto first = static_cast<double>(offset);
    return {
        with("the sign is wrong: distance is a penalty, so the bias is negative",
             [](double i, double j) { return std::max(i - j, 0.0); }),
        with("the distance is taken absolute, so keys in the future are penalised as well; the contract says "
             "0",
             [](double i, double j) { return -std::abs(i - j); }),
        with("keys in the future are rewarded: -slope * (i - j) is positive for j > i; the contract says 0",
             [](double i, double j) { return j - i; }),
        with("`offset` is ignored: query i stands at position i + offset",
             [=](double i, double j) { return -std::max(i - first - j, 0.0); }),
        with("the offset is added to the keys; it is the queries that stand at i + offset",
             [=](double i, double j) { return -std::max(i - j - 2.0 * first, 0.0); }),
        with("the bias is slope * j, as in the published code: after the softmax the same, but the contract "
             "says -slope * (i - j)",
             [](double, double j) { return j; }),
        with("keys in the future are hidden; that is the mask's task, the contract says 0",
             [](double i, double j) { return j > i ? -INFINITY : j - i; }),
        {"every head has the first slope: multiply the distances by the slopes as (1, heads, 1, 1)",
         [=] {
             const Tensor first_slope =
                 slice(golden()["alibi.bias.slopes." + std::to_string(heads)], 0, 0, 1);
             return Tensor::zeros({1, heads, 1, 1}) -
                    first_slope * table_of(queries, keys,
                                           [=](double i, double j) { return std::max(i + first - j, 0.0); });
         }},
        {"every head has the same slope: multiply the distances by the slopes as (1, heads, 1, 1)", [=] {
             return Tensor::zeros({1, heads, 1, 1}) -
                    table_of(queries, keys, [=](double i, double j) { return std::max(i + first - j, 0.0); });
         }}};
}

TEST(Step_3_7_alibi_bias, equals_pytorch) {
    const Tensor bias = alibi_bias(4, 5, 5);
    ASSERT_TRUE(has_shape(bias, {1, 4, 5, 5})) << likely_if(
        bias.shape() == Shape{4, 5, 5}, "the axis of the batch is missing: (1, heads, query, key)");
    const float lowest = *std::min_element(bias.values().begin(), bias.values().end());
    if (std::isfinite(lowest) && lowest < -1e9f) {
        FAIL() << fmt::format("the smallest bias is {:.2g}", lowest)
               << likely_if(true,
                            "i + offset - j is computed in unsigned numbers: where j is larger it wraps to a "
                            "huge one");
    }
    const Tensor expected = golden()["alibi.bias.output"] + 0.0f;  // makes the file's -0 a 0
    EXPECT_TRUE(close(bias, expected, {1e-5, 0}, bias_suspects(4, 5, 5, 0)));
    EXPECT_FALSE(bias.requires_grad())
        << likely_if(true, "the bias is fixed: it must not require a gradient");
}

TEST(Step_3_7_alibi_bias, queries_begin_at_the_offset) {
    const Tensor bias = alibi_bias(3, 2, 6, 4);
    ASSERT_TRUE(has_shape(bias, {1, 3, 2, 6}));
    const Tensor expected = golden()["alibi.bias.offset.output"] + 0.0f;
    EXPECT_TRUE(close(bias, expected, {1e-5, 0}, bias_suspects(3, 2, 6, 4)));
}

TEST(Step_3_7_alibi_bias, queries_may_stand_before_the_last_keys) {
    const Tensor bias = alibi_bias(3, 2, 6, 1);
    ASSERT_TRUE(has_shape(bias, {1, 3, 2, 6}));
    const auto behind = [](double i, double j) { return -std::max(i - j, 0.0); };
    const Tensor expected = reference_bias(3, 2, 6, 1, behind) + 0.0f;
    EXPECT_TRUE(close_named("2 queries from position 1 on, over 6 keys", bias, expected, {1e-5, 0},
                            {{guessed_offset, [&] { return reference_bias(3, 2, 6, 4, behind); }}}));
}

TEST(Step_3_7_alibi_bias, is_refused_by_the_scores_of_another_number_of_heads) {
    const Tensor bias = alibi_bias(4, 3, 3);
    EXPECT_EQ((normal({2, 4, 3, 3}, 5) + bias).shape(), (Shape{2, 4, 3, 3}));
    EXPECT_THROW((void)(normal({2, 3, 3, 3}, 6) + bias), ShapeError);
    EXPECT_THROW((void)alibi_bias(0, 3, 3), ValueError);
    EXPECT_THROW((void)alibi_bias(4, 3, 0), ValueError);
}

}  // namespace
}  // namespace tfs::test
