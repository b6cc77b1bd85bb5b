// tests/06_residual_dropout/logit_shares_test.cpp · step logit_shares: shares that add up to the logits, and what decides between two characters
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "chapters/06_residual_dropout/given/residual_dropout.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/base/array.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Five parts of width 8, seven characters.
struct Example {
    Tensor parts = normal({5, 8}, 1) + 0.5f, table = normal({7, 8}, 2);
    FinalNorm norm{.gamma = normal({8}, 3) * 0.2f + 1.5f, .beta = normal({8}, 4), .deviation = 1.0f};

    Example() { norm.deviation = sqrt(variance(sum(parts, 0), 0) + 1e-5f).item(); }
    // Norm without beta, of each row.
    Tensor scaled(const Tensor& rows) const {
        return (rows - mean(rows, -1, KeepDims::yes)) / norm.deviation * norm.gamma;
    }
    Tensor expected() const {
        return matmul(concat({scaled(parts), reshape(norm.beta, {1, 8})}, 0), table, Transpose::b);
    }
    Tensor logits() const {
        return reshape(matmul(scaled(sum(parts, 0, KeepDims::yes)) + norm.beta, table, Transpose::b), {7});
    }
};

TEST(logit_shares, are_those_of_a_norm_that_divides_all_parts_by_one_number) {
    const Example e;
    EXPECT_TRUE(close(logit_shares(e.parts, e.norm, e.table), e.expected(), {1e-4, 1e-5}));
}

// The lesson's question: the stream is (4, 4, 0, 0), its mean and its deviation are 2.
TEST(logit_shares, by_hand_in_four_features) {
    const Tensor parts = Tensor::from({3, 4}, {2, 0, 0, 2,     // embedding
                                               0, 4, 0, 0,     // attention
                                               2, 0, 0, -2}),  // feed-forward
        table = Tensor::from({2, 4}, {2, 2, 0, 0, 2, 0, 0, 2});
    const FinalNorm norm{.gamma = Tensor::ones({4}), .beta = Tensor::zeros({4}), .deviation = 2.0f};
    const Tensor shares = logit_shares(parts, norm, table);
    EXPECT_TRUE(close(shares, Tensor::from({4, 2}, {0, 2, 2, -2, 2, 0, 0, 0})));
    EXPECT_EQ(deciding_part(shares), 1u);
}

TEST(logit_shares, add_up_to_the_logits) {
    const Example e;
    EXPECT_TRUE(close(sum(logit_shares(e.parts, e.norm, e.table), 0), e.logits(), {1e-4, 1e-4}));
}

TEST(logit_shares, a_part_twice_as_large_has_twice_the_share_and_changes_no_other) {
    Example e;
    const Tensor before = logit_shares(e.parts, e.norm, e.table);
    ASSERT_TRUE(has_shape(before, {6, 7}));
    e.parts = concat({slice(e.parts, 0, 0, 4), slice(e.parts, 0, 4, 5) * 2.0f}, 0);
    const Tensor after = logit_shares(e.parts, e.norm, e.table);
    EXPECT_TRUE(close(slice(after, 0, 0, 4), slice(before, 0, 0, 4), {1e-5, 1e-5}));
    EXPECT_TRUE(close(slice(after, 0, 4, 5), slice(before, 0, 4, 5) * 2.0f, {1e-5, 1e-5}));
}

TEST(logit_shares, of_one_part_that_is_the_same_in_all_features_are_zero) {
    const Example e;
    const Tensor expected = concat({Tensor::zeros({1, 7}), slice(e.expected(), 0, 5, 6)}, 0);
    EXPECT_TRUE(close(logit_shares(Tensor::full({1, 8}, 5.0f), e.norm, e.table), expected, {1e-4, 1e-5}));
}

TEST(logit_shares, refuse_widths_that_do_not_fit) {
    const Example e;
    EXPECT_TRUE(has_shape(logit_shares(e.parts, e.norm, e.table), {6, 7}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)logit_shares(normal({5, 6}, 1), e.norm, e.table);
        },
        {"(5, 6)", "(7, 8)"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)deciding_part(normal({6}, 1)); }, {"(6)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)deciding_part(normal({3, 1}, 1)); }, {"(3, 1)"}));
}

