// tests/09_transformer/generate_greedy_test.cpp · step generate_greedy: PyTorch's values, properties, diagnosis
#include "tests/09_transformer/checklist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(generate_greedy, takes_the_largest_logit_of_the_last_position) {
    const Tensor logits = Tensor::from({1, 3, 4}, {5, 0, 0, 0, 0, 9, 0, 0, 1, 2, 4, 3});
    const std::int64_t token = greedy_token(logits);
    EXPECT_EQ(token, 2)
        << likely_if(token == 0,
                     "this is the token of the first position; the LAST one predicts what comes next")
        << likely_if(token == 1,
                     "this is the token of the position before the last, or of the largest logit of all "
                     "positions; only the LAST one predicts what comes next")
        << likely_if(token == 10 || token == 5,
                     "an index into all logits: it counts the positions before as well");
    const std::int64_t equal = greedy_token(Tensor::from({1, 1, 4}, {-3, -1, -1, -2}));
    EXPECT_EQ(equal, 1) << "of equal ones the smallest id; and logits may all be negative"
                        << likely_if(equal == 2, "of equal logits this is the last one")
                        << likely_if(equal == 0, "the search begins with 0, but all logits may be negative");
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)greedy_token(Tensor::zeros({2, 3, 4})); }, {"(2, 3, 4)"}));
}

TEST(generate_greedy, refuses_a_logit_that_is_not_a_number) {
    const float nan = std::numeric_limits<float>::quiet_NaN(),
                infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(greedy_token(Tensor::from({1, 1, 3}, {-infinity, -2, -infinity})), 1);
    EXPECT_EQ(greedy_token(Tensor::from({1, 2, 3}, {nan, nan, nan, 1, 2, infinity})), 2)
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

// The tokens of the golden model when each is taken from the position `back` before the last.
std::vector<std::int64_t> generated_from(const Transformer& m, Ids ids, std::size_t new_tokens,
                                         std::size_t back) {
    for (std::size_t i = 0; i < new_tokens; ++i) {
        const Tensor logits = reference_logits(m, reference_hidden(m, ids));
        const std::size_t at = logits.size(1) - 1 - std::min(back, logits.size(1) - 1);
        const auto row = logits.values().subspan(at * logits.size(2), logits.size(2));
        ids = appended(ids, std::max_element(row.begin(), row.end()) - row.begin());
    }
    return list(ids);
}

TEST(generate_greedy, continues_the_prompt_as_pytorch_does) {
    const Transformer m = golden_model("gpt2", 0.5);  // generating is no training: nothing is dropped
    const Ids prompt = golden_ids("gpt2.prompt");
    const auto found = list(generate_greedy(m, prompt, 8)), expected = list(golden_ids("gpt2.generated"));
    const auto again = [&] {  // the tokens when the model sees nothing but the prompt
        auto all = list(prompt);
        all.resize(expected.size(), generated_from(m, prompt, 1, 0).back());
        return all;
    };
    const auto without_dropout = list(generate_greedy(golden_model("gpt2"), prompt, 8));
    EXPECT_EQ(found, expected) << likely_if(found == generated_from(m, prompt, 8, 1),
                                            "logits shifted by one: the position before the last is read")
                               << likely_if(found == generated_from(m, prompt, 8, 99),
                                            "the first position is read, not the last")
                               << likely_if(found == std::vector(expected.begin() + 2, expected.end()),
                                            "the prompt is missing: the result begins with it")
                               << likely_if(
                                      found == again(),
                                      "the model is run on the prompt again and again; it has to read the "
                                      "new tokens as well")
                               << likely_if(found.size() == expected.size() + 1, "this is one token too many")
                               << likely_if(found.size() + 1 == expected.size(), "this is one token too few")
                               << likely_if(found != expected && without_dropout == expected, dropout_is_on);
    EXPECT_EQ(list(generate_greedy(m, prompt, 0)), list(prompt));
}

TEST(generate_greedy, ends_after_the_end_token) {
    const Transformer m = golden_model("gpt2");
    const Ids prompt = golden_ids("gpt2.prompt");
    const auto whole = list(golden_ids("gpt2.generated"));  // 3 7 | 10 10 9 9 9 6 9 6
    const auto cut = [&](long n) { return std::vector(whole.begin(), whole.begin() + n); };
    const auto found = list(generate_greedy(m, prompt, 8, 9));
    EXPECT_EQ(found, cut(5)) << likely_if(found == cut(4),
                                          "the end token is not added: it belongs to the text")
                             << likely_if(found == whole, "end_id is not looked at");
    EXPECT_EQ(list(generate_greedy(m, prompt, 3, 7)), cut(5)) << "an end token in the prompt ends nothing";
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
