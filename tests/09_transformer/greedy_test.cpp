// tests/09_transformer/greedy_test.cpp · step greedy: PyTorch's values, properties, diagnosis
#include "tests/09_transformer/greedy_suspects.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tests/09_transformer/large_arrays.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// --- greedy_token and generate_greedy -----------------------------------------------------------------------

std::int64_t greedy_of(const std::vector<float>& logits) {
    return greedy_token(Tensor::from({1, 1, logits.size()}, logits));
}

// Four positions. The largest logit is that of token 0 at the first one, of 5 at the second and in all, of 1 before the last,
// of 2 at the last; the sums over the positions are largest for 7.
const Tensor four_positions = Tensor::from({1, 4, 8}, {5, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 9,  0,  4,
                                                       0, 6, 0, 0, 0, 0, 0, 5, 1, 2, 4, 3, 1, -1, -3, 0});

// Else the checks of greedy_token say why not.
testing::AssertionResult the_token_is_right() {
    if (greedy_token(four_positions) == 2 && greedy_of({0.9f, 0.1f, 0.7f}) == 0)
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << "the loops can be checked when greedy_token is right";
}

TEST(greedy, greedy_token_takes_the_largest_logit_of_the_last_position) {
    const std::int64_t token = greedy_token(four_positions);
    const std::string last = "; only the LAST position predicts what comes next";
    EXPECT_EQ(token, 2)
        << likely_if(token == 0, "this is the token of the first position" + last)
        << likely_if(token == 1,
                     "the logits are shifted by one: this is the token of the position before the "
                     "last" +
                         last)
        << likely_if(token == 5, "this is the token of the largest logit of all positions" + last)
        << likely_if(token == 7, "the logits of all positions are added" + last)
        << likely_if(token > 8, "an index into all logits: it counts the positions before as well")
        << likely_if(token == 6, "this is the token with the smallest logit")
        << likely_if(token == 4, "this is the largest logit itself; its index is the token")
        << likely_if(token == 3, "this is one more than the index of the largest logit; tokens begin at 0");
    if (token != 2 || greedy_of({0.1f, 0.9f, 0.7f}) != 1) return;  // then the next check says why
    const std::int64_t equal = greedy_token(Tensor::from({1, 1, 4}, {-2e9f, -1e9f, -1e9f, -3e9f}));
    EXPECT_EQ(equal, 1) << "of equal ones the smallest id; and logits may all be negative"
                        << likely_if(equal == 2, "of equal logits this is the last one")
                        << likely_if(equal == 3, "this is the token of the largest absolute value")
                        << likely_if(equal == 0,
                                     "the search begins with a number, such as 0, and all logits "
                                     "may be smaller: begin with the first logit");
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)greedy_token(Tensor::zeros({2, 3, 4})); }, {"(2, 3, 4)"}));
}

TEST(greedy, greedy_token_takes_any_token) {
    const std::int64_t first = greedy_of({0.9f, 0.1f, 0.7f}), middle = greedy_of({0.1f, 0.9f, 0.7f}),
                       last = greedy_of({0.1f, 0.7f, 0.9f});
    const bool one_of_all = first == middle && middle == last && greedy_token(four_positions) == 2;
    EXPECT_EQ(first, 0) << likely_if(first == 2 && middle == 1,
                                     "token 0 is never chosen: the search leaves out the first logit");
    EXPECT_EQ(middle, 1) << likely_if(
        one_of_all, "the logits are cut to whole numbers before they are compared: keep them in float");
    EXPECT_EQ(last, 2) << likely_if(first == 0 && last == 1,
                                    "the last token is never chosen: the search leaves out the last logit");
    const bool right = first == 0 && middle == 1 && last == 2;
    EXPECT_EQ(greedy_of({0, 1e-9f, 0}), 1) << likely_if(
        right,
        "logits that are close are taken for equal, as their probabilities are: compare the logits "
        "themselves");
}

