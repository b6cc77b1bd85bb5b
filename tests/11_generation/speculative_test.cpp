// tests/11_generation/speculative_test.cpp · step speculative: tokens as the large model would draw them; the loop, event by event
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "chapters/11_generation/given/generation_checks.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/11_generation/reference_speculation.hpp"
#include "tests/11_generation/small_models.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// --- accepted ------------------------------------------------------------------------------------------------------

using Law = std::vector<double>;  // the probabilities of all tokens

Tensor as_row(const Law& law) {
    return Tensor::from({law.size()}, std::vector<float>(law.begin(), law.end()));
}

// What accepted() is given.
struct DraftedCase {
    TokenIds tokens = {};
    Rows q = {}, p = {};
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
        for (std::size_t i = 0; i < n; ++i) {
            one.q.push_back(some());
            one.tokens.push_back(sample(one.q.back(), rng));
        }
        for (std::size_t i = 0; i <= n; ++i) {
            one.p.push_back(some());
            // Close to q, so that many tokens stay.
            for (std::size_t j = 0; i < n && j < vocab; ++j)
                one.p[i][j] = 0.2 * one.p[i][j] + 0.8 * one.q[i][j];
        }
    }
    return all;
}

// All of these cases are tried; a failure tells the first in which other tokens come, or as many draws are not made.
testing::AssertionResult accepts_rightly(const std::vector<DraftedCase>& cases) {
    std::string first, all;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const DraftedCase& one = cases[i];
        const auto of = [&](const auto& choose) {
            Rng rng(100 + i);
            const TokenIds tokens = choose(one.tokens, one.q, one.p, rng);
            return fmt::format("[{}], and the next draw is {:.6f}", fmt::join(tokens, " "), rng.uniform());
        };
        const std::string found = of(accepted), right = of(reference_accepted);
        all += found + '\n';
        if (first.empty() && found != right)
            first = fmt::format("of the drafted [{}] come {}; expected {}", fmt::join(one.tokens, " "), found,
                                right);
    }
    return first.empty() ? testing::AssertionSuccess() : testing::AssertionFailure() << first << came(all);
}

// Each error of accepted() would be one of the loop, too: then the loop is not checked.
bool accepted_is_right() {
    static const bool right = static_cast<bool>(accepts_rightly(drafted_cases(60, 8)));
    return right;
}

TEST(speculative, all_stay_where_the_draft_is_the_large_model) {
    const Law law{0.4, 0.3, 0.1, 0.1, 0.1};
    Rng rng(3);
    for (std::size_t n = 0; n <= 5; ++n) {
        TokenIds drafted;
        for (std::size_t i = 0; i < n; ++i) drafted.push_back(sample(law, rng));
        Rows p(n, law);
        p.push_back({0, 0, 0, 1, 0});
        TokenIds right = drafted;
        right.push_back(3);
        EXPECT_EQ(accepted(drafted, Rows(n, law), p, rng), right)
            << n << " drafted tokens, p is q; behind them comes 3";
    }
}

// 0 … 4 are drafted many times; those that always or never stay, not so often.
TEST(speculative, a_token_stays_as_often_as_p_over_q_says_in_the_long_run) {
    const Law p{0.5, 0.06, 0.14, 0.3, 0.0}, q{0.2, 0.3, 0.2, 0.2, 0.1};
    Law stays(5, 0.0);
    Rng rng(3);
    for (std::size_t token = 0; token < 5; ++token) {
        const std::size_t count = token == 1 || token == 2 ? 2000 : 200;
        for (std::size_t i = 0; i < count; ++i)
            if (accepted({static_cast<std::int64_t>(token)}, {q}, {p, p}, rng).size() == 2)
                stays[token] += 1.0 / static_cast<double>(count);
    }
    EXPECT_TRUE(close_named("how often each token stays", as_row(stays), as_row({1.0, 0.2, 0.7, 1.0, 0.0}),
                            {.relative = 0.0, .absolute = 0.03}));
}

