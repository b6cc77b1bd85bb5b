// tests/11_generation/speculative_test.cpp · step speculative: tokens as the large model would draw them; the loop, line by line
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "chapters/11_generation/given/generation.hpp"
#include "chapters/11_generation/models/texts.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Law = std::vector<double>;  // the probabilities of all tokens
using Laws = std::vector<Law>;

// --- accepted

// Token i stays where u q < p.
TokenIds reference_accepted(const TokenIds& drafted, const Laws& q, const Laws& p, Rng& rng) {
    TokenIds result;
    for (std::size_t i = 0; i < drafted.size(); ++i) {
        const auto token = static_cast<std::size_t>(drafted[i]);
        if (rng.uniform() * q[i][token] < p[i][token]) {
            result.push_back(drafted[i]);
            continue;
        }
        Law rest = p[i];
        for (std::size_t j = 0; j < rest.size(); ++j) rest[j] = std::max(0.0, rest[j] - q[i][j]);
        if (rest == Law(rest.size(), 0.0)) rest = p[i];
        divide_by_sum(rest);
        result.push_back(sample(rest, rng));
        return result;
    }
    result.push_back(sample(p.back(), rng));
    return result;
}

// What accepted() is given.
struct DraftedCase {
    TokenIds tokens = {};
    Laws q = {}, p = {};
};

// Random cases of 0 … 5 tokens, in which a probability may be 0.
std::vector<DraftedCase> drafted_cases(std::size_t count, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<DraftedCase> all(count);
    for (DraftedCase& one : all) {
        const std::size_t n = rng.below(6), vocab = 3 + rng.below(4);
        const auto some = [&] {
            Law p(vocab);
            for (double& x : p) x = rng.uniform() < 0.2 ? 0.0 : rng.uniform();
            p[rng.below(vocab)] += 1.0;
            divide_by_sum(p);
            return p;
        };
        for (std::size_t i = 0; i <= n; ++i) {
            one.p.push_back(some());
            if (i == n) continue;
            one.q.push_back(some());
            one.tokens.push_back(sample(one.q[i], rng));
            // Close to q, so that many tokens stay.
            for (std::size_t j = 0; j < vocab; ++j) one.p[i][j] = 0.5 * one.p[i][j] + 0.5 * one.q[i][j];
        }
    }
    return all;
}

// All of these cases are tried; a failure tells the first in which other tokens come, or as many draws are not made.
testing::AssertionResult accepts_rightly(const std::vector<DraftedCase>& cases) {
    Story found, right;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const DraftedCase& one = cases[i];
        const auto of = [&](const auto& choose) {
            Rng rng(100 + i);
            const TokenIds tokens = choose(one.tokens, one.q, one.p, rng);
            return fmt::format("of the drafted [{}] come [{}], and the next draw is {:.6f}",
                               fmt::join(one.tokens, " "), fmt::join(tokens, " "), rng.uniform());
        };
        right.push_back(of(reference_accepted));
        const Thrown thrown = thrown_by([&] { found.push_back(of(accepted)); });
        if (!thrown.type.empty()) found.push_back("it throws: " + thrown.sentence);
    }
    return is_told(found, right);
}

TEST(speculative, all_stay_where_the_draft_is_the_large_model) {
    const Law law{0.4, 0.3, 0.1, 0.1, 0.1}, three{0, 0, 0, 1, 0};
    EXPECT_TRUE(accepts_rightly({{{}, {}, {three}},
                                 {{2}, {law}, {law, three}},
                                 {{0, 1, 4, 0}, Laws(4, law), {law, law, law, law, three}}}));
}

TEST(speculative, at_the_first_that_goes_all_behind_it_go) {
    // Tokens 0 and 1 by turns; p has nothing of the one at `goes`, and 2 comes there.
    std::vector<DraftedCase> cases;
    for (std::size_t goes = 0; goes < 4; ++goes) {
        cases.push_back({{0, 1, 0, 1}, Laws(4, {0.5, 0.5, 0.0}), Laws(5, {0.5, 0.5, 0.0})});
        cases.back().p[goes] = {goes % 2 == 0 ? 0.0 : 0.5, goes % 2 == 0 ? 0.5 : 0.0, 0.5};
    }
    EXPECT_TRUE(accepts_rightly(cases));
}

TEST(speculative, tokens_stay_and_come_as_p_and_q_say) { EXPECT_TRUE(accepts_rightly(drafted_cases(80, 1))); }