TEST(greedy, greedy_token_refuses_a_logit_that_is_not_a_number) {
    EXPECT_EQ(greedy_of({-infinity, -2, -infinity}), 1);
    EXPECT_EQ(greedy_of({1, 2, infinity}), 2) << "+inf is the largest";
    EXPECT_EQ(greedy_token(Tensor::from({1, 2, 3}, {nan, nan, nan, 1, 2, 3})), 2)
        << "of the positions before the last, nothing counts";
    for (std::size_t at = 0; at < 3; ++at) {
        std::vector<float> logits{1, 2, 3, 1, 2, 3};
        logits[3 + at] = nan;
        EXPECT_TRUE(refuses<ValueError>(
            [&] {
                (void)greedy_token(Tensor::from({1, 2, 3}, logits));
            },
            {"NaN", fmt::format("token {}", at)}, "a NaN among the logits"));
    }
}

TEST(greedy, generate_greedy_continues_the_prompt_as_pytorch_does) {
    const Transformer m = golden_model("gpt2", 0.5);  // generating is no training: nothing is dropped
    const Ids prompt = golden_ids("gpt2.prompt");
    ASSERT_TRUE(generates([&] { (void)generate_greedy(m, prompt, 8); }));
    const auto found = list(generate_greedy(m, prompt, 8)),
               expected = list(golden_ids("gpt2.generated"));  // 3 7 | 10 10 9 9 9 6 9 6
    const auto without_dropout = list(generate_greedy(golden_model("gpt2"), prompt, 8));
    const auto part = [&](std::size_t begin, std::size_t end) { return part_of(expected, begin, end); };
    const bool greedy = bool(the_token_is_right());
    EXPECT_EQ(found, expected)
        << (greedy ? cause_of_tokens(m, prompt, found) : "")
        << likely_if(found == part(2, 10), "the prompt is missing: the result begins with it")
        << likely_if(found == part(0, 8),
                     "the loop ends at new_tokens tokens in all; the prompt does not count")
        << likely_if(found == part(0, 3),
                     "each token is appended to the prompt, and the one before it is lost")
        << likely_if(found.size() == 2, "the last token is replaced; the new one is appended")
        << likely_if(found.size() == 10 && part_of(found, 8, 10) == part(0, 2),
                     "the new tokens stand in front of the prompt")
        << likely_if(found.size() == 11 && part_of(found, 0, 10) == expected, "this is one token too many")
        << likely_if(found == part(0, 9),
                     list(generate_greedy(m, prompt, 7)) == found ? room_left : "this is one token too few")
        << likely_if(found != expected && without_dropout == expected, dropout_is_on);
    const auto none = list(generate_greedy(m, prompt, 0));
    EXPECT_EQ(none, list(prompt)) << likely_if(found == expected && none == part(0, 3), one_always);
}

TEST(greedy, generate_greedy_ends_after_the_end_token) {
    const Transformer m = golden_model("gpt2");
    const Ids prompt = golden_ids("gpt2.prompt");
    const auto whole = list(golden_ids("gpt2.generated"));  // 3 7 | 10 10 9 9 9 6 9 6
    const auto cut = [&](std::size_t n) { return part_of(whole, 0, n); };
    const auto found = list(generate_greedy(m, prompt, 8, 9));
    ASSERT_EQ(found, cut(5))
        << likely_if(found == cut(4), "the end token is not added: it belongs to the text")
        << likely_if(found == cut(6), "one more token follows the end token")
        << likely_if(found == whole, "end_id is not looked at")
        << likely_if(found.size() == whole.size() && found != whole && part_of(found, 0, 5) == cut(5),
                     "the text goes on after the end token; it ends there, however long it is");
    const auto behind = list(generate_greedy(m, prompt, 3, 7));
    EXPECT_EQ(behind, cut(5)) << likely_if(behind.size() < 5 && list(generate_greedy(m, prompt, 3)) == cut(5),
                                           "an end token in the prompt ends the text; only a new one does");
}

TEST(greedy, generate_greedy_takes_token_0_like_any_other) {
    ASSERT_TRUE(the_token_is_right());
    const Transformer m = golden_model("gpt2");
    const Ids prompt{{10, 2}};
    const auto whole = right_text(m, prompt);  // 10 2 | 0 1 9 9 9 6 9 6
    ASSERT_EQ(whole[2], 0);
    const auto found = list(generate_greedy(m, prompt, 8));
    ASSERT_EQ(found, whole) << likely_if(found == part_of(whole, 0, 3) || found == part_of(whole, 0, 2),
                                         "token 0 ends the text although no end_id is given");
    ASSERT_EQ(list(generate_greedy(m, prompt, 8, 1)), part_of(whole, 0, 4));
    const auto ended = list(generate_greedy(m, prompt, 8, 0));
    EXPECT_EQ(ended, part_of(whole, 0, 3)) << likely_if(
        ended == whole, "end_id 0 is taken for none; compare the token with the optional itself");
}