TEST(speculative, what_comes_in_its_place_is_what_the_draft_left_too_rare_in_the_long_run) {
    const Law p{0.4, 0.1, 0.15, 0.35, 0.0}, q{0.1, 0.3, 0.15, 0.2, 0.25};
    Law instead(5, 0.0);
    double gone = 0.0;
    Rng rng(1);
    for (std::size_t i = 0; i < 3000; ++i) {
        const TokenIds tokens = accepted({1}, {q}, {p, p}, rng);
        if (tokens.size() != 1) continue;
        instead.at(static_cast<std::size_t>(tokens[0])) += 1.0;
        gone += 1.0;
    }
    for (double& share : instead) share /= gone;
    EXPECT_TRUE(close_named("the distribution of the token in place of one that went", as_row(instead),
                            as_row({0.3 / 0.45, 0.0, 0.0, 0.15 / 0.45, 0.0}),
                            {.relative = 0.0, .absolute = 0.03}));
}

TEST(speculative, at_the_first_that_goes_all_behind_it_go) {
    // Tokens 0 and 1 by turns; p has nothing of the one at `goes`, and 2 comes there.
    for (std::size_t goes = 0; goes < 4; ++goes) {
        const TokenIds drafted{0, 1, 0, 1};
        Rows q(4, {0.5, 0.5, 0.0}), p(5, {0.5, 0.5, 0.0});
        p[goes] = {goes % 2 == 0 ? 0.0 : 0.5, goes % 2 == 0 ? 0.5 : 0.0, 0.5};
        TokenIds right(drafted.begin(), drafted.begin() + static_cast<std::ptrdiff_t>(goes));
        right.push_back(2);
        Rng rng(goes);
        EXPECT_EQ(accepted(drafted, q, p, rng), right) << "token " << goes << " can't stay";
    }
    EXPECT_TRUE(accepts_rightly(drafted_cases(400, 1)));
}

TEST(speculative, draws_one_for_each_token_until_the_first_goes_and_one_more) {
    const Law half{0.5, 0.5, 0.0};
    for (std::size_t goes = 0; goes <= 3; ++goes) {
        Rows p(4, half);
        if (goes < 3) p[goes] = {0, 0, 1};
        Rng rng(goes), counted(goes);
        (void)accepted({0, 1, 0}, Rows(3, half), p, rng);
        std::size_t draws = 0;
        for (; draws < 99 && counted.state() != rng.state(); ++draws) (void)counted.uniform();
        EXPECT_EQ(draws, std::min<std::size_t>(goes + 2, 4)) << "draws, where token " << goes << " of 3 goes";
    }
}

TEST(speculative, p_may_be_one_hot_or_disjoint_from_q) {
    const Rows q{{0.7, 0.3, 0, 0}, {0.5, 0.5, 0, 0}}, p{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    Rng rng(1);
    for (std::size_t trial = 0; trial < 20; ++trial) {
        // Temperature 0: the draft stays as long as it hits the largest logit.
        EXPECT_EQ(accepted({0, 1}, q, p, rng), (TokenIds{0, 1, 2}));
        EXPECT_EQ(accepted({0, 0}, q, p, rng), (TokenIds{0, 1}));
        EXPECT_EQ(accepted({1, 1}, q, p, rng), (TokenIds{0}));
        EXPECT_EQ(accepted({0, 1}, q, {{0, 0, 0, 1}, p[1], p[2]}, rng), (TokenIds{3}))
            << "no token of q is one of p";
    }
}

// A draft that rounds: q is p or more everywhere. A token goes, and nothing is left of max(0, p - q): then one comes from p.
TEST(speculative, rounding_may_leave_nothing) {
    const Law p{0.2, 0.3, 0.5, 0.0}, q{0.21, 0.9, 0.52, 0.0}, behind{0.0, 0.0, 0.0, 1.0};
    TokenIds came, right;
    for (std::uint64_t seed = 0; right.size() < 20; ++seed) {
        Rng rng(seed), copy(seed);
        if (copy.uniform() < 0.97) continue;  // else all tokens go
        const Thrown thrown = thrown_by([&] { came.push_back(accepted({0}, {q}, {p, behind}, rng).at(0)); });
        ASSERT_EQ(thrown.sentence, "") << "it throws where nothing is left of max(0, p - q)";
        right.push_back(sample(p, copy));
    }
    EXPECT_EQ(came, right) << "nothing is left of max(0, p - q), so the token comes from p";
}

// Of the two drafted, one may go, and then the large model draws the second one alone. Each draft comes as often as q says.
TEST(speculative, two_tokens_have_the_distribution_of_the_large_model_in_the_long_run) {
    const Law p1{0.5, 0.3, 0.2}, q1{0.2, 0.2, 0.6};
    const Rows p2{{0.1, 0.6, 0.3}, {0.8, 0.1, 0.1}, {0.3, 0.3, 0.4}},
        q2{{0.5, 0.3, 0.2}, {0.3, 0.4, 0.3}, {0.3, 0.6, 0.1}};
    constexpr double count = 10'000.0;
    Law came(9, 0.0), right;
    Rng rng(3);
    for (std::size_t x = 0; x < 3; ++x)
        for (std::size_t y = 0; y < 3; ++y) {
            right.push_back(p1[x] * p2[x][y]);
            const TokenIds drafted{static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)};
            for (auto left = std::lround(count * q1[x] * q2[x][y]); left > 0; --left) {
                TokenIds tokens = accepted(drafted, {q1, q2[x]}, {p1, p2[x], p1}, rng);
                if (tokens.size() == 1)
                    tokens.push_back(sample(p2[static_cast<std::size_t>(tokens[0])], rng));
                if (tokens.size() > 1)
                    came.at(static_cast<std::size_t>(tokens[0] * 3 + tokens[1])) += 1.0 / count;
            }
        }
    EXPECT_TRUE(close_named("the distribution of two tokens", as_row(came), as_row(right),
                            {.relative = 0.0, .absolute = 0.008}));
}

