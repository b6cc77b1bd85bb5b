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

TEST(greedy, generate_greedy_continues_the_prompt_as_pytorch_does) {
    const Transformer m = golden_model("gpt2");
    const Ids prompt = golden_ids("gpt2.prompt");
    ASSERT_EQ(list(golden_ids("gpt2.generated")), expected_text);
    for (const std::size_t count : {8u, 1u, 3u})
        EXPECT_EQ(list(generate_greedy(m, prompt, count)), first_of(expected_text, 2 + count))
            << count << " new tokens";
    EXPECT_EQ(list(generate_greedy(m, {{10, 2}}, 8)), (Tokens{10, 2, 0, 1, 9, 9, 9, 6, 9, 6}))
        << "token 0 is like any other";
    EXPECT_EQ(list(generate_greedy(m, one_token(5), 5)), (Tokens{5, 9, 9, 9, 9, 9}))
        << "a prompt of one token";
}

TEST(greedy, generate_greedy_of_no_new_tokens_gives_the_prompt) {
    EXPECT_EQ(list(generate_greedy(golden_model("gpt2"), {{3, 7, 1}}, 0)), (Tokens{3, 7, 1}));
}

TEST(greedy, generate_greedy_drops_nothing) {
    EXPECT_EQ(list(generate_greedy(golden_model("gpt2", 0.5), golden_ids("gpt2.prompt"), 8)), expected_text);
}

TEST(greedy, generate_greedy_ends_after_the_end_token) {
    const Transformer m = golden_model("gpt2");
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
    const Transformer m = golden_model("gpt2");
    const Ids prompt{{3, 7, 1}};
    EXPECT_EQ(generate_greedy(m, prompt, 7).size(), 10u) << "3 and 7 are max_len: that fits";
    EXPECT_TRUE(refuses<ValueError>([&] { (void)generate_greedy(m, prompt, 8); }, {"3", "8", "10"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)generate_greedy(m, three_rows, 1); }, {"(3, 7)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)generate_greedy(m, prompt, 1, 11); }, {"end_id 11", "10"}));
    EXPECT_TRUE(
        refuses<ValueError>([&] { (void)generate_greedy(golden_model("bert"), prompt, 1); }, {"an encoder"}));
}

// --- translate_greedy -------------------------------------------------------------------------------------------

const Tokens expected_target{1, 5, 5, 4, 10, 10, 10, 10, 10};  // of PyTorch

// The first sentence, padding included.
Ids golden_source() {
    const Ids all = golden_ids("original.source");
    return part_of_row(all, 0, 0, all.shape()[1]);
}

TEST(greedy, translate_greedy_writes_what_pytorch_writes) {
    const Transformer m = golden_model("original");
    ASSERT_EQ(list(golden_ids("original.translated")), expected_target);
    for (const std::size_t count : {8u, 1u, 2u})
        EXPECT_EQ(list(translate_greedy(m, golden_source(), 1, count)), first_of(expected_target, 1 + count))
            << count << " new tokens";
    EXPECT_EQ(list(translate_greedy(m, golden_source(), 3, 8)), (Tokens{3, 8, 8, 4, 10, 10, 10, 10, 10}));
    const Ids source{{1, 2, 5}};
    EXPECT_EQ(list(translate_greedy(m, source, 2, 8)), (Tokens{2, 2, 2, 2, 9, 9, 9, 9, 7}))
        << "start_id is written again";
    EXPECT_EQ(list(translate_greedy(m, source, 5, 8)), (Tokens{5, 0, 2, 2, 9, 9, 9, 9, 7}))
        << "token 0 is like any other";
}

TEST(greedy, translate_greedy_of_no_new_tokens_gives_start_id) {
    EXPECT_EQ(list(translate_greedy(golden_model("original"), golden_source(), 4, 0)), (Tokens{4}));
}

TEST(greedy, translate_greedy_drops_nothing) {
    EXPECT_EQ(list(translate_greedy(golden_model("original", 0.5), golden_source(), 1, 8)), expected_target);
}

TEST(greedy, translate_greedy_ends_after_the_end_token) {
    const Transformer m = golden_model("original");
    const auto target = [&](const Ids& source, std::int64_t start, std::size_t count, std::int64_t end) {
        return list(translate_greedy(m, source, start, count, end));
    };
    EXPECT_EQ(target(golden_source(), 1, 8, 10), first_of(expected_target, 5)) << "end_id 10";
    EXPECT_EQ(target(golden_source(), 1, 3, 1), first_of(expected_target, 4)) << "start_id ends nothing";
    EXPECT_EQ(target(golden_source(), 1, 8, 7), expected_target) << "an end token that never comes";
    EXPECT_EQ(target({{1, 2, 5}}, 5, 8, 9), (Tokens{5, 0, 2, 2, 9})) << "token 0 ends nothing";
    EXPECT_EQ(target({{1, 2, 5}}, 5, 8, 0), (Tokens{5, 0})) << "end_id 0";
}

// The arrays of a long source are large; those of so short a target are not.
TEST(greedy, translate_greedy_runs_the_encoder_once) {
    TransformerConfig c = small_config(Architecture::encoder_decoder);
    c.block.max_len = 64;
    const Transformer m = made(c);
    const Ids source = all_ones(1, 64);
    const std::size_t bytes = sizeof(float) * source.size() * c.block.d_ff;
    (void)translate_greedy(m, source, 1, 3);  // makes what is made once in a program
    const NoGrad no_grad;
    const std::size_t once = large_arrays_made(bytes, [&] { (void)m.encode(source); });
    ASSERT_GT(once, 0u);
    const std::size_t all = large_arrays_made(bytes, [&] { (void)translate_greedy(m, source, 1, 3); });
    EXPECT_EQ((all + once / 2) / once, 1u) << "runs of the encoder for three tokens";
}

TEST(greedy, translate_greedy_refuses_what_can_not_be_translated) {
    const Transformer m = golden_model("original");
    const Ids source{{3, 7, 1}};
    EXPECT_EQ(translate_greedy(m, source, 1, 9).size(), 10u) << "the start and 9 more are max_len: that fits";
    EXPECT_TRUE(
        refuses<ValueError>([&] { (void)translate_greedy(m, source, 1, 10); }, {"start_id", "max_len = 10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)translate_greedy(m, source, 11, 0); }, {"start_id 11"}));
    EXPECT_TRUE(
        refuses<ShapeError>([&] { (void)translate_greedy(m, three_rows, 1, 1); }, {"source", "(3, 7)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)translate_greedy(golden_model("gpt2"), source, 1, 1); },
                                    {"a decoder"}));
}

}  // namespace
}  // namespace tfs::test