TEST(greedy, generate_greedy_refuses_what_can_not_be_continued) {
    const Transformer m = golden_model("gpt2");
    const Ids prompt{{3, 7, 1}};
    ASSERT_EQ(generate_greedy(m, prompt, 7).size(), 10u) << "3 and 7 are max_len: that fits";
    EXPECT_TRUE(refuses<ValueError>([&] { (void)generate_greedy(m, prompt, 8); }, {"3", "8", "10"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)generate_greedy(m, three_rows, 1); }, {"(3, 7)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)generate_greedy(m, prompt, 1, 11); }, {"end_id 11", "10"}));
    EXPECT_TRUE(
        refuses<ValueError>([&] { (void)generate_greedy(golden_model("bert"), prompt, 1); }, {"an encoder"}));
}

// --- translate_greedy ----------------------------------------------------------------------------------------

// The first sentence, padding included.
Ids golden_source() {
    const Ids all = golden_ids("original.source");
    Ids source = Ids::from_shape({1, all.shape()[1]});
    std::copy_n(all.begin(), source.size(), source.begin());
    return source;
}

// Else the first check says why not.
testing::AssertionResult writes_the_golden_target() {
    const auto found = list(translate_greedy(golden_model("original"), golden_source(), 1, 8));
    if (found == list(golden_ids("original.translated"))) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "the target is not that of PyTorch";
}

TEST(greedy, translate_greedy_writes_what_pytorch_writes) {
    ASSERT_TRUE(the_token_is_right());
    const Transformer m = golden_model("original", 0.5);  // generating is no training: nothing is dropped
    const Ids source = golden_source();
    const auto whole = list(golden_ids("original.translated"));  // 1 | 5 5 4 10 10 10 10 10
    const auto cut = [&](std::size_t n) { return part_of(whole, 0, n); };
    ASSERT_TRUE(generates([&] { (void)translate_greedy(m, source, 1, 8); }));
    const auto found = list(translate_greedy(m, source, 1, 8));
    const auto without_dropout = list(translate_greedy(golden_model("original"), source, 1, 8));
    EXPECT_EQ(found, whole) << cause_of_translation(m, source, found)
                            << likely_if(found.size() == 10 && found[0] == 1 && found[1] == 1,
                                         "start_id stands there twice: the target already begins with it")
                            << likely_if(found.size() == 10 && part_of(found, 0, 9) == whole,
                                         "this is one token too many")
                            << likely_if(found.size() == 9 && found[0] != 1 && found[8] == 1,
                                         "the new tokens stand in front of start_id; they are appended")
                            << likely_if(found == cut(6) || found == cut(7),
                                         "the target is no longer than the source; new_tokens and end_id "
                                         "alone say where it ends")
                            << likely_if(found == cut(8),
                                         "this is one token too few: start_id is none of the new ones")
                            << likely_if(found != whole && without_dropout == whole, dropout_is_on);
    const auto none = list(translate_greedy(m, source, 1, 0));
    EXPECT_EQ(none, cut(1)) << likely_if(found == whole && none == cut(2), one_always);
}

TEST(greedy, translate_greedy_begins_with_start_id_alone) {
    ASSERT_TRUE(the_token_is_right());
    const Transformer m = golden_model("original");
    const Ids source = golden_source();
    const auto whole = list(golden_ids("original.translated"));
    const auto few = list(translate_greedy(m, source, 1, 2));
    EXPECT_EQ(few, part_of(whole, 0, 3))
        << likely_if(few == part_of(whole, 1, 3), "the start token is lost: the target begins with it")
        << likely_if(few.size() == 8, "the target begins with the source; it begins with start_id alone");
    const auto other = list(translate_greedy(m, source, 3, 8)), right = right_translation(m, source, 3);
    EXPECT_EQ(other, right) << likely_if(other == whole,
                                         "the target begins with token 1 whatever start_id is");
}

TEST(greedy, translate_greedy_ends_after_the_end_token) {
    ASSERT_TRUE(the_token_is_right());
    const Transformer m = golden_model("original");
    const Ids source = golden_source();
    const auto whole = list(golden_ids("original.translated"));  // 1 | 5 5 4 10 10 10 10 10
    const auto cut = [&](std::size_t n) { return part_of(whole, 0, n); };
    const auto ended = list(translate_greedy(m, source, 1, 8, 10));
    EXPECT_EQ(ended, cut(5))
        << likely_if(ended == cut(4), "the end token is not added: it belongs to the target")
        << likely_if(ended == cut(6), "one more token follows the end token")
        << likely_if(ended == whole, "end_id is not looked at")
        << likely_if(ended.front() == 10, "the target begins with end_id; it begins with start_id")
        << likely_if(ended.size() == 9 && ended != whole && part_of(ended, 0, 5) == cut(5),
                     "the target goes on after the end token; it ends there, however long it is");
    const auto begun = list(translate_greedy(m, source, 1, 3, 1));
    EXPECT_EQ(begun, cut(4)) << likely_if(
        begun == cut(1), "a start token that is the end token ends the target; only a new token does");
}

// The decoder writes the start token again, and token 0, which is padding in the source.
TEST(greedy, translate_greedy_ends_at_no_other_token) {
    ASSERT_TRUE(the_token_is_right());
    const Transformer m = golden_model("original");
    ASSERT_TRUE(writes_the_golden_target());
    const Ids source{{1, 2, 5}};
    const auto again = right_translation(m, source, 2);  // 2 | 2 2 2 9 9 9 9 7
    ASSERT_EQ(again[1], 2);
    const auto found_again = list(translate_greedy(m, source, 2, 8));
    ASSERT_EQ(found_again, again) << likely_if(
        found_again == part_of(again, 0, 2),
        "start_id ends the target; end_id alone does, where there is one");
    const auto whole = right_translation(m, source, 5);  // 5 | 0 2 2 9 9 9 9 7
    ASSERT_EQ(whole[1], 0);
    const auto found = list(translate_greedy(m, source, 5, 8));
    ASSERT_EQ(found, whole) << likely_if(found == part_of(whole, 0, 2),
                                         "token 0 ends the target although no end_id is given");
    ASSERT_EQ(list(translate_greedy(m, source, 5, 8, 9)), part_of(whole, 0, 5));
    const auto ended = list(translate_greedy(m, source, 5, 8, 0));
    EXPECT_EQ(ended, part_of(whole, 0, 2)) << likely_if(
        ended == whole, "end_id 0 is taken for none; compare the token with the optional itself");
}

// The arrays of a long source are large; those of so short a target are not.
TEST(greedy, translate_greedy_runs_the_encoder_once) {
    ASSERT_TRUE(the_token_is_right());
    TransformerConfig c = small_config(Architecture::encoder_decoder);
    c.block.max_len = 64;
    const Transformer m = made(c);
    const Ids source = all_ones(1, 64);
    const std::size_t bytes = sizeof(float) * source.size() * c.block.d_ff;
    ASSERT_TRUE(writes_the_golden_target());
    (void)translate_greedy(m, source, 1, 3);  // makes what is made once in a program
    const NoGrad no_grad;
    const std::size_t once = large_arrays_made(bytes, [&] { (void)m.encode(source); });
    ASSERT_GT(once, 0u);
    const std::size_t made_by_all =
        large_arrays_made(bytes, [&] { (void)translate_greedy(m, source, 1, 3); });
    const std::size_t runs = (made_by_all + once / 2) / once;
    EXPECT_EQ(runs, 1u) << "runs of the encoder for three tokens"
                        << likely_if(runs > 1,
                                     "the encoder runs again for every token: encode once, before the "
                                     "loop, and call decode in it");
}

TEST(greedy, translate_greedy_refuses_what_can_not_be_translated) {
    ASSERT_TRUE(the_token_is_right());
    const Transformer m = golden_model("original");
    const Ids source{{3, 7, 1}};
    const std::size_t length = translate_greedy(m, source, 1, 9).size();
    ASSERT_EQ(length, 10u) << "the start and 9 more are max_len: that fits"
                           << likely_if(length == 9 && writes_the_golden_target(), room_left);
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