TEST(speculative, accepted_refuses_what_does_not_fit) {
    if (!accepted_is_right()) GTEST_SKIP();
    Rng rng(1);
    const Law half{0.5, 0.5};
    EXPECT_EQ(accepted({0}, {half}, {half, {0, 1}}, rng), (TokenIds{0, 1}));
    const auto refused = [&](const TokenIds& drafted, const Rows& q, const Rows& p,
                             const std::vector<std::string>& named) {
        EXPECT_TRUE(refuses<ValueError>([&] { (void)accepted(drafted, q, p, rng); }, named));
    };
    refused({0}, {half}, {half}, {"1 drafted"});
    refused({0, 1}, {half}, {half, half, half}, {"2 drafted", "1"});
    refused({1, 0}, {half, {0, 1}}, {half, half, half}, {"token 1", "0"});
    refused({2}, {half}, {half, half}, {"token 0", "2"});
    refused({-1}, {half}, {half, half}, {"token 0", "-1"});
    refused({0}, {half}, {{0.5, 0.25, 0.25}, half}, {"2", "3"});
}

// --- generate_speculatively ----------------------------------------------------------------------------------------

// All tokens alike; each text other ones; always the token of `text` that comes next, or that many ids beside it.
Draft uniform_draft(std::size_t vocab) {
    return [=](std::span<const std::int64_t>) { return Law(vocab, 1.0 / static_cast<double>(vocab)); };
}

Draft scattered_draft(std::size_t vocab) {
    return [logits = scattered_logits(vocab, 2)](std::span<const std::int64_t> text) {
        return token_probabilities(logits(text));
    };
}

Draft one_hot_draft(const TokenIds& text, std::size_t vocab, std::size_t beside = 0) {
    return [=](std::span<const std::int64_t> read) {
        Law q(vocab, 0.0);
        const std::size_t next = read.size() < text.size() ? static_cast<std::size_t>(text[read.size()]) : 0;
        q[(next + beside) % vocab] = 1.0;
        return q;
    };
}

// One call of generate_speculatively. By default a model of 5 tokens without weights, whose texts end by each of the four
// reasons, in each place of a draft.
struct SpeculativeCase {
    std::string name = {};
    std::uint64_t seed = 1;
    GenerationOptions options = {};
    TokenIds prompt = {};
    std::size_t length = 1 + seed % 6;
    Draft draft = scattered_draft(5);
};

