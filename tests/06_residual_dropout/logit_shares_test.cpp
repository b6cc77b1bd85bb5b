// tests/06_residual_dropout/logit_shares_test.cpp · step logit_shares: shares that add up to the logits, and what decides between two characters
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "chapters/06_residual_dropout/given/recorded_stream.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/base/largest.hpp"
#include "tests/06_residual_dropout/wrong_choices.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Five parts of width 8, seven characters.
struct Example {
    Tensor parts = normal({5, 8}, 1) + 0.5f, table = normal({7, 8}, 2);
    FinalNorm norm{.gamma = normal({8}, 3) * 0.2f + 1.5f, .beta = normal({8}, 4), .deviation = 1.0f};

    Example() { norm.deviation = sqrt(variance(stream(), 0) + 1e-5f).item(); }
    Tensor stream() const { return sum(parts, 0); }
    Tensor rows(const Tensor& x) const { return matmul(x, table, Transpose::b); }
    Tensor beta() const { return reshape(norm.beta, {1, 8}); }
    Tensor with_beta(const Tensor& x) const { return concat({rows(x), rows(beta())}, 0); }
    Tensor centred() const { return parts - mean(parts, -1, KeepDims::yes); }
    Tensor of_parts() const { return rows(centred() / norm.deviation * norm.gamma); }
    Tensor expected() const { return concat({of_parts(), rows(beta())}, 0); }
    Tensor logits() const {
        return rows(reshape((stream() - mean(stream(), 0)) / norm.deviation * norm.gamma, {1, 8}) + beta());
    }
};

// What the mistakes give, whole. Those that forget the row of beta have one row less.
std::vector<Suspect> wrong_shares(const Example& e) {
    const Tensor own = sqrt(variance(e.parts, -1, KeepDims::yes) + 1e-5f);
    const std::string on_all =
        "beta is added to every part; the norm adds it once, so it has a row of its own";
    const std::string of_columns =
        "the mean over the parts is subtracted; the norm subtracts the mean over the features of each row";
    const std::string of_stream =
        "the mean of the whole stream is subtracted from each part; it is the sum of the means of the parts, "
        "so "
        "each part gives up its own one alone";
    return {
        {"the mean is not subtracted: the norm subtracts that of the stream, the sum of the means of its "
         "parts",
         [=] { return e.with_beta(e.parts / e.norm.deviation * e.norm.gamma); }},
        {"each part is divided by its own deviation; the norm divides the whole stream by one number, "
         "norm.deviation",
         [=] { return e.with_beta(e.centred() / own * e.norm.gamma); }},
        {"nothing is divided by norm.deviation", [=] { return e.with_beta(e.centred() * e.norm.gamma); }},
        {"norm.deviation is taken for a variance: it is the root already",
         [=] { return e.with_beta(e.centred() / std::sqrt(e.norm.deviation) * e.norm.gamma); }},
        {"this divides by the square of norm.deviation",
         [=] { return e.with_beta(e.centred() / (e.norm.deviation * e.norm.deviation) * e.norm.gamma); }},
        {"the shares of the parts are divided by the number of parts; a logit is their sum, not their mean",
         [=] {
             return concat({e.of_parts() / 5.0f, e.rows(e.beta())}, 0);
         }},
        {"the parts are multiplied by 1 + gamma; it must be gamma itself",
         [=] { return e.with_beta(e.centred() / e.norm.deviation * (e.norm.gamma + 1.0f)); }},
        {"beta is centred, too; the norm adds it at the end, as it is",
         [=] {
             return concat({e.of_parts(), e.rows(e.beta() - mean(e.beta(), -1, KeepDims::yes))}, 0);
         }},
        {"beta is spread over the parts; it must have a row of its own, the last",
         [=] {
             return concat({e.of_parts() + e.rows(e.beta()) / 5.0f, Tensor::zeros({1, 7})}, 0);
         }},
        {"gamma is missing", [=] { return e.with_beta(e.centred() / e.norm.deviation); }},
        {of_columns,
         [=] { return e.with_beta((e.parts - mean(e.parts, 0)) / e.norm.deviation * e.norm.gamma); }},
        {"the mean of all parts together is subtracted from each; each part has a mean of its own",
         [=] { return e.with_beta((e.parts - mean(e.parts)) / e.norm.deviation * e.norm.gamma); }},
        {of_stream,
         [=] {
             const Tensor of_all = mean(e.stream(), -1, KeepDims::yes);
             return e.with_beta((e.parts - of_all) / e.norm.deviation * e.norm.gamma);
         }},
        {"gamma is multiplied before the mean is subtracted; the norm centres first",
         [=] {
             const Tensor larger = e.parts * e.norm.gamma;
             return e.with_beta((larger - mean(larger, -1, KeepDims::yes)) / e.norm.deviation);
         }},
        {"beta is divided by the deviation; the norm adds it at the end, as it is",
         [=] {
             return concat({e.of_parts(), e.rows(e.beta() / e.norm.deviation)}, 0);
         }},
        {"beta is multiplied by gamma; the norm adds it at the end, as it is",
         [=] {
             return concat({e.of_parts(), e.rows(e.beta() * e.norm.gamma)}, 0);
         }},
        {"the row of beta comes first; it belongs after those of the parts",
         [=] {
             return concat({e.rows(e.beta()), e.of_parts()}, 0);
         }},
        {"beta is scaled as a part; the norm adds it at the end, as it is",
         [=] {
             const Tensor all = concat({e.centred(), e.beta()}, 0);
             return e.rows(all / e.norm.deviation * e.norm.gamma);
         }},
        {on_all, [=] {
             return concat({e.of_parts() + e.rows(e.beta()), e.rows(e.beta())}, 0);
         }}};
}