// --- what decided -----------------------------------------------------------------------------------------------------

// Characters a, b, c: the logits are 18, 17.5 and 4. The lead of a over b is 0.5 - 4 + 3 + 1.
const Tensor three = Tensor::from({4, 3}, {10, 9.5f, 9,  //
                                           1, 5, 0,      //
                                           5, 2, 1,      //
                                           2, 1, -6});

TEST(logit_shares, the_part_that_decides_is_not_the_one_with_the_largest_share) {
    EXPECT_EQ(deciding_part(three), 2u);
}

TEST(logit_shares, what_raises_all_logits_alike_decides_nothing) {
    EXPECT_EQ(deciding_part(three + Tensor::from({4, 1}, {0, 0, 0, 100})), 2u);
}

TEST(logit_shares, the_two_likeliest_characters_are_found_by_their_logits) {
    // The same parts, the characters as c, a, b.
    const Tensor turned = concat({slice(three, 1, 2, 3), slice(three, 1, 0, 1), slice(three, 1, 1, 2)}, 1);
    EXPECT_EQ(deciding_part(turned), 2u);
}

TEST(logit_shares, the_rival_is_the_same_character_for_all_parts) {
    // The logits are 9, 6.5 and -13: b is the rival, although the first part gives c more.
    EXPECT_EQ(deciding_part(Tensor::from({4, 3}, {4, 0, 6,     //
                                                  3, 1, -20,   //
                                                  2, 5.5f, 1,  //
                                                  0, 0, 0})),
              0u);
}

TEST(logit_shares, beta_decides_like_any_other_part) {
    EXPECT_EQ(deciding_part(Tensor::from({3, 2}, {1, 2, 3, 2, 5, 1})), 2u);
}

TEST(logit_shares, of_equal_parts_the_first_decides) {
    EXPECT_EQ(deciding_part(Tensor::from({3, 2}, {1, 1, 2, 0, 2, 0})), 1u);
}

std::size_t reference_deciding_part(const Tensor& shares) {
    const std::vector<std::size_t> best = largest_of(sum(shares, 0).values(), 2);
    std::size_t decided = 0;
    const auto lead = [&](std::size_t part) {
        return shares.at({part, best[0]}) - shares.at({part, best[1]});
    };
    for (std::size_t part = 1; part < shares.size(0); ++part)
        if (lead(part) > lead(decided)) decided = part;
    return decided;
}

TEST(logit_shares, the_part_that_decides_in_tables_of_random_shares) {
    std::vector<std::size_t> found, expected;
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
        const Tensor shares = normal({5, 4}, seed);
        found.push_back(deciding_part(shares));
        expected.push_back(reference_deciding_part(shares));
    }
    EXPECT_EQ(found, expected);
}

// --- the recording ----------------------------------------------------------------------------------------------------

TEST(logit_shares, find_the_sublayers_that_decided_in_the_recording) {
    // "HOR" T, "Believ" e, "KATHARINA" :, "brin" g, "ever" space, "oat" h
    const std::vector<std::pair<std::size_t, std::string>> decided{
        {44, "block 1, feed-forward"}, {40, "block 2, feed-forward"}, {5, "block 3, attention"},
        {21, "block 3, feed-forward"}, {26, "block 4, attention"},    {7, "block 4, feed-forward"}};
    for (const auto& [position, name] : decided) {
        const RecordedStream stream = recorded_stream(position);
        const std::size_t part = deciding_part(logit_shares(stream.parts, stream.norm, stream.table));
        ASSERT_LT(part, stream.names.size());
        EXPECT_EQ(stream.names[part], name) << stream.text;
    }
}

TEST(given_recorded_stream, refuses_a_position_that_is_not_there) {
    EXPECT_EQ(recorded_stream(recorded_streams - 1).names.back(), "beta");
    EXPECT_TRUE(refuses<ValueError>([] { (void)recorded_stream(50); }, {"50"}));
}

}  // namespace
}  // namespace tfs::test
