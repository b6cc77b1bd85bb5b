// tests/09_transformer/greedy_test.cpp · step greedy: PyTorch's texts, where they end, properties
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/09_transformer/checklist.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Tokens = std::vector<std::int64_t>;

// --- greedy_token -----------------------------------------------------------------------------------------------

// Four positions. The largest logit is that of token 0 at the first one, of 5 at the second and in all, of 1 before the last,
// of 2 at the last; the sums over the positions are largest for 7.
const Tensor four_positions = Tensor::from({1, 4, 8}, {5, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 9,  0,  4,
                                                       0, 6, 0, 0, 0, 0, 0, 5, 1, 2, 4, 3, 1, -1, -3, 0});

Tensor one_position(const std::vector<float>& logits) { return Tensor::from({1, 1, logits.size()}, logits); }

TEST(greedy, greedy_token_takes_the_largest_logit_of_the_last_position) {
    EXPECT_EQ(greedy_token(four_positions), 2) << "of four positions";
    EXPECT_EQ(greedy_token(Tensor::from({1, 2, 3}, {nan, nan, nan, 1, 2, 3})), 2)
        << "of the positions before the last, nothing counts";
}

TEST(greedy, greedy_token_takes_any_token) {
    EXPECT_EQ(greedy_token(one_position({0.9f, 0.1f, 0.7f})), 0);
    EXPECT_EQ(greedy_token(one_position({0.1f, 0.9f, 0.7f})), 1);
    EXPECT_EQ(greedy_token(one_position({0.1f, 0.7f, 0.9f})), 2);
    EXPECT_EQ(greedy_token(one_position({0, 1e-9f, 0})), 1) << "logits that are close";
    EXPECT_EQ(greedy_token(one_position({-2e9f, -1e9f, -3e9f})), 1) << "all logits are negative";
    EXPECT_EQ(greedy_token(one_position({-5, -5, -4})), 2) << "all logits are negative";
    EXPECT_EQ(greedy_token(one_position({-infinity, -2, -infinity})), 1);
    EXPECT_EQ(greedy_token(one_position({1, 2, infinity})), 2) << "+inf is the largest";
}

TEST(greedy, greedy_token_takes_the_first_of_equal_logits) {
    EXPECT_EQ(greedy_token(one_position({1, 3, 3, 0, 3})), 1);
}

TEST(greedy, greedy_token_refuses_what_has_no_largest_logit) {
    EXPECT_EQ(greedy_token(one_position({-1})), 0) << "of one token";
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)greedy_token(Tensor::zeros({2, 3, 4})); }, {"(2, 3, 4)"}));
    const Tensor logits = one_position({1, nan, 3});
    EXPECT_TRUE(refuses<ValueError>([&] { (void)greedy_token(logits); }, {"NaN", "token 1"}));
}

// --- generate_greedy --------------------------------------------------------------------------------------------

const Tokens expected_text{3, 7, 10, 10, 9, 9, 9, 6, 9, 6};  // of PyTorch

Tokens first_of(const Tokens& tokens, std::size_t count) {
    return {tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(count)};
}

// A small GPT-2, as any function from ids to logits.
NextLogits next_logits() {
    return [m = golden_model("gpt2")](const Ids& ids) { return m(ids).logits; };
}

TEST(greedy, generate_greedy_continues_the_prompt_as_pytorch_does) {
    const NextLogits m = next_logits();
    ASSERT_EQ(list(golden_ids("gpt2.generated")), expected_text);
    for (const std::size_t count : {8u, 1u, 3u, 0u})
        EXPECT_EQ(list(generate_greedy(m, {{3, 7}}, count)), first_of(expected_text, 2 + count))
            << count << " new tokens";
    EXPECT_EQ(list(generate_greedy(m, {{10, 2}}, 8)), (Tokens{10, 2, 0, 1, 9, 9, 9, 6, 9, 6}))
        << "token 0 is like any other";
    EXPECT_EQ(list(generate_greedy(m, one_token(5), 5)), (Tokens{5, 9, 9, 9, 9, 9}))
        << "a prompt of one token";
}

// The largest logit is that of the next number; so it counts, and reads no network.
TEST(greedy, generate_greedy_goes_on_with_any_function_of_the_ids) {
    const NextLogits counts = [](const Ids& ids) {
        std::vector<float> logits(ids.size() * 9, 0.0f);
        logits[(ids.size() - 1) * 9 + ids.size() % 9] = 1.0f;
        return Tensor::from({1, ids.size(), 9}, logits);
    };
    EXPECT_EQ(list(generate_greedy(counts, {{8, 8}}, 5)), (Tokens{8, 8, 2, 3, 4, 5, 6}));
}

TEST(greedy, generate_greedy_ends_after_the_end_token) {
    const NextLogits m = next_logits();
    const auto text = [&](const Ids& prompt, std::size_t count, std::int64_t end) {
        return list(generate_greedy(m, prompt, count, end));
    };
    EXPECT_EQ(text({{3, 7}}, 8, 9), first_of(expected_text, 5)) << "end_id 9";
    EXPECT_EQ(text({{3, 7}}, 3, 7), first_of(expected_text, 5)) << "an end token in the prompt ends nothing";
    EXPECT_EQ(text({{3, 7}}, 8, 4), expected_text) << "an end token that never comes";
    EXPECT_EQ(text({{10, 2}}, 8, 1), (Tokens{10, 2, 0, 1})) << "token 0 ends nothing";
    EXPECT_EQ(text({{10, 2}}, 8, 0), (Tokens{10, 2, 0})) << "end_id 0";
}

TEST(greedy, generate_greedy_refuses_what_can_not_be_continued) {
    EXPECT_EQ(generate_greedy(next_logits(), {{3, 7, 1}}, 1).size(), 4u);
    EXPECT_TRUE(refuses<ShapeError>([] { (void)generate_greedy(next_logits(), three_rows, 1); }, {"(3, 7)"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)generate_greedy(NextLogits(), one_token(3), 1); },
                                    {"model", "empty"}));
}

}  // namespace
}  // namespace tfs::test
