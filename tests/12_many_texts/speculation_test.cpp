// tests/12_many_texts/speculation_test.cpp · the given loop, generate_speculatively: the same texts with any draft
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "chapters/12_many_texts/given/many_texts.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

using Law = std::vector<double>;  // the probabilities of all tokens

constexpr std::size_t vocab = 5;
const LogitsAfter large = scattered_logits(vocab);
const Draft scattered_draft = [](auto text) { return token_probabilities(scattered_logits(vocab, 2)(text)); };

// At temperature 0 a text is the same with any draft: so every token must be read once, at its place, and what went be forgotten.
void expect_the_same_text(const Draft& draft, const GenerationOptions& asked) {
    GenerationOptions options = asked;
    options.sampling.temperature = 0.0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const LanguageModel model = small_model(vocab, 16, large);
        TokenIds prompt;
        for (std::size_t i = 0; i <= seed % 4; ++i)
            prompt.push_back(static_cast<std::int64_t>((seed + i) % vocab));
        Rng rng(seed), other(seed);
        TokenIds told;
        options.on_token = [&](std::size_t, std::int64_t token) {
            told.push_back(token);
            return !asked.on_token || asked.on_token(0, token);
        };
        const Speculation is = generate_speculatively(model, draft, prompt, 1 + seed % 6, options, rng);
        EXPECT_EQ(told, is.text.tokens) << "on_token, seed " << seed;
        const Generated right = write_text(model, prompt, asked.on_token ? asked : options, other);
        EXPECT_EQ(is.text.tokens, right.tokens) << "seed " << seed;
        EXPECT_EQ(in_words(is.text.ended), in_words(right.ended)) << "seed " << seed;
        EXPECT_LE(is.kept, is.drafted);
        EXPECT_LE(is.passes, std::max<std::size_t>(1, is.text.tokens.size() + 1));
    }
}

TEST(speculation, writes_the_same_greedy_text_with_any_draft) {
    const Draft sometimes = [](auto text) { return text.size() % 3 == 0 ? Law{} : scattered_draft(text); },
                right = [](auto text) { return token_probabilities(large(text), {.temperature = 0}); };
    for (const Draft& draft : {scattered_draft, sometimes, right}) {
        for (std::size_t tokens = 0; tokens < 5; ++tokens)
            expect_the_same_text(draft, {.new_tokens = tokens});
        expect_the_same_text(draft, {.new_tokens = 100});
        expect_the_same_text(draft, {.new_tokens = 12, .end_id = 2});
        expect_the_same_text(draft, {.new_tokens = 12,
                                     .sampling = {.temperature = 0.0},
                                     .on_token = [](auto, std::int64_t token) { return token != 3; }});
    }
}

TEST(speculation, a_draft_that_is_always_right_makes_few_passes) {
    Rng rng(1);
    const Draft right = [](auto text) { return token_probabilities(large(text), {.temperature = 0}); };
    const Speculation is = generate_speculatively(small_model(vocab, 16, large), right, {1}, 4,
                                                  {.new_tokens = 15, .sampling = {.temperature = 0}}, rng);
    EXPECT_EQ(is.passes, 3U) << "passes for 15 tokens, 5 in each";
    EXPECT_EQ(is.drafted, 12U);
    EXPECT_EQ(is.kept, 12U);
}

TEST(speculation, rules_are_those_of_the_large_model) {
    const LogitsRule none_of_the_last_two = [](std::span<const std::int64_t> text, std::span<float> logits) {
        for (const std::int64_t token : text.last(std::min<std::size_t>(text.size(), 2)))
            logits[static_cast<std::size_t>(token)] = -infinity;
    };
    expect_the_same_text(scattered_draft, {.new_tokens = 10, .rules = {none_of_the_last_two}});
}

// After 0 comes 1, after 1 comes 2 …; after a text in which that is not so, nothing may come, nor behind the end.
TEST(speculation, a_rule_is_not_asked_of_texts_that_can_not_come) {
    const LogitsRule one_more = [](std::span<const std::int64_t> text, std::span<float> logits) {
        bool right = text.front() != 4;
        for (std::size_t i = 1; i < text.size(); ++i)
            right = right && text[i] == text[i - 1] + 1 && text[i] < 4;
        for (std::size_t id = 0; id < logits.size(); ++id)
            if (!right || static_cast<std::int64_t>(id) != text.back() + 1) logits[id] = -infinity;
    };
    const Draft knows = [](auto text) {
        Law q(vocab, 0.0);
        q.at(static_cast<std::size_t>(std::min<std::int64_t>(text.back() + 1, 4))) = 1.0;
        return q;
    };
    for (const Draft& draft : {scattered_draft, knows})
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            Rng rng(seed);
            const Speculation is = generate_speculatively(
                small_model(vocab, 16, large), draft, {static_cast<std::int64_t>(seed % 2)}, 1 + seed % 6,
                {.new_tokens = 9, .end_id = 4, .rules = {one_more}}, rng);
            EXPECT_EQ(is.text.tokens, seed % 2 == 0 ? (TokenIds{1, 2, 3}) : (TokenIds{2, 3}));
        }
}

TEST(speculation, two_sampled_tokens_have_the_distribution_of_the_large_model_in_the_long_run) {
    std::array<double, 25> came{};
    Rng rng(5);
    for (std::size_t i = 0; i < 2000; ++i) {
        const auto [text, drafted, kept, passes] =
            generate_speculatively(small_model(5, 8, large), scattered_draft, {1}, 2, {.new_tokens = 3}, rng);
        ASSERT_EQ(text.tokens.size(), 3u);
        came.at(static_cast<std::size_t>(text.tokens[0] * 5 + text.tokens[1])) += 1.0 / 2000.0;
    }
    for (std::size_t i = 0; i < 25; ++i) {
        const TokenIds first{1}, both{1, static_cast<std::int64_t>(i / 5)};
        const double right =
            token_probabilities(large(first))[i / 5] * token_probabilities(large(both))[i % 5];
        EXPECT_NEAR(came.at(i), right, 0.025) << "of tokens " << i / 5 << " and " << i % 5;
    }
}

}  // namespace
}  // namespace tfs::test