SpeculativeCase small_case(const std::string& name, std::uint64_t seed, const GenerationOptions& options,
                           std::size_t prompt = 3) {
    SpeculativeCase one{.name = name, .seed = seed, .options = options};
    for (std::size_t i = 0; i < prompt; ++i) one.prompt.push_back(static_cast<std::int64_t>((seed + i) % 5));
    return one;
}

// What happens, in this order: each text that the draft is asked of, each pass of the model, and what came of it all.
template <class Loop>
std::vector<std::string> events_of(const SpeculativeCase& one, const Loop& loop) {
    std::vector<std::string> events;
    LanguageModel model = small_model(5, 16, scattered_logits(5));
    model.logits = [&events, logits = model.logits](const Ids& tokens, const Pass& pass) {
        events.push_back(fmt::format(
            "the model reads [{}] at position {}, {}", fmt::join(tokens, " "), pass.offset[0],
            pass.earlier == nullptr ? "without a cache"
                                    : fmt::format("with {} in the cache", pass.earlier->lengths(0)[0])));
        return logits(tokens, pass);
    };
    const Draft draft = [&](std::span<const std::int64_t> text) {
        events.push_back(fmt::format("the draft is asked what follows [{}]", fmt::join(text, " ")));
        return one.draft(text);
    };
    Rng rng(one.seed);
    try {
        const Speculation came = loop(model, draft, one.prompt, one.length, one.options, rng);
        events.push_back(fmt::format("[{}] is written, and ended by {}", fmt::join(came.text.tokens, " "),
                                     std::array{"end_id", "new_tokens", "max_len",
                                                "on_token"}[static_cast<std::size_t>(came.text.ended)]));
        events.push_back(fmt::format("passes {}, drafted {}, kept {}", came.passes, came.drafted, came.kept));
        events.push_back(fmt::format("the next draw is {:.6f}", rng.uniform()));
    } catch (const NotImplemented&) {
        throw;
    } catch (const std::exception& error) {
        events.push_back(fmt::format("it throws: {}", error.what()));
    }
    return events;
}

// Whether in each of these cases happens what must. A failure tells the first event that is another one.
testing::AssertionResult speculates_rightly(const std::vector<SpeculativeCase>& cases) {
    std::string first, all;
    for (const SpeculativeCase& one : cases) {
        std::vector<std::string> found = events_of(one, generate_speculatively),
                                 right = events_of(one, reference_speculation);
        all += fmt::format("{}\n", fmt::join(found, "; "));
        if (!first.empty() || found == right) continue;
        found.resize(std::max(found.size(), right.size()), "nothing"), right.resize(found.size(), "nothing");
        const auto [is, must] = std::mismatch(found.begin(), found.end(), right.begin());
        first = fmt::format("{}, draft of {}, prompt [{}], seed {}:\n  came:     {}\n  expected: {}",
                            one.name, one.length, fmt::join(one.prompt, " "), one.seed, *is, *must) +
                (is == found.begin() ? "" : "\n  before it: " + *std::prev(is));
    }
    return first.empty() ? testing::AssertionSuccess() : testing::AssertionFailure() << first << came(all);
}

TEST(speculative, the_text_is_that_of_the_large_model_whatever_the_draft) {
    if (!accepted_is_right()) GTEST_SKIP();
    const GenerationOptions greedy{.new_tokens = 12, .sampling = {.temperature = 0.0}};
    const TokenIds prompt{3, 1, 4};
    for (const Transformer& writer : writers()) {
        const LanguageModel model = language_model(writer);
        const TokenIds right = written_without_cache(model, prompt, greedy, Rng(1));
        TokenIds text = prompt;
        text.insert(text.end(), right.begin(), right.end());
        const std::vector<std::pair<std::string, Draft>> drafts{{"uniform", uniform_draft(11)},
                                                                {"wrong", one_hot_draft(text, 11, 1)},
                                                                {"perfect", one_hot_draft(text, 11)},
                                                                {"random", scattered_draft(11)}};
        for (const auto& [name, draft] : drafts) {
            Rng rng(1);
            EXPECT_EQ(generate_speculatively(model, draft, prompt, 4, greedy, rng).text.tokens, right)
                << "a " << name << " draft of 4";
        }
    }
}

