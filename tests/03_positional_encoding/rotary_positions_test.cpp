// tests/03_positional_encoding/rotary_positions_test.cpp · step rotary_positions: PyTorch's values, properties, diagnosis
#include "tests/03_positional_encoding/checklist.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
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

TEST(rotary_positions, rotary_embedding_equals_pytorch) {
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

TEST(rotary_positions, rotary_embedding_of_another_theta_turns_slower) {
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

TEST(rotary_positions, rotary_embedding_is_right_far_out) {
    ASSERT_TRUE(takes_width(6, [] { RotaryEmbedding(6, 16); }));
    const RotaryEmbedding rotary(6, 20001);
    ASSERT_TRUE(has_shape(rotary.cos, {20001, 3}));
    ASSERT_TRUE(has_shape(rotary.sin, {20001, 3}));
    EXPECT_TRUE(right_far_out("cos", slice(rotary.cos, 0, 19997, 20001), golden()["rotary.far.cos"]));
    EXPECT_TRUE(right_far_out("sin", slice(rotary.sin, 0, 19997, 20001), golden()["rotary.far.sin"]));
}

TEST(rotary_positions, rotary_embedding_refuses_an_odd_width) {
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

std::vector<Suspect> rotary_suspects(const Tensor& x, RotaryLayout layout, std::size_t offset) {
    const bool interleaved = layout == RotaryLayout::interleaved;
    const auto other = interleaved ? RotaryLayout::half_split : RotaryLayout::interleaved;
    const auto with = [=](const std::string& message, const Turn& turn) {
        return Suspect{message, [=] { return reference_rotary(x, layout, offset, turn); }};
    };
    const std::size_t seq = x.size(-2);
    const auto row = [](const char* table, std::size_t at) { return slice(golden()[table], 0, at, at + 1); };
    const auto rows = [=](const char* table, std::size_t at) {
        return slice(golden()[table], 0, at, at + seq);
    };
    return {
        {interleaved
             ? "columns i and i + d_k/2 are paired: that is half_split; interleaved pairs 2i and 2i + 1"
             : "columns 2i and 2i + 1 are paired: that is interleaved; half_split pairs i and i + d_k/2",
         [=] { return reference_rotary(x, other, offset); }},
        {"`offset` is ignored: the first position of x is `offset`",
         [=] { return reference_rotary(x, layout); }},
        {one_before, [=] { return reference_rotary(x, layout, offset == 0 ? 0 : offset - 1); }},
        {one_behind, [=] { return reference_rotary(x, layout, offset == 0 ? 1 : offset); }},
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
        with("the two results are swapped: a cos - b sin is the first column of its pair",
             [](const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& s) {
                 return std::pair(a * s + b * c, a * c - b * s);
             }),
        with("the sines are missing: a cos - b sin and a sin + b cos",
             [](const Tensor& a, const Tensor& b, const Tensor& c, const Tensor&) {
                 return std::pair(a * c, b * c);
             }),
        {offset == 0 ? "nothing is turned, or every position is turned by the angle of the first one"
                     : "nothing is turned",
         [=] { return x * 1.0f; }},
        {"every position is turned by the angle of the first one",
         [=] { return turned(x, layout, row("rotary.cos", offset), row("rotary.sin", offset)); }},
        {"`offset` is used for the cosines, not for the sines",
         [=] { return turned(x, layout, rows("rotary.cos", offset), rows("rotary.sin", 0)); }},
        {"`offset` is used for the sines, not for the cosines",
         [=] { return turned(x, layout, rows("rotary.cos", 0), rows("rotary.sin", offset)); }},
        with(interleaved ? "the angles lie along the columns as c0, c1, …, c0, c1, …, which is half_split; "
                           "columns 2i and 2i + 1 both turn by angle i"
                         : "the angles lie along the columns as c0, c0, c1, c1, …, which is interleaved; "
                           "columns i and i + d_k/2 both turn by angle i",
             [=](const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& s) {
                 using Order = std::vector<std::size_t>;
                 const Order of_a = interleaved ? Order{0, 2, 0, 2} : Order{0, 0, 1, 1},
                             of_b = interleaved ? Order{1, 3, 1, 3} : Order{2, 2, 3, 3};
                 return std::pair(a * columns(c, of_a) - b * columns(s, of_a),
                                  a * columns(s, of_b) + b * columns(c, of_b));
             }),
        with("sine and cosine are swapped",
             [](const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& s) {
                 return std::pair(a * s - b * c, a * c + b * s);
             })};
}

TEST(rotary_positions, apply_rotary_turns_interleaved_pairs_as_pytorch) {
    const Tensor x = golden()["rotary.x"];
    const auto layout = RotaryLayout::interleaved;
    EXPECT_TRUE(right_for_positions(
        "", [&](const Tensor& any) { return apply_rotary(any, golden_rotary(), layout); }, x,
        golden()["rotary.interleaved.output"], rotary_suspects(x, layout, 0)));
}

TEST(rotary_positions, apply_rotary_turns_half_split_pairs_as_pytorch) {
    const Tensor x = golden()["rotary.x"];
    const auto layout = RotaryLayout::half_split;
    EXPECT_TRUE(right_for_positions(
        "", [&](const Tensor& any) { return apply_rotary(any, golden_rotary(), layout); }, x,
        golden()["rotary.half_split.output"], rotary_suspects(x, layout, 0)));
}

TEST(rotary_positions, apply_rotary_begins_at_the_offset) {
    const Tensor x = golden()["rotary.x"];
    for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
        const std::string name = layout == RotaryLayout::interleaved ? "interleaved" : "half_split";
        try {
            ASSERT_TRUE(close_named(name + ", offset 11", apply_rotary(x, golden_rotary(), layout, 11),
                                    golden()["rotary." + name + ".offset.output"], {1e-5, 1e-6},
                                    rotary_suspects(x, layout, 11)));
            const Tensor one = slice(x, 2, 0, 1);
            EXPECT_TRUE(close_named(
                name + ", a single position, offset 11", apply_rotary(one, golden_rotary(), layout, 11),
                reference_rotary(one, layout, 11), {}, {{dropped_for_one, [&] { return one * 1.0f; }}}));
        } catch (const ShapeError& error) {
            FAIL() << name << ", offset 11: \"" << error.what() << '"'
                   << likely_if(names(error.what(), "12"), one_behind)
                   << likely_if(std::string(error.what()).find("11 … 5 ") != std::string::npos,
                                "the rows of the table end at seq; those of `offset` on end at offset + seq");
        }
    }
}

TEST(rotary_positions, apply_rotary_takes_its_angles_from_the_table) {
    const Tensor x = normal({6, 3, 5, 8}, 10);
    const auto back = [](const Tensor& a, const Tensor& b, const Tensor& cos, const Tensor& sin) {
        return right_turn(a, b, cos, -sin);
    };
    for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
        ASSERT_TRUE(right_for_positions(
            "tables of positive angles",
            [&](const Tensor& any) { return apply_rotary(any, golden_rotary(), layout, 3); }, x,
            reference_rotary(x, layout, 3)));
        EXPECT_TRUE(close_named("tables of negative angles", apply_rotary(x, backward_rotary(), layout, 3),
                                reference_rotary(x, layout, 3, back), {},
                                {{own_angles, [&] { return reference_rotary(x, layout, 3); }}}));
    }
    RotaryEmbedding one_pair = golden_rotary();
    one_pair.cos = slice(one_pair.cos, 1, 0, 1);
    one_pair.sin = slice(one_pair.sin, 1, 0, 1);
    const Tensor pair = slice(x, -1, 0, 2), cos = slice(one_pair.cos, 0, 0, 5),
                 sin = slice(one_pair.sin, 0, 0, 5);
    const auto [a, b] = right_turn(slice(pair, -1, 0, 1), slice(pair, -1, 1, 2), cos, sin);
    EXPECT_TRUE(right_for_positions(
        "d_k 2", [&](const Tensor& any) { return apply_rotary(any, one_pair); }, pair, concat({a, b}, -1)));
}

TEST(rotary_positions, apply_rotary_sends_the_gradient_of_pytorch) {
    for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
        const std::string prefix =
            layout == RotaryLayout::interleaved ? "rotary.interleaved.offset." : "rotary.half_split.offset.";
        const Tensor x = leaf("rotary.x"), upstream = golden()[prefix + "grad_weights"];
        const auto rotated = [&](const Tensor& any) {
            return apply_rotary(any, golden_rotary(), layout, 11);
        };
        ASSERT_TRUE(right_for_positions("", rotated, x, golden()[prefix + "output"]));
        ASSERT_TRUE(send_back(rotated(x), upstream));
        EXPECT_TRUE(gradient_close("x", x, golden()[prefix + "grad_x"], {1e-5, 1e-6},
                                   {{"the gradient is turned by the angle; it must be turned back",
                                     [&] { return reference_rotary(upstream, layout, 11); }}}));
    }
}

