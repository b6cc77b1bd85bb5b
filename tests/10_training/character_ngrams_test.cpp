// tests/10_training/character_ngrams_test.cpp · the simpler models that guess the next character
#include "chapters/10_training/models/character_ngrams.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "common/base/errors.hpp"
#include "common/base/rng.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Sequence = std::vector<std::int64_t>;

// A text in which what comes next depends on the two before it.
Sequence dependent_text(std::size_t length) {
    Rng rng(4);
    Sequence text = {0, 1};
    while (text.size() < length) {
        const auto sum = static_cast<std::size_t>(text.end()[-1] + 2 * text.end()[-2]);
        text.push_back(static_cast<std::int64_t>(rng.uniform() < 0.8 ? sum % 5 : rng.below(5)));
    }
    return text;
}

// The text 0 1 0 1 0 0. Pairs: 01 twice, 10 twice, 00 once, so D = 1 / (1 + 2 * 2). Before 0 stand two different ones, before 1
// one, so D = 1 / (1 + 2 * 1) for single ones.
TEST(character_ngrams, are_what_one_computes_by_hand) {
    const Sequence text = {0, 1, 0, 1, 0, 0};
    const CharacterNgrams pairs(text, 2, 2);
    const double p1 = (1.0 - 1.0 / 3 + 1.0 / 3 * 2 * 0.5) / 3, p0 = (2.0 - 1.0 / 3 + 1.0 / 3 * 2 * 0.5) / 3;
    EXPECT_NEAR(pairs.probability({}, 1), p1, 1e-12);
    EXPECT_NEAR(pairs.probability({}, 0), p0, 1e-12);
    EXPECT_NEAR(pairs.probability(Sequence{0}, 1), (2 - 0.2 + 0.2 * 2 * p1) / 3, 1e-12);
    EXPECT_NEAR(pairs.probability(Sequence{0}, 0), (1 - 0.2 + 0.2 * 2 * p0) / 3, 1e-12);
    EXPECT_NEAR(pairs.probability(Sequence{0, 1}, 0), (2 - 0.2 + 0.2 * 1 * p0) / 2, 1e-12);
    EXPECT_NEAR(pairs.probability(Sequence{1}, 1), 0.2 * 1 * p1 / 2, 1e-12);
    EXPECT_NEAR(
        bits_per_character(pairs, Sequence{0, 1, 1}, 1, 3),
        -(std::log2(pairs.probability(Sequence{0}, 1)) + std::log2(pairs.probability(Sequence{1}, 1))) / 2,
        1e-12);
}

TEST(character_ngrams, add_up_to_1_after_any_context) {
    const Sequence text = dependent_text(2000);
    for (std::size_t length = 1; length <= 5; ++length) {
        const CharacterNgrams model(text, 7, length);  // two ids never occur
        for (const Sequence& before : {Sequence{}, {0}, {5}, {1, 2, 3, 4, 0}, {6, 6, 6, 6}, {4, 5, 0, 1}}) {
            const std::vector<double> all = model.probabilities(before);
            ASSERT_EQ(all.size(), 7u);
            double sum = 0.0;
            for (std::size_t id = 0; id < 7; ++id) {
                EXPECT_EQ(all[id], model.probability(before, static_cast<std::int64_t>(id)));
                EXPECT_GT(all[id], 0.0);
                sum += all[id];
            }
            EXPECT_NEAR(sum, 1.0, 1e-12) << "length " << length;
        }
    }
}

TEST(character_ngrams, longer_ones_guess_better_where_the_text_depends_on_more) {
    const Sequence text = dependent_text(12000);
    const std::span<const std::int64_t> learned = std::span(text).first(10000);
    const auto bits = [&](std::size_t length) {
        return bits_per_character(CharacterNgrams(learned, 5, length), text, 10000, 12000);
    };
    const double chosen = 0.8 + 0.2 / 5, other = 0.2 / 5,
                 entropy = -chosen * std::log2(chosen) - 4 * other * std::log2(other);
    EXPECT_NEAR(bits(3), entropy, 0.05) << "what the text itself has";
    EXPECT_GT(bits(1), bits(3) + 0.8);
    EXPECT_GT(bits(2), bits(3) + 0.8);
}

TEST(character_ngrams, refuse_what_cant_be_counted) {
    const Sequence text = {0, 1, 0};
    EXPECT_TRUE(refuses<ValueError>([&] { CharacterNgrams(text, 2, 4); }, {"3 characters"}));
    EXPECT_TRUE(refuses<ValueError>([&] { CharacterNgrams(text, 1, 1); }, {"0 … 0"}));
    EXPECT_TRUE(refuses<ValueError>([&] { CharacterNgrams(text, 1000, 7); }, {"can't be numbered"}));
    EXPECT_TRUE(refuses<ValueError>([&] { CharacterNgrams(text, 2, 0); }, {"can't be numbered"}));
    const CharacterNgrams model(text, 2, 1);
    EXPECT_TRUE(refuses<ValueError>([&] { (void)bits_per_character(model, text, 3, 3); }, {"3 … 3"}));
}

}  // namespace
}  // namespace tfs::test