TEST(speculative, the_loop_reads_each_token_once_and_forgets_what_went) {
    if (!accepted_is_right()) GTEST_SKIP();
    std::vector<SpeculativeCase> cases;
    for (std::uint64_t seed = 1; seed <= 24; ++seed)
        cases.push_back(small_case("sampled", seed, {.new_tokens = 10, .sampling = {.temperature = 0.8}}));
    EXPECT_TRUE(speculates_rightly(cases));
}

TEST(speculative, the_draft_is_never_longer_than_the_room) {
    if (!accepted_is_right()) GTEST_SKIP();
    std::vector<SpeculativeCase> cases;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        cases.push_back(small_case("few new tokens", seed, {.new_tokens = seed % 5}));
        cases.push_back(small_case("up to max_len", seed, {.new_tokens = 100}, 10 + seed % 7));
    }
    EXPECT_TRUE(speculates_rightly(cases));
}

TEST(speculative, nothing_stands_behind_the_end) {
    if (!accepted_is_right()) GTEST_SKIP();
    std::vector<SpeculativeCase> cases;
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
        cases.push_back(small_case("with an end", seed, {.new_tokens = 12, .end_id = 2}));
        cases.push_back(small_case("stopped by on_token", seed,
                                   {.new_tokens = 12, .on_token = [](std::size_t prompt, std::int64_t token) {
                                        return prompt == 0 && token != 3;
                                    }}));
    }
    EXPECT_TRUE(speculates_rightly(cases));
}

TEST(speculative, on_token_is_told_each_token_of_the_text) {
    if (!accepted_is_right()) GTEST_SKIP();
    TokenIds told;
    const auto note = [&](std::size_t prompt, std::int64_t token) {
        told.push_back(token);
        return prompt == 0;
    };
    Rng rng(3);
    const LanguageModel model = small_model(5, 16, scattered_logits(5));
    const Speculation came = generate_speculatively(model, scattered_draft(5), {3, 4, 0}, 4,
                                                    {.new_tokens = 9, .end_id = 2, .on_token = note}, rng);
    EXPECT_EQ(told, came.text.tokens);
}

TEST(speculative, rules_and_sampling_are_those_of_the_large_model) {
    if (!accepted_is_right()) GTEST_SKIP();
    const LogitsRule none_of_the_last_two = [](std::span<const std::int64_t> text, std::span<float> logits) {
        for (const std::int64_t token : text.last(std::min<std::size_t>(text.size(), 2)))
            logits[static_cast<std::size_t>(token)] = -infinity;
    };
    std::vector<SpeculativeCase> cases;
    for (std::uint64_t seed = 1; seed <= 16; ++seed)
        cases.push_back(small_case("with a rule", seed,
                                   {.new_tokens = 10,
                                    .sampling = {.temperature = 0.5, .top_k = 2},
                                    .rules = {none_of_the_last_two}}));
    EXPECT_TRUE(speculates_rightly(cases));
}

// After 0 comes 1, after 1 comes 2 …; after a text in which that is not so, nothing may come, nor behind the end.
TEST(speculative, a_rule_is_not_asked_of_texts_that_can_not_come) {
    if (!accepted_is_right()) GTEST_SKIP();
    const LogitsRule one_more = [](std::span<const std::int64_t> text, std::span<float> logits) {
        bool right = text.front() != 4;
        for (std::size_t i = 1; i < text.size(); ++i)
            right = right && text[i] == text[i - 1] + 1 && text[i] < 4;
        for (std::size_t id = 0; id < logits.size(); ++id)
            if (!right || static_cast<std::int64_t>(id) != text.back() + 1) logits[id] = -infinity;
    };
    std::vector<SpeculativeCase> cases;
    for (std::uint64_t seed = 0; seed <= 20; ++seed) {
        cases.push_back(
            small_case("a rule with dead ends", seed, {.new_tokens = 9, .end_id = 4, .rules = {one_more}}));
        cases.back().prompt = {static_cast<std::int64_t>(seed % 3)};
        if (seed % 2 == 0) cases.back().draft = one_hot_draft({0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4}, 5);
    }
    EXPECT_TRUE(speculates_rightly(cases));
}