// Temperature 0: the draft stays as long as it hits the largest logit.
TEST(speculative, p_may_be_one_hot_or_disjoint_from_q) {
    const Laws q{{0.7, 0.3, 0, 0}, {0.5, 0.5, 0, 0}}, p{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    EXPECT_TRUE(accepts_rightly(
        {{{0, 1}, q, p}, {{0, 0}, q, p}, {{1, 1}, q, p}, {{0, 1}, q, {{0, 0, 0, 1}, p[1], p[2]}}}));
}

// A draft that rounds: q is p or more everywhere. A token goes, and nothing is left of max(0, p - q): then one comes from p.
TEST(speculative, rounding_may_leave_nothing) {
    const Law p{0.2, 0.3, 0.5, 0.0}, q{0.9, 0.3, 0.52, 0.0}, behind{0.0, 0.0, 0.0, 1.0};
    EXPECT_TRUE(accepts_rightly(std::vector<DraftedCase>(12, {{0}, {q}, {p, behind}})));
}

// --- generate_speculatively

// Written for the test, without a cache.
Speculation reference_speculation(const LanguageModel& model, const LogitsAfter& logits, const Draft& draft,
                                  const TokenIds& prompt, std::size_t length,
                                  const GenerationOptions& options, Rng& rng, Story& story) {
    Texts texts({prompt}, model, options);
    Speculation result;
    for (std::size_t begin = 0; texts.goes_on(0);) {  // what the model has read
        TokenIds text = texts.text(0), drafted;
        const std::size_t before = text.size();
        Laws q, p;
        for (bool ended = false; !ended && drafted.size() < std::min(length, texts.room(0) - 1);) {
            q.push_back(draft(text));
            drafted.push_back(sample(q.back(), rng));
            text.push_back(drafted.back());
            ended = drafted.back() == options.end_id;
        }
        const std::size_t n = drafted.size();
        story.push_back(pass_line({text}, begin, text.size() - begin));
        while (p.size() <= n) {
            const auto read = std::span(text).first(before + p.size());
            p.push_back(texts.probabilities(read, logits(read)));
            const std::int64_t next = p.size() <= n ? drafted[p.size() - 1] : -1;
            if (next >= 0 && (next == options.end_id || p.back()[static_cast<std::size_t>(next)] == 0.0))
                p.resize(n + 1, p.back());
        }
        const TokenIds tokens = reference_accepted(drafted, q, p, rng);
        result.passes += 1;
        result.drafted += n;
        result.kept += tokens.size() - 1;
        for (const std::int64_t token : tokens)
            if (!texts.add(0, token)) break;
        begin = before + tokens.size() - 1;
    }
    result.text = texts.result()[0];
    return result;
}

const Draft scattered_draft = [](auto text) { return token_probabilities(scattered_logits(5, 2)(text)); };

// One call of generate_speculatively, with a model of 5 tokens that reads 16; the draft has 1 … 6 tokens.
struct SpeculativeCase {
    std::uint64_t seed;
    GenerationOptions options;
    TokenIds prompt = {};
    Draft draft = scattered_draft;
    std::optional<std::int64_t> stop = std::nullopt;  // on_token says false after this token
};

// For each seed another prompt and length of the draft.
std::vector<SpeculativeCase> with_seeds(std::uint64_t count, const GenerationOptions& options,
                                        std::size_t prompt = 3) {
    std::vector<SpeculativeCase> cases;
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        cases.push_back({.seed = seed, .options = options});
        for (std::size_t i = 0; i < prompt; ++i)
            cases.back().prompt.push_back(static_cast<std::int64_t>((seed + i) % 5));
    }
    return cases;
}

// Whether in each of these cases happens what must: each text that the draft is asked of, each pass of the model, each token that is
// told, and what came of it all. Each error of accepted() would be one of the loop, too: then the loop is not checked.
void expect_right(const std::vector<SpeculativeCase>& cases) {
    static const bool accepted_is_right = static_cast<bool>(accepts_rightly(drafted_cases(40, 8)));
    if (!accepted_is_right) GTEST_SKIP();
    const LogitsAfter logits = scattered_logits(5);
    std::array<Story, 2> stories;  // of the step, of the reference
    for (const SpeculativeCase& one : cases)
        for (Story& story : stories) {
            const bool plainly = &story == &stories[1];
            const std::size_t length = 1 + one.seed % 6;
            story.push_back(fmt::format("a draft of {} behind [{}], seed {}", length,
                                        fmt::join(one.prompt, " "), one.seed));
            const LanguageModel model = small_model(5, 16, logits, plainly ? nullptr : &story);
            const Draft draft = [&](std::span<const std::int64_t> text) {
                story.push_back(fmt::format("the draft is asked what follows [{}]", fmt::join(text, " ")));
                return one.draft(text);
            };
            GenerationOptions options = one.options;
            options.on_token = [&](std::size_t prompt, std::int64_t token) {
                story.push_back(fmt::format("on_token is told {} of prompt {}", token, prompt));
                return token != one.stop;
            };
            Rng rng(one.seed);
            const Thrown thrown = thrown_by([&] {
                const auto [text, drafted, kept, passes] =
                    plainly
                        ? reference_speculation(model, logits, draft, one.prompt, length, options, rng, story)
                        : generate_speculatively(model, draft, one.prompt, length, options, rng);
                story.push_back(fmt::format(
                    "[{}], {}; passes {}, drafted {}, kept {}; the next draw is {:.6f}",
                    fmt::join(text.tokens, " "), in_words(text.ended), passes, drafted, kept, rng.uniform()));
            });
            if (!thrown.type.empty()) story.push_back("it throws: " + thrown.sentence);
        }
    EXPECT_TRUE(is_told(stories[0], stories[1]));
}

