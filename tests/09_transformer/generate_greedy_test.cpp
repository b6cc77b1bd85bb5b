// tests/09_transformer/generate_greedy_test.cpp · step generate_greedy: PyTorch's values, properties, diagnosis
#include "tests/09_transformer/checklist.hpp"

#include <fmt/format.h>

#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

std::int64_t greedy_of(const std::vector<float>& logits) {
    return greedy_token(Tensor::from({1, 1, logits.size()}, logits));
}

// Four positions. The largest logit is that of token 0 at the first one, of 5 at the second and in all, of 1 before the last,
// of 2 at the last; the sums over the positions are largest for 7.
const Tensor four_positions = Tensor::from({1, 4, 8}, {5, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 9,  0,  4,
                                                       0, 6, 0, 0, 0, 0, 0, 5, 1, 2, 4, 3, 1, -1, -3, 0});

TEST(generate_greedy, takes_the_largest_logit_of_the_last_position) {
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
    if (token != 2 || greedy_of({0.1f, 0.9f, 0.7f}) != 1) return;  // then takes_any_token says why
    const std::int64_t equal = greedy_token(Tensor::from({1, 1, 4}, {-2e9f, -1e9f, -1e9f, -3e9f}));
    EXPECT_EQ(equal, 1) << "of equal ones the smallest id; and logits may all be negative"
                        << likely_if(equal == 2, "of equal logits this is the last one")
                        << likely_if(equal == 3, "this is the token of the largest absolute value")
                        << likely_if(equal == 0,
                                     "the search begins with a number, such as 0, and all logits "
                                     "may be smaller: begin with the first logit");
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)greedy_token(Tensor::zeros({2, 3, 4})); }, {"(2, 3, 4)"}));
}

TEST(generate_greedy, takes_any_token) {
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

TEST(generate_greedy, refuses_a_logit_that_is_not_a_number) {
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

// How the next token is found.
enum class Reads {
    all,
    prompt,
    last_token,
    last_token_in_its_place,
    position_before,
    first_position,
    hidden
};

Tensor scores_of(const Transformer& m, const Ids& prompt, const Ids& ids, Reads reads) {
    const std::size_t seq = ids.size();
    if (reads == Reads::prompt) return reference_logits(m, reference_hidden(m, prompt));
    if (reads == Reads::hidden) return reference_hidden(m, ids);
    if (reads == Reads::last_token)
        return reference_logits(m, reference_hidden(m, part_of(ids, seq - 1, seq)));
    if (reads == Reads::last_token_in_its_place) {
        const Tensor x = slice(embedded(m, ids), 1, seq - 1, seq);
        return reference_logits(m, std::get<Stack>(m.stack)(x).output);
    }
    const Tensor logits = reference_logits(m, reference_hidden(m, ids));
    const std::size_t length = reads == Reads::first_position ? 1 : reads == Reads::all ? seq : seq - 1;
    return slice(logits, 1, 0, length);
}

// Eight tokens; `first`: how the first of them is found.
std::vector<std::int64_t> generated(const Transformer& m, const Ids& prompt, Reads first, Reads then) {
    Ids ids = prompt;
    for (std::size_t i = 0; i < 8; ++i)
        ids = appended(ids, token_of_largest(scores_of(m, prompt, ids, i == 0 ? first : then)));
    return list(ids);
}

// What is wrong with the tokens, where greedy_token is right.
std::string cause_of_tokens(const Transformer& m, const Ids& prompt, const std::vector<std::int64_t>& found) {
    const std::vector<std::pair<Reads, std::string>> causes{
        {Reads::position_before, "logits shifted by one: the position before the last is read"},
        {Reads::first_position, "the first position is read, not the last"},
        {Reads::hidden, "the largest of `hidden`, not of the logits"},
        {Reads::prompt,
         "every token is read off the logits of the prompt alone; the model has to read the new tokens as "
         "well"},
        {Reads::last_token, "the model is run on the last token alone; it has to read all tokens so far"},
        {Reads::last_token_in_its_place,
         "the model is run on the last token alone, though at its position; it has to read all tokens so "
         "far"}};
    for (const auto& [reads, cause] : causes)
        if (found == generated(m, prompt, reads, reads) || found == generated(m, prompt, Reads::all, reads))
            return likely_if(true, cause);
    return {};
}

TEST(generate_greedy, continues_the_prompt_as_pytorch_does) {
    const Transformer m = golden_model("gpt2", 0.5);  // generating is no training: nothing is dropped
    const Ids prompt = golden_ids("gpt2.prompt");
    ASSERT_TRUE(generates([&] { (void)generate_greedy(m, prompt, 8); }));
    const auto found = list(generate_greedy(m, prompt, 8)),
               expected = list(golden_ids("gpt2.generated"));  // 3 7 | 10 10 9 9 9 6 9 6
    const auto without_dropout = list(generate_greedy(golden_model("gpt2"), prompt, 8));
    const auto part = [&](std::size_t begin, std::size_t end) { return part_of(expected, begin, end); };
    const bool greedy = greedy_token(four_positions) == 2;
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

TEST(generate_greedy, ends_after_the_end_token) {
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

TEST(generate_greedy, token_0_is_like_any_other) {
    ASSERT_EQ(greedy_token(four_positions), 2);
    const Transformer m = golden_model("gpt2");
    const Ids prompt{{10, 2}};
    const auto whole = generated(m, prompt, Reads::all, Reads::all);  // 10 2 | 0 1 9 9 9 6 9 6
    ASSERT_EQ(whole[2], 0);
    const auto found = list(generate_greedy(m, prompt, 8));
    ASSERT_EQ(found, whole) << likely_if(found == part_of(whole, 0, 3) || found == part_of(whole, 0, 2),
                                         "token 0 ends the text although no end_id is given");
    ASSERT_EQ(list(generate_greedy(m, prompt, 8, 1)), part_of(whole, 0, 4));
    const auto ended = list(generate_greedy(m, prompt, 8, 0));
    EXPECT_EQ(ended, part_of(whole, 0, 3)) << likely_if(
        ended == whole, "end_id 0 is taken for none; compare the token with the optional itself");
}

TEST(generate_greedy, refuses_what_can_not_be_continued) {
    const Transformer m = golden_model("gpt2");
    const Ids prompt{{3, 7, 1}};
    ASSERT_EQ(generate_greedy(m, prompt, 7).size(), 10u) << "3 and 7 are max_len: that fits";
    EXPECT_TRUE(refuses<ValueError>([&] { (void)generate_greedy(m, prompt, 8); }, {"3", "8", "10"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)generate_greedy(m, two_rows, 1); }, {"(2, 5)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)generate_greedy(m, prompt, 1, 11); }, {"end_id 11", "10"}));
    EXPECT_TRUE(
        refuses<ValueError>([&] { (void)generate_greedy(golden_model("bert"), prompt, 1); }, {"an encoder"}));
}

}  // namespace
}  // namespace tfs::test
