// tests/01_attention/head_by_hand_test.cpp · puzzle head_by_hand: where the last word looks, and what it reads there
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "chapters/01_attention/models/feature_words.hpp"
#include "common/text/words.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

constexpr float enough = 0.9f;

// What the last word of a sentence does.
struct LastWord {
    std::vector<float> weights, output;
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
    return {last_row(weights), last_row(matmul(weights, attention.w_v(x)))};
}

bool finds_noun(const HandMadeHead& head, const Tokens& sentence) {
    return last_word(head, sentence).weights[noun_spoken_of(sentence)] >= enough;
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

bool finds_every_noun(const HandMadeHead& head) {
    const auto finds = [&](const Tokens& sentence) { return finds_noun(head, sentence); };
    return std::ranges::all_of(one_noun_among_several_of_the_other_kind(), finds) &&
           std::ranges::all_of(two_nouns_in_either_order(), finds);
}

// How many times the factor is enough, if a larger one is all that this sentence needs; empty if it is not.
std::string larger_factor_that_is_enough(const HandMadeHead& head, const Tokens& sentence) {
    std::string for_this_noun;
    for (const float more : {1.25f, 1.5f, 2.0f, 2.5f, 3.0f, 4.0f, 5.0f, 7.0f, 10.0f, 20.0f, 50.0f, 100.0f}) {
        HandMadeHead decided = head;
        decided.factor *= more;
        if (!finds_noun(decided, sentence)) continue;
        if (finds_every_noun(decided)) return fmt::format("{} times as much is enough for all nouns", more);
        if (for_this_noun.empty())
            for_this_noun = fmt::format("{} times as much is enough for this noun", more);
    }
    return for_this_noun;
}

// A cause is told where it was tried: the same head with one thing changed does it.
std::string why_not(const HandMadeHead& head, const Tokens& sentence) {
    if (head.w_q.shape() == head.w_k.shape()) {
        HandMadeHead exchanged = head;
        std::swap(exchanged.w_q, exchanged.w_k);
        if (finds_noun(exchanged, sentence))
            return "w_q and w_k are exchanged: w_q says what a word looks for, w_k how it is found";
    }
    const std::string larger = larger_factor_that_is_enough(head, sentence);
    if (!larger.empty()) return "the factor is too small: " + larger;
    HandMadeHead opposite = head;
    opposite.factor = -100.0f * head.factor;
    if (finds_noun(opposite, sentence)) return "the sign is wrong: the right noun has the lowest score";
    const std::vector<float> weights = last_word(head, sentence).weights;
    const float largest = *std::max_element(weights.begin(), weights.end());
    if (*std::min_element(weights.begin(), weights.end()) > 0.999f * largest)
        return "all scores of the last word are equal: its query is 0, or it is orthogonal to all keys";
    float of_nouns = 0.0f;
    for (std::size_t i = 0; i < sentence.size(); ++i)
        if (has_feature(sentence[i], "noun")) of_nouns = std::max(of_nouns, weights[i]);
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        if (weights[i] < 0.999f * largest || has_feature(sentence[i], "noun")) continue;
        if (of_nouns < 0.999f * largest)
            return fmt::format(
                "\"{}\", which is no noun, gets more than any noun: which features do the query of \"{}\" "
                "and "
                "the key of \"{}\" have in common? w_q and w_k choose them",
                sentence[i], sentence.back(), sentence[i]);
        return fmt::format(
            "\"{}\", which is no noun, gets as much as any noun: for the query of \"{}\" both keys fit "
            "equally "
            "well. Which of their features differ, and does the product q · k count one that does?",
            sentence[i], sentence.back());
    }
    return weights[noun_spoken_of(sentence)] < 0.999f * largest
               ? "the head looks for the other kind of noun"
               : "nouns of both kinds get the same: the query of an adjective must say which kind it looks "
                 "for";
}

testing::AssertionResult looks_at_its_noun(const HandMadeHead& head, const Tokens& sentence) {
    const std::vector<float> weights = last_word(head, sentence).weights;
    const std::size_t noun = noun_spoken_of(sentence);
    if (weights[noun] >= enough) return testing::AssertionSuccess();
    const std::size_t most =
        static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    const std::string cause = why_not(head, sentence);
    return testing::AssertionFailure()
           << fmt::format(
                  "in \"{}\" the last word gives {} a weight of {:.2f}; 0.90 are wanted. It looks most at {} "
                  "({:.2f})",
                  fmt::join(sentence, " "), sentence[noun], weights[noun], sentence[most], weights[most])
           << likely_if(!cause.empty(), cause);
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
        const auto near = [](float a, float b) { return std::abs(a - b) <= 0.2f; };
        ASSERT_TRUE(near(output[0], first) && near(output[1], second))
            << fmt::format(
                   "in \"{}\" the output of the last word is ({:.2f}, {:.2f}); ({:.0f}, {:.0f}) is wanted",
                   fmt::join(sentence, " "), output[0], output[1], first, second)
            << likely_if(finds_noun(head, sentence) && near(output[0], second) && near(output[1], first),
                         "the rows of w_v are exchanged: the first passes on animate, the second thing")
            << likely_if(finds_noun(head, sentence) && output[0] > first + 0.2f &&
                             near(output[0] - first, output[1] - second),
                         "w_v passes on what both kinds of noun have, beside the kind: both numbers are too "
                         "large")
            << likely_if(finds_noun(head, sentence) && near(output[0], output[1]),
                         "w_v passes on what both kinds of noun have; its first row reads animate, its "
                         "second thing")
            << likely_if(!finds_noun(head, sentence),
                         "the last word does not look at its noun yet; that comes first");
    }
}

}  // namespace
}  // namespace tfs::test
