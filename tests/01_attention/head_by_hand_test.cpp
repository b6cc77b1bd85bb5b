// tests/01_attention/head_by_hand_test.cpp · puzzle head_by_hand: where the last word looks, and what it reads there
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
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
    Array all;                  // the weights of all words
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
            last_row(matmul(q, attention.w_k.weight)), weights.array()};
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

// How many times the factor is enough for the nouns of these sentences; infinity where no larger factor is.
double times_enough(HandMadeHead head, const std::vector<Tokens>& sentences) {
    double times = 1.0;
    for (const Tokens& sentence : sentences)
        while (!(last_word(head, sentence).weights[noun_spoken_of(sentence)] > enough + 0.001f)) {
            head.factor *= 1.05f;
            if ((times *= 1.05) > 1000.0) return std::numeric_limits<double>::infinity();
        }
    return times;
}

// What was tried on this head, or else how it scores the noun and the best of the other words.
std::string why_not(const HandMadeHead& head, const Tokens& sentence, std::size_t noun) {
    std::vector<Tokens> all = two_nouns_in_either_order();
    for (const Tokens& other : one_noun_among_several_of_the_other_kind()) all.push_back(other);
    const LastWord last = last_word(head, sentence);
    if (!std::isfinite(last.weights[noun]))
        return "the scores are not finite: a number, or the factor, is too large";
    if (times_enough({head.w_k, head.w_q, head.w_v, head.factor}, all) == 1.0)
        return "w_q and w_k are exchanged: w_q says what a word looks for, w_k how it is found";
    for (const std::vector<Tokens>& some : {all, {sentence}})
        if (const double times = times_enough(head, some); times < std::numeric_limits<double>::infinity())
            return fmt::format("the factor is too small: a factor of {:.4g} is enough for {}",
                               times * head.factor, some.size() > 1 ? "all nouns" : "this noun");
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

testing::AssertionResult looks_at_its_noun(const HandMadeHead& head, const Tokens& sentence) {
    const auto [scores, weights, output, counts, all] = last_word(head, sentence);
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
           << '\n'
           << why_not(head, sentence, noun) << came(all, {});
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
            "in \"{}\" the output of the last word is ({:.2f}, {:.2f}); ({:.0f}, {:.0f}) is wanted{}",
            fmt::join(sentence, " "), output[0], output[1], first, second,
            looks_at_its_noun(head, sentence)
                ? ""
                : "\nThe last word does not look at its noun yet; that comes first.");
        EXPECT_NEAR(output[0], first, 0.2f) << came;
        EXPECT_NEAR(output[1], second, 0.2f) << came;
    }
}

}  // namespace
}  // namespace tfs::test