TEST(rotary_positions, apply_rotary_turns_by_the_position_not_by_the_head) {
    const Tensor x = normal({2, 5, 5, 8}, 1);  // as many heads as positions, so that no shape complains
    for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
        const auto by_head = [&] {
            const auto angles = [](const char* table) {
                return reshape(slice(golden()[table], 0, 0, 5), {5, 1, 4});
            };
            return turned(x, layout, angles("rotary.cos"), angles("rotary.sin"));
        };
        EXPECT_TRUE(
            close(apply_rotary(x, golden_rotary(), layout), reference_rotary(x, layout), {1e-5, 1e-6},
                  {{"a head is turned by its own number: the angles must lie along axis -2, the positions",
                    by_head}}));
        const Tensor many = normal({64, 3, 15, 8}, 9);  // enough for several threads
        EXPECT_TRUE(right_for_positions(
            "64 sequences", [&](const Tensor& any) { return apply_rotary(any, golden_rotary(), layout); },
            many, reference_rotary(many, layout)));
    }
}

TEST(rotary_positions, apply_rotary_keeps_norms_and_lets_scores_depend_on_the_distance_alone) {
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
        const float difference = std::abs(score(5, 3).item() - score(3, 5).item());
        EXPECT_TRUE(difference > 0.1f)
            << fmt::format("the scores of 2 and -2 positions differ by {:.2g} only", difference);
    }
}

