// tests/01_attention/head_by_hand_test.cpp · puzzle head_by_hand: where the last word looks, and what it reads there
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "chapters/01_attention/models/feature_words.hpp"
#include "common/text/words.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

constexpr float enough = 0.9f;

// What the last word of a sentence does.
struct LastWord {
    std::vector<float> weights, output;
    Array all;  // the weights of all words
};

LastWord last_word(const HandMadeHead& head, const Tokens& sentence) {
    const SelfAttention attention = as_attention(head);
    const Tensor x = features_of(sentence);
    // Attention in its own words, so that no check of this step needs another step.
    const Tensor scores = matmul(attention.w_q(x), attention.w_k(x), Transpose::b) /
                          std::sqrt(static_cast<float>(attention.w_q.weight.size(0)));
    const Tensor e = exp(scores - max(scores, -1, KeepDims::yes));
    const Tensor weights = e / sum(e, -1, KeepDims::yes);
    const auto last_row = [](const Tensor& t) {
        const Tensor row = slice(t, 1, t.size(1) - 1, t.size(1));
        return std::vector<float>(row.values().begin(), row.values().end());
    };
    return {last_row(weights), last_row(matmul(weights, attention.w_v(x))), weights.array()};
}

const std::vector<std::string> adjectives = {"tired", "hungry", "sleepy", "soft", "wooden", "broken"};

Tokens with_end(const std::string& beginning, const std::string& adjective) {
    return split_words(beginning + " because it was " + adjective);
}

std::vector<Tokens> two_nouns_in_either_order() {
    std::vector<Tokens> all;
    for (const std::string being : {"cat", "dog", "child", "mouse"})
        for (const std::string thing : {"mat", "box", "chair", "table"})
            for (const std::string& adjective : adjectives) {
                all.push_back(with_end("the " + being + " slept on the " + thing, adjective));
                all.push_back(with_end("the " + thing + " stood near the " + being, adjective));
            }
    return all;
}

std::vector<Tokens> one_noun_among_several_of_the_other_kind() {
    std::vector<Tokens> all;
    for (const std::string& adjective : adjectives)
        all.push_back(with_end(has_feature(adjective, "animate")
                                   ? "the mat and the box lay near the table and the dog waited on the chair"
                                   : "the cat and the dog slept and the child and the mouse sat on the chair",
                               adjective));
    return all;
}

testing::AssertionResult looks_at_its_noun(const HandMadeHead& head, const Tokens& sentence) {
    const auto [weights, output, all] = last_word(head, sentence);
    const std::size_t noun = noun_spoken_of(sentence);
    if (weights[noun] >= enough) return testing::AssertionSuccess();
    const std::size_t most =
        static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    return testing::AssertionFailure()
           << fmt::format(
                  "in \"{}\" the last word gives {} a weight of {:.2f}; 0.90 are wanted. It looks most at {} "
                  "({:.2f}). The weights of all words: {:.2f}",
                  fmt::join(sentence, " "), sentence[noun], weights[noun], sentence[most], weights[most],
                  fmt::join(weights, ", "))
           << came(all, {});
}

TEST(head_by_hand, finds_cat_for_tired_and_mat_for_soft) {
    const HandMadeHead head = head_by_hand();
    ASSERT_TRUE(looks_at_its_noun(head, with_end("the cat sat on the mat", "tired")));
    EXPECT_TRUE(looks_at_its_noun(head, with_end("the cat sat on the mat", "soft")));
}

TEST(head_by_hand, finds_every_noun_in_either_order) {
    const HandMadeHead head = head_by_hand();
    for (const Tokens& sentence : two_nouns_in_either_order()) ASSERT_TRUE(looks_at_its_noun(head, sentence));
}

TEST(head_by_hand, finds_one_noun_among_several_of_the_other_kind) {
    const HandMadeHead head = head_by_hand();
    for (const Tokens& sentence : one_noun_among_several_of_the_other_kind())
        ASSERT_TRUE(looks_at_its_noun(head, sentence));
}

TEST(head_by_hand, reads_what_the_noun_is) {
    const HandMadeHead head = head_by_hand();
    for (const std::string& adjective : adjectives) {
        const Tokens sentence = with_end("the cat sat on the mat", adjective);
        const std::vector<float> output = last_word(head, sentence).output;
        ASSERT_EQ(output.size(), 2U) << "w_v must have two rows: animate and thing";
        const bool animate = has_feature(adjective, "animate");
        const float first = animate ? 1.0f : 0.0f, second = 1.0f - first;
        const std::string came = fmt::format(
            "in \"{}\" the output of the last word is ({:.2f}, {:.2f}); ({:.0f}, {:.0f}) is wanted",
            fmt::join(sentence, " "), output[0], output[1], first, second);
        EXPECT_NEAR(output[0], first, 0.2f) << came;
        EXPECT_NEAR(output[1], second, 0.2f) << came;
    }
}

}  // namespace
}  // namespace tfs::test