TEST(speculative, it_counts_passes_and_tokens) {
    if (!accepted_is_right()) GTEST_SKIP();
    const LanguageModel model = small_model(5, 40, scattered_logits(5));
    const TokenIds prompt{1, 2};
    for (const std::size_t tokens : {1u, 2u, 7u, 13u}) {
        const GenerationOptions options{.new_tokens = tokens, .sampling = {.temperature = 0.0}};
        TokenIds text = prompt;
        for (const std::int64_t token : written_without_cache(model, prompt, options, Rng(1)))
            text.push_back(token);
        for (std::size_t length = 1; length <= 6; ++length) {
            const auto counts = [&](const Draft& draft) {
                Rng rng(1);
                const Speculation came = generate_speculatively(model, draft, prompt, length, options, rng);
                return fmt::format("{} passes, {} of {} tokens kept", came.passes, came.kept, came.drafted);
            };
            const std::size_t passes = (tokens + length) / (length + 1);  // length + 1 tokens each
            EXPECT_EQ(counts(one_hot_draft(text, 5)), fmt::format("{} passes, {} of {} tokens kept", passes,
                                                                  tokens - passes, tokens - passes))
                << tokens << " tokens with a perfect draft of " << length;
            std::size_t drafted = 0;  // a pass gives one token
            for (std::size_t room = tokens; room > 0; --room) drafted += std::min(length, room - 1);
            EXPECT_EQ(counts(one_hot_draft(text, 5, 1)),
                      fmt::format("{} passes, 0 of {} tokens kept", tokens, drafted))
                << tokens << " tokens with a draft of " << length << " that is always wrong";
        }
    }
}

TEST(speculative, two_sampled_tokens_have_the_distribution_of_the_large_model_in_the_long_run) {
    if (!accepted_is_right()) GTEST_SKIP();
    const auto logits = scattered_logits(4);
    const LanguageModel model = small_model(4, 8, logits);
    Law right, came(16, 0.0);
    for (std::int64_t x = 0; x < 4; ++x)
        for (const double p : token_probabilities(logits(TokenIds{1, x})))
            right.push_back(token_probabilities(logits(TokenIds{1}))[static_cast<std::size_t>(x)] * p);
    Rng rng(5);
    for (std::size_t i = 0; i < 2000; ++i) {
        const TokenIds tokens =
            generate_speculatively(model, scattered_draft(4), {1}, 2, {.new_tokens = 3}, rng).text.tokens;
        ASSERT_EQ(tokens.size(), 3u);
        came.at(static_cast<std::size_t>(tokens[0] * 4 + tokens[1])) += 1.0 / 2000.0;
    }
    EXPECT_TRUE(close_named("the distribution of two tokens", as_row(came), as_row(right),
                            {.relative = 0.0, .absolute = 0.025}));
}

TEST(speculative, generate_speculatively_refuses_what_generate_refuses) {
    const LanguageModel model = small_model(5, 6, scattered_logits(5));
    const auto refused = [&](const TokenIds& prompt, std::size_t length, const GenerationOptions& options,
                             const std::vector<std::string>& named, std::size_t vocab = 5) {
        Rng rng(1);
        EXPECT_TRUE(refuses<ValueError>(
            [&] { (void)generate_speculatively(model, uniform_draft(vocab), prompt, length, options, rng); },
            named));
    };
    Rng rng(1);
    EXPECT_EQ(generate_speculatively(model, uniform_draft(5), {1, 2, 3, 4, 1, 2}, 3, {}, rng).text.tokens,
              TokenIds{})
        << "a prompt of max_len tokens is full";
    refused({}, 3, {}, {"empty"});
    refused({1, 2, 3, 4, 0, 1, 2}, 3, {}, {"7", "6"});
    refused({1}, 0, {}, {"at least 1"});
    refused({1}, 3, {.window = 4}, {"window"});
    refused({1}, 3, {.sampling = {.temperature = -1.0}}, {"-1"});
    refused({1}, 3, {.sampling = {.top_p = 0.0}}, {"top_p"});
    refused({1}, 2, {}, {"4", "5"}, 4);
}

}  // namespace
}  // namespace tfs::test