TEST(rotary_positions, apply_rotary_differs_between_the_layouts_by_an_order_of_columns) {
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
    const Tensor rows = normal({12, 5}, 8);
    EXPECT_TRUE(close(half_split_to_interleaved(interleaved_to_half_split(rows, 3), 3), rows, {0, 0}));
    EXPECT_THROW((void)interleaved_to_half_split(rows, 4), ValueError);
}

TEST(rotary_positions, apply_rotary_takes_the_axis_before_the_last_for_the_positions) {
    for (const Shape& shape : {Shape{5, 8}, Shape{3, 5, 8}, Shape{6, 2, 3, 5, 8}}) {
        const Tensor x = normal(shape, 4);
        for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
            EXPECT_TRUE(right_for_positions(
                "x " + to_string(shape),
                [&](const Tensor& any) { return apply_rotary(any, golden_rotary(), layout); }, x,
                reference_rotary(x, layout)));
        }
    }
}

TEST(rotary_positions, apply_rotary_refuses_what_does_not_fit_the_table) {
    const RotaryEmbedding rotary = golden_rotary();
    const Tensor x = normal({1, 1, 5, 8}, 4);
    EXPECT_TRUE(right_for_positions(
        "the last 5 positions",
        [&](const Tensor& any) { return apply_rotary(any, rotary, RotaryLayout::half_split, 11); }, x,
        reference_rotary(x, RotaryLayout::half_split, 11)));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)apply_rotary(x, rotary, RotaryLayout::interleaved, 12); },
                                    {"12|16|17", "16"}, "5 positions from 12 on, of 16",
                                    "positions beyond the table must be refused"));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)apply_rotary(Tensor::zeros({5, 6}), rotary);
        },
        {}, "x of d_k 6, tables of d_k 8"));
}

}  // namespace
}  // namespace tfs::test