TEST(speculative, the_loop_reads_each_token_once_and_forgets_what_went) {
    expect_right(with_seeds(8, {.new_tokens = 10, .sampling = {.temperature = 0.8}}));
}

TEST(speculative, a_draft_that_is_always_right_stays) {
    auto cases = with_seeds(6, {.new_tokens = 12, .sampling = {.temperature = 0}});
    for (SpeculativeCase& one : cases)
        one.draft = [](auto text) {
            return token_probabilities(scattered_logits(5)(text), {.temperature = 0});
        };
    expect_right(cases);
}

TEST(speculative, the_draft_is_never_longer_than_the_room) {
    for (std::size_t tokens = 0; tokens < 5; ++tokens) expect_right(with_seeds(3, {.new_tokens = tokens}));
    for (std::size_t prompt = 12; prompt <= 16; ++prompt)
        expect_right(with_seeds(3, {.new_tokens = 100}, prompt));
}

TEST(speculative, nothing_stands_behind_the_end) {
    expect_right(with_seeds(6, {.new_tokens = 12, .end_id = 2}));
}

TEST(speculative, on_token_may_stop) {
    auto cases = with_seeds(6, {.new_tokens = 12});
    for (SpeculativeCase& one : cases) one.stop = 3;
    expect_right(cases);
}

TEST(speculative, rules_and_sampling_are_those_of_the_large_model) {
    const LogitsRule none_of_the_last_two = [](std::span<const std::int64_t> text, std::span<float> logits) {
        for (const std::int64_t token : text.last(std::min<std::size_t>(text.size(), 2)))
            logits[static_cast<std::size_t>(token)] = -infinity;
    };
    expect_right(with_seeds(
        8,
        {.new_tokens = 10, .sampling = {.temperature = 0.5, .top_k = 2}, .rules = {none_of_the_last_two}}));
}

// After 0 comes 1, after 1 comes 2 …; after a text in which that is not so, nothing may come, nor behind the end. Half of the drafts
// know that.
TEST(speculative, a_rule_is_not_asked_of_texts_that_can_not_come) {
    const LogitsRule one_more = [](std::span<const std::int64_t> text, std::span<float> logits) {
        bool right = text.front() != 4;
        for (std::size_t i = 1; i < text.size(); ++i)
            right = right && text[i] == text[i - 1] + 1 && text[i] < 4;
        for (std::size_t id = 0; id < logits.size(); ++id)
            if (!right || static_cast<std::int64_t>(id) != text.back() + 1) logits[id] = -infinity;
    };
    auto cases = with_seeds(12, {.new_tokens = 9, .end_id = 4, .rules = {one_more}}, 1);
    for (SpeculativeCase& one : cases) {
        one.prompt = {static_cast<std::int64_t>(one.seed % 2)};
        if (one.seed % 2 == 0)
            one.draft = [](auto text) {
                Law q(5, 0.0);
                q.at(static_cast<std::size_t>(text.back() + 1)) = 1.0;
                return q;
            };
    }
    expect_right(cases);
}

TEST(speculative, two_sampled_tokens_have_the_distribution_of_the_large_model_in_the_long_run) {
    const auto logits = scattered_logits(5);
    std::array<double, 25> came{};
    Rng rng(5);
    for (std::size_t i = 0; i < 2000; ++i) {
        const auto [text, drafted, kept, passes] = generate_speculatively(
            small_model(5, 8, logits), scattered_draft, {1}, 2, {.new_tokens = 3}, rng);
        ASSERT_EQ(text.tokens.size(), 3u);
        came.at(static_cast<std::size_t>(text.tokens[0] * 5 + text.tokens[1])) += 1.0 / 2000.0;
    }
    for (std::size_t i = 0; i < 25; ++i) {
        const TokenIds first{1}, both{1, static_cast<std::int64_t>(i / 5)};
        const double right =
            token_probabilities(logits(first))[i / 5] * token_probabilities(logits(both))[i % 5];
        EXPECT_NEAR(came.at(i), right, 0.025) << "of tokens " << i / 5 << " and " << i % 5;
    }
}

}  // namespace
}  // namespace tfs::test
