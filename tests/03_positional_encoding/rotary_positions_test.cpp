// tests/03_positional_encoding/rotary_positions_test.cpp · step rotary_positions: PyTorch's values, properties, diagnosis
#include "tests/03_positional_encoding/checklist.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

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