TEST(logit_shares, are_those_of_a_norm_that_divides_all_parts_by_one_number) {
    const Example e;
    const Tensor shares = logit_shares(e.parts, e.norm, e.table);
    const Tensor added = e.of_parts() + e.rows(e.beta());
    ASSERT_EQ(shares.shape(), (Shape{6, 7}))
        << likely_if(shares.shape() == Shape{5, 7} && close(shares, e.of_parts(), {1e-4, 1e-5}),
                     "the row of beta is missing: it comes after those of the parts")
        << likely_if(shares.shape() == Shape{5, 7} && close(shares, added, {1e-4, 1e-5}),
                     "beta is added to every part, and its own row is missing; the norm adds it once")
        << likely_if(shares.shape() == Shape{7, 6}, "rows and columns are exchanged: a row is a part");
    EXPECT_TRUE(close(shares, e.expected(), {1e-4, 1e-5}, wrong_shares(e)));
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
    EXPECT_TRUE(
        close(sum(logit_shares(e.parts, e.norm, e.table), 0), reshape(e.logits(), {7}), {1e-4, 1e-4}));
}

TEST(logit_shares, a_part_twice_as_large_has_twice_the_share_and_changes_no_other) {
    Example e;
    const Tensor before = logit_shares(e.parts, e.norm, e.table);
    e.parts = concat({slice(e.parts, 0, 0, 4), slice(e.parts, 0, 4, 5) * 2.0f}, 0);
    const Tensor after = logit_shares(e.parts, e.norm, e.table);
    ASSERT_EQ(after.shape(), (Shape{6, 7}));
    EXPECT_TRUE(close(slice(after, 0, 0, 4), slice(before, 0, 0, 4), {1e-5, 1e-5}));
    EXPECT_TRUE(close(slice(after, 0, 4, 5), slice(before, 0, 4, 5) * 2.0f, {1e-5, 1e-5}));
}

TEST(logit_shares, refuse_widths_that_do_not_fit) {
    const Example e;
    EXPECT_EQ(logit_shares(e.parts, e.norm, e.table).shape(), (Shape{6, 7}));
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
    EXPECT_TRUE(decides(three, 2));
}

TEST(logit_shares, what_raises_all_logits_alike_decides_nothing) {
    EXPECT_TRUE(decides(three + Tensor::from({4, 1}, {0, 0, 0, 100}), 2));
}

TEST(logit_shares, the_two_likeliest_characters_are_found_by_their_logits) {
    // The same parts, the characters as c, a, b.
    EXPECT_TRUE(decides(concat({slice(three, 1, 2, 3), slice(three, 1, 0, 1), slice(three, 1, 1, 2)}, 1), 2));
}

TEST(logit_shares, the_rival_is_the_same_character_for_all_parts) {
    // The logits are 9, 6.5 and -13: b is the rival, although the first part gives c more.
    EXPECT_TRUE(decides(Tensor::from({4, 3}, {4, 0, 6,     //
                                              3, 1, -20,   //
                                              2, 5.5f, 1,  //
                                              0, 0, 0}),
                        0));
}

TEST(logit_shares, beta_decides_like_any_other_part) {
    EXPECT_TRUE(decides(Tensor::from({3, 2}, {1, 2, 3, 2, 5, 1}), 2));
}

TEST(logit_shares, of_equal_parts_the_first_decides) {
    const Tensor equal = Tensor::from({3, 2}, {1, 1, 2, 0, 2, 0});
    EXPECT_TRUE(decides(equal, 1)) << likely_if(decides(three, 2) && deciding_part(equal) == 2,
                                                "of equal ones the first decides");
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

// The recording: of two parts none is so near to the other that rounding could exchange them.
TEST(given_recorded_stream, is_clear_about_the_part_that_decided) {
    for (std::size_t position = 0; position < recorded_streams; ++position) {
        const RecordedStream stream = recorded_stream(position);
        const Tensor shares = logit_shares(stream.parts, stream.norm, stream.table);
        const std::vector<std::size_t> best = largest_of(sum(shares, 0).values(), 2);
        ASSERT_EQ(best[0], stream.likeliest[0]) << fmt::format(
            "after \"{}\" (position {}) the columns of the shares add up to the largest logit at character "
            "{}, "
            "but the recorded decoder's likeliest character is {}",
            stream.text, position, best[0], stream.likeliest[0]);
        const Tensor lead = slice(shares, 1, best[0], best[0] + 1) - slice(shares, 1, best[1], best[1] + 1);
        const std::vector<std::size_t> first = largest_of(lead.values(), 2);
        ASSERT_GT(lead.values()[first[0]] - lead.values()[first[1]], 0.001f)
            << fmt::format("at position {} two parts give nearly the same to the lead", position);
    }
    EXPECT_TRUE(refuses<ValueError>([] { (void)recorded_stream(50); }, {"50"}));
}

}  // namespace
}  // namespace tfs::test
