// tests/01_attention/head_by_hand_test.cpp · puzzle head_by_hand: where the last word looks, and what it reads there
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "chapters/01_attention/models/feature_words.hpp"
#include "common/text/tokenizer.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

constexpr float enough = 0.9f;

// What the last word of a sentence does.
struct LastWord {
    std::vector<float> scores, weights, output;
    std::vector<float> counts;  // what each feature adds to the score of a word that has it
};

LastWord last_word(const HandMadeHead& head, const Tokens& sentence) {
    const SelfAttention attention = as_attention(head);
    const Tensor x = features_of(sentence);
    // Attention in its own words, so that no check of this step needs another step.
    const Tensor q = attention.w_q(x) / std::sqrt(static_cast<float>(attention.w_q.weight.size(0)));
    const Tensor scores = matmul(q, attention.w_k(x), Transpose::b);
    const Tensor e = exp(scores - max(scores, -1, KeepDims::yes));
    const Tensor weights = e / sum(e, -1, KeepDims::yes);
    const auto last_row = [](const Tensor& t) {
        const Tensor row = slice(t, 1, t.size(1) - 1, t.size(1));
        return std::vector<float>(row.values().begin(), row.values().end());
    };
    return {last_row(scores), last_row(weights), last_row(matmul(weights, attention.w_v(x))),
            last_row(matmul(q, attention.w_k.weight))};
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

// How this head scores the noun and the best of the other words.
std::string why_not(const HandMadeHead& head, const Tokens& sentence, std::size_t noun) {
    const LastWord last = last_word(head, sentence);
    const HandMadeHead sharper{head.w_q, head.w_k, head.w_v, 1000.0f * head.factor};
    if (last_word(sharper, sentence).weights[noun] > enough)
        return "the right noun is ahead of all other words, but the weight is too small: the scores are too "
               "close";
    std::size_t best = noun == 0 ? 1 : 0;
    for (std::size_t i = 0; i < sentence.size(); ++i)
        if (i != noun && last.scores[i] > last.scores[best]) best = i;
    std::vector<std::string> of_noun, of_best;  // features that only one of them has
    for (std::size_t f = 0; f < last.counts.size(); ++f)
        if (const std::string& name = feature_names()[f];
            has_feature(sentence[noun], name) != has_feature(sentence[best], name))
            (has_feature(sentence[noun], name) ? of_noun : of_best)
                .push_back(fmt::format("{} ({:.2f})", name, last.counts[f]));
    const std::string how = last.scores[best] > last.scores[noun] + 1e-3f ? "more than" : "as much as";
    return fmt::format("\"{}\" gets {} \"{}\": for the query of \"{}\", {} counts {} {}", sentence[best], how,
                       sentence[noun], sentence.back(), fmt::join(of_best, " + "), how,
                       fmt::join(of_noun, " + "));
}

// What each feature of a query looks for, against the largest of these numbers: heads that differ in d_k, in the order of their rows
// or in the factor are alike in this, and so a mistake is known however it is written.
std::string what_features_look_for(const HandMadeHead& head) {
    const Tensor product = matmul(head.w_q * head.factor, head.w_k, Transpose::a);
    float largest = 1e-30f;
    for (const float x : product.values()) largest = std::max(largest, std::abs(x));
    return came((product / largest).array(), {0, 1e-3});
}

testing::AssertionResult looks_at_its_noun(const HandMadeHead& head, const Tokens& sentence) {
    const LastWord last = last_word(head, sentence);
    const std::size_t noun = noun_spoken_of(sentence);
    if (last.weights[noun] >= enough) return testing::AssertionSuccess();
    const std::string in = fmt::format("in \"{}\" ", fmt::join(sentence, " "));
    if (!std::isfinite(last.weights[noun]))
        return testing::AssertionFailure()
               << in << "the scores are not finite: a number, or the factor, is too large";
    std::vector<std::pair<long, std::string>> words;  // by hundredths, the largest first
    for (std::size_t i = 0; i < sentence.size(); ++i)
        words.emplace_back(std::lround(-100.0f * last.weights[i]),
                           fmt::format("{} {:.2f}", sentence[i], last.weights[i]));
    std::stable_sort(words.begin(), words.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const std::string found =
        fmt::format("the last word gives {} a weight of {:.2f}; at least {:.2f} is wanted.", sentence[noun],
                    last.weights[noun], enough);
    return testing::AssertionFailure() << in << found << " The largest weights: "
                                       << fmt::format("{}, {}, {}, {}\n", words[0].second, words[1].second,
                                                      words[2].second, words[3].second)
                                       << why_not(head, sentence, noun) << what_features_look_for(head);
}

// The first sentence of every check, so that what is wrong there is told once.
testing::AssertionResult finds_cat_and_mat(const HandMadeHead& head) {
    const testing::AssertionResult cat = looks_at_its_noun(head, with_end("the cat sat on the mat", "tired"));
    return cat ? looks_at_its_noun(head, with_end("the cat sat on the mat", "soft")) : cat;
}

testing::AssertionResult reads_what_its_noun_is(const HandMadeHead& head, const std::string& adjective) {
    const Tokens sentence = with_end("the cat sat on the mat", adjective);
    const std::vector<float> output = last_word(head, sentence).output;
    if (output.size() != 2) return testing::AssertionFailure() << "w_v must have two rows: animate and thing";
    const float first = has_feature(adjective, "animate") ? 1.0f : 0.0f, second = 1.0f - first;
    if (std::abs(output[0] - first) <= 0.2f && std::abs(output[1] - second) <= 0.2f)
        return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << fmt::format(
                  "in \"{}\" the output of the last word is ({:.2f}, {:.2f}); ({:.0f}, {:.0f}) is wanted",
                  fmt::join(sentence, " "), output[0], output[1], first, second)
           << came(head.w_v.array(), {0, 1e-3});
}

TEST(head_by_hand, finds_cat_for_tired_and_mat_for_soft) { EXPECT_TRUE(finds_cat_and_mat(head_by_hand())); }

TEST(head_by_hand, finds_every_noun_in_either_order) {
    const HandMadeHead head = head_by_hand();
    ASSERT_TRUE(finds_cat_and_mat(head));
    for (const Tokens& sentence : two_nouns_in_either_order()) ASSERT_TRUE(looks_at_its_noun(head, sentence));
}

TEST(head_by_hand, finds_one_noun_among_several_of_the_other_kind) {
    const HandMadeHead head = head_by_hand();
    ASSERT_TRUE(finds_cat_and_mat(head));
    for (const Tokens& sentence : one_noun_among_several_of_the_other_kind())
        ASSERT_TRUE(looks_at_its_noun(head, sentence));
}

TEST(head_by_hand, reads_what_the_noun_is) {
    const HandMadeHead head = head_by_hand();
    ASSERT_TRUE(finds_cat_and_mat(head));
    for (const std::string& adjective : adjectives) ASSERT_TRUE(reads_what_its_noun_is(head, adjective));
}

}  // namespace
}  // namespace tfs::test
