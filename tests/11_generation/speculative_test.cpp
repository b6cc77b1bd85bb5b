// tests/11_generation/speculative_test.cpp · step speculative: the distribution of the large model, measured and in closed form; the loop
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/11_generation/accepted_laws.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/11_generation/speculative_cases.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// --- accepted ------------------------------------------------------------------------------------------------------

// The draft is wrong half of the time: sum min(p, q) = 0.5.
const Law large_law{0.4, 0.3, 0.1, 0.1, 0.1}, draft_law{0.05, 0.15, 0.1, 0.1, 0.6};

TEST(speculative, all_stay_where_the_draft_is_the_large_model) {
    Rng rng(3);
    for (std::size_t n = 0; n <= 5; ++n) {
        TokenIds drafted;
        for (std::size_t i = 0; i < n; ++i) drafted.push_back(sample(large_law, rng));
        Rows q(n, large_law), p(n, large_law);
        p.push_back({0, 0, 0, 1, 0});
        const TokenIds found = accepted(drafted, q, p, rng);
        TokenIds right = drafted;
        right.push_back(3);
        ASSERT_EQ(found, right)
            << n << " drafted tokens, and p is q"
            << likely_if(found.empty(),
                         "where all tokens stay, one more comes behind them, from p[n]: it is left out")
            << likely_if(found.size() == right.size() && n > 0 && found.back() != 3 &&
                             std::equal(drafted.begin(), drafted.end(), found.begin()),
                         "where all tokens stay, the one behind them comes from p[n - 1]; that is the place "
                         "of the last "
                         "drafted one, p[n] is behind it");
    }
}

TEST(speculative, a_token_stays_as_often_as_p_over_q_says) {
    EXPECT_TRUE(stays_as_often_as_it_should({0.5, 0.06, 0.14, 0.3, 0.0}, {0.2, 0.3, 0.2, 0.2, 0.1}));
}

TEST(speculative, what_comes_in_its_place_is_what_the_draft_left_too_rare) {
    EXPECT_TRUE(is_replaced_by_the_rest({0.4, 0.1, 0.15, 0.35, 0.0}, {0.1, 0.3, 0.15, 0.2, 0.25}, 1));
}

TEST(speculative, at_the_first_that_goes_all_behind_it_go) {
    EXPECT_TRUE(accepts_rightly(drafted_cases(400, 1)));
    // Tokens 0 and 1 by turns; p has nothing of the one at `goes`.
    for (std::size_t goes = 0; goes < 4; ++goes) {
        const TokenIds drafted{0, 1, 0, 1};
        Rows q(4, {0.5, 0.5, 0.0}), p(5, {0.5, 0.5, 0.0});
        p[goes] = {goes % 2 == 0 ? 0.0 : 0.5, goes % 2 == 0 ? 0.5 : 0.0, 0.5};
        Rng rng(goes), copy(goes);
        TokenIds right(drafted.begin(), drafted.begin() + static_cast<std::ptrdiff_t>(goes));
        right.push_back(2);
        EXPECT_EQ(accepted(drafted, q, p, rng), right) << "token " << goes << " can't stay";
        for (std::size_t i = 0; i < goes + 2; ++i) (void)copy.uniform();
        EXPECT_TRUE(rng.state() == copy.state())
            << "token " << goes << " goes: that takes " << goes + 2 << " draws";
    }
}

TEST(speculative, p_may_be_one_hot_or_disjoint_from_q) {
    Rng rng(1);
    const Rows q{{0.7, 0.3, 0, 0}, {0.5, 0.5, 0, 0}};
    for (std::size_t trial = 0; trial < 20; ++trial) {
        // Temperature 0: the draft stays as long as it hits the largest logit.
        EXPECT_EQ(accepted({0, 1}, q, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, rng), (TokenIds{0, 1, 2}));
        EXPECT_EQ(accepted({0, 0}, q, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, rng), (TokenIds{0, 1}));
        EXPECT_EQ(accepted({1, 1}, q, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, rng), (TokenIds{0}));
        const TokenIds found = accepted({0, 1}, q, {{0, 0, 0.5, 0.5}, {0, 0, 1, 0}, {0, 0, 1, 0}}, rng);
        EXPECT_TRUE(found.size() == 1 && found[0] >= 2)
            << "no token of q is one of p, and " << testing::PrintToString(found) << " came";
    }
}

TEST(speculative, rounding_may_leave_nothing) {
    // A draft that rounds: q is p or more everywhere.
    const Law p{1.0 / 3, 1.0 / 3, 1.0 / 3, 0.0}, q{0.34, 0.34, 0.34, 0.0};
    std::vector<std::size_t> counts(4, 0);
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Rng rng(seed);
        TokenIds found;
        try {
            found = accepted({0}, {q}, {p, p}, rng);
        } catch (const ValueError& error) {
            FAIL() << "it throws: " << error.what()
                   << likely_if(std::string_view(error.what()).starts_with("sample: all "),
                                "a token went although max(0, p - q) is 0 everywhere, so sample() has "
                                "nothing to draw from. Then draw "
                                "from p[i]")
                   << likely_if(std::string_view(error.what()).ends_with("NaN"),
                                "a token went although max(0, p - q) is 0 everywhere; 0 divided by a sum of "
                                "0 is NaN, and sample() "
                                "can't draw from that. Then draw from p[i]");
        }
        if (found.size() == 1) ++counts.at(static_cast<std::size_t>(found[0]));
    }
    const std::size_t all = counts[0] + counts[1] + counts[2];
    EXPECT_EQ(counts[3], 0u) << "a token came of which p is 0";
    EXPECT_GT(all, 10u);
    for (std::size_t token = 0; token < 3; ++token)
        EXPECT_GT(counts[token], 0u) << "nothing is left of max(0, p - q), so the token comes from p";
}

// The distribution of the first two tokens, with the measured shares in the place of probabilities:
//   sum over x', y' of q1(x') q2(y' | x') (…): x' stays or is replaced, and y' after it; where x' is replaced, the next round begins
TEST(speculative, two_tokens_have_the_distribution_of_the_large_model) {
    const Law p1{0.5, 0.3, 0.2}, q1{0.2, 0.2, 0.6};
    const Rows p2{{0.1, 0.6, 0.3}, {0.8, 0.1, 0.1}, {0.3, 0.3, 0.4}},
        q2{{0.5, 0.3, 0.2}, {0.3, 0.4, 0.3}, {0.3, 0.6, 0.1}};
    Law found(9, 0.0), right(9, 0.0);
    for (std::size_t x = 0; x < 3; ++x) {
        const auto token = static_cast<std::int64_t>(x);
        const double stays = share_that_stays(token, q1, p1);
        const Law other = law_of_replacement(token, q1, p1);
        for (std::size_t y = 0; y < 3; ++y) {
            right[x * 3 + y] = p1[x] * p2[x][y];
            for (std::size_t z = 0; z < 3; ++z)
                if (stays < 1.0) found[z * 3 + y] += q1[x] * (1.0 - stays) * other[z] * p2[z][y];
            const auto second = static_cast<std::int64_t>(y);
            const double second_stays = share_that_stays(second, q2[x], p2[x]);
            found[x * 3 + y] += q1[x] * stays * q2[x][y] * second_stays;
            if (second_stays == 1.0) continue;
            const Law other_second = law_of_replacement(second, q2[x], p2[x]);
            for (std::size_t z = 0; z < 3; ++z)
                found[x * 3 + z] += q1[x] * stays * q2[x][y] * (1.0 - second_stays) * other_second[z];
        }
    }
    EXPECT_TRUE(close_named("the distribution of two tokens", as_row(found), as_row(right), {0.0, 0.003}));
}

TEST(speculative, a_hundred_thousand_tokens_have_the_distribution_of_the_large_model) {
    Rng rng(11);
    const Rows q{draft_law}, p{large_law, large_law};
    std::vector<std::size_t> counts(5, 0);
    std::size_t gone = 0;
    for (std::size_t i = 0; i < 100000; ++i) {
        const TokenIds tokens = accepted({sample(draft_law, rng)}, q, p, rng);
        if (tokens.empty()) FAIL() << "no token comes: one more always comes behind those that stay";
        ++counts.at(static_cast<std::size_t>(tokens[0]));
        gone += tokens.size() == 1 ? 1 : 0;
    }
    EXPECT_LT(chi_squared(counts, large_law), 18.47) << "p < 0.001, with 4 degrees of freedom";
    EXPECT_NEAR(static_cast<double>(gone), 50000.0, 600.0) << "half of the drafts are wrong";
}

TEST(speculative, accepted_refuses_what_does_not_fit) {
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

const GenerationOptions greedy_12{.new_tokens = 12, .sampling = {.temperature = 0.0}};

TEST(speculative, the_text_is_that_of_the_large_model_whatever_the_draft) {
    ASSERT_TRUE(accepted_is_right());
    const TokenIds prompt{3, 1, 4};
    std::vector<SpeculativeCase> cases;
    const std::vector<Transformer> all = writers();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const LanguageModel model = language_model(all[i]);
        TokenIds text = prompt;
        for (const std::int64_t token : written_without_cache(model, prompt, greedy_12, Rng(1)))
            text.push_back(token);
        const std::vector<std::pair<std::string, Draft>> drafts{{"uniform", uniform_draft(11)},
                                                                {"wrong", wrong_draft_of(text, 11)},
                                                                {"perfect", draft_of(text, 11)},
                                                                {"random", scattered_draft(11)}};
        for (const auto& [name, draft] : drafts)
            for (const std::size_t length : {1U, 3U, 6U}) {
                cases.push_back({fmt::format("writer {}, a {} draft of {}", i, name, length), model, draft,
                                 prompt, length, greedy_12, length});
                const SpeculativeRun own = run_with(cases.back());
                ASSERT_EQ(TokenIds(text.begin() + 3, text.end()), own.result.text.tokens)
                    << "the test is wrong";
            }
    }
    EXPECT_TRUE(speculates_rightly(cases));
}

// A model of 5 tokens without weights. Its texts end by each of the four reasons, in each place of a draft.
SpeculativeCase small_case(const std::string& name, std::uint64_t seed, const GenerationOptions& options,
                           std::size_t prompt = 3) {
    TokenIds begin;
    for (std::size_t i = 0; i < prompt; ++i) begin.push_back(static_cast<std::int64_t>((seed + i) % 5));
    return {fmt::format("{}, draft of {}, seed {}", name, 1 + seed % 6, seed),
            small_model(5, 16, scattered_logits(5)),
            scattered_draft(5),
            begin,
            1 + seed % 6,
            options,
            seed};
}

TEST(speculative, the_loop_reads_each_token_once_and_forgets_what_went) {
    ASSERT_TRUE(accepted_is_right());
    std::vector<SpeculativeCase> cases;
    for (std::uint64_t seed = 1; seed <= 24; ++seed)
        cases.push_back(small_case("sampled", seed, {.new_tokens = 10, .sampling = {.temperature = 0.8}}));
    EXPECT_TRUE(speculates_rightly(cases));
}

TEST(speculative, the_draft_is_never_longer_than_the_room) {
    ASSERT_TRUE(accepted_is_right());
    std::vector<SpeculativeCase> cases;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        cases.push_back(small_case("few new tokens", seed, {.new_tokens = seed % 5}));
        cases.push_back(small_case("up to max_len", seed, {.new_tokens = 100}, 10 + seed % 7));
    }
    EXPECT_TRUE(speculates_rightly(cases));
    std::vector<ReadPass> passes;
    Rng rng(1);
    const LanguageModel model = watched(small_model(5, 16, scattered_logits(5)), passes);
    (void)generate_speculatively(model, uniform_draft(5), {1, 2}, 3, {.new_tokens = 1}, rng);
    EXPECT_EQ(passes.size(), 1u) << "one token needs one pass, and no draft";
}

TEST(speculative, nothing_stands_behind_the_end) {
    ASSERT_TRUE(accepted_is_right());
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
    ASSERT_TRUE(accepted_is_right());
    TokenIds told;
    Rng rng(3);
    const auto note = [&](std::size_t prompt, std::int64_t token) {
        told.push_back(token);
        return prompt == 0;
    };
    const SpeculativeCase one = small_case("", 3, {.new_tokens = 9, .end_id = 2, .on_token = note});
    const auto found = generate_speculatively(one.model, one.draft, one.prompt, one.length, one.options, rng);
    EXPECT_EQ(told, found.text.tokens);
}

TEST(speculative, rules_and_sampling_are_those_of_the_large_model) {
    ASSERT_TRUE(accepted_is_right());
    const LogitsRule none_of_the_last_two = [](std::span<const std::int64_t> text, std::span<float> logits) {
        for (const std::int64_t token : text.last(2)) logits[static_cast<std::size_t>(token)] = -INFINITY;
    };
    std::vector<SpeculativeCase> cases;
    for (std::uint64_t seed = 1; seed <= 16; ++seed)
        cases.push_back(small_case("with a rule", seed,
                                   {.new_tokens = 10,
                                    .sampling = {.temperature = 0.5, .top_k = 2},
                                    .rules = {none_of_the_last_two}}));
    EXPECT_TRUE(speculates_rightly(cases));
    for (SpeculativeCase one : cases) {
        one.draft = uniform_draft(5);
        TokenIds text = one.prompt;
        for (const std::int64_t token : run_of_step(one).result.text.tokens) {
            EXPECT_NE(token, text.end()[-1]) << "the rule forbids it";
            EXPECT_NE(token, text.end()[-2]) << "the rule forbids it";
            text.push_back(token);
        }
    }
}

// After 0 comes 1, after 1 comes 2 …; after a text in which that is not so, nothing may come, nor behind the end.
TEST(speculative, a_rule_is_not_asked_of_texts_that_can_not_come) {
    ASSERT_TRUE(accepted_is_right());
    const LogitsRule one_more = [](std::span<const std::int64_t> text, std::span<float> logits) {
        bool right = text.front() != 4;
        for (std::size_t i = 1; i < text.size(); ++i)
            right = right && text[i] == text[i - 1] + 1 && text[i] < 4;
        for (std::size_t id = 0; id < logits.size(); ++id)
            if (!right || static_cast<std::int64_t>(id) != text.back() + 1) logits[id] = -INFINITY;
    };
    std::vector<SpeculativeCase> cases;
    for (std::uint64_t seed = 0; seed <= 20; ++seed) {
        cases.push_back(small_case("a rule with dead ends", seed,
                                   {.new_tokens = 9, .end_id = 4, .rules = {one_more}}, 1));
        cases.back().prompt = {static_cast<std::int64_t>(seed % 3)};
        if (seed % 2 == 0) cases.back().draft = draft_of({0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4}, 5);
    }
    EXPECT_TRUE(speculates_rightly(cases));
}

TEST(speculative, it_counts_passes_and_tokens) {
    ASSERT_TRUE(accepted_is_right());
    const LanguageModel model = small_model(5, 40, scattered_logits(5));
    const TokenIds prompt{1, 2};
    for (std::size_t tokens = 1; tokens <= 13; ++tokens)
        for (std::size_t length = 1; length <= 6; ++length) {
            const GenerationOptions options{.new_tokens = tokens, .sampling = {.temperature = 0.0}};
            TokenIds text = prompt;
            for (const std::int64_t token : written_without_cache(model, prompt, options, Rng(1)))
                text.push_back(token);
            Rng rng(1);
            const Speculation perfect = generate_speculatively(model, draft_of(text, 5), prompt, length,
                                                               options, rng),
                              wrong = generate_speculatively(model, wrong_draft_of(text, 5), prompt, length,
                                                             options, rng);
            const std::size_t passes = (tokens + length) / (length + 1);  // length + 1 tokens each
            ASSERT_EQ(perfect.text.tokens, wrong.text.tokens);
            ASSERT_EQ(perfect.passes, passes) << tokens << " tokens with a perfect draft of " << length;
            ASSERT_EQ(perfect.drafted, tokens - passes) << "each pass adds one token that nobody drafted";
            ASSERT_EQ(perfect.kept, perfect.drafted);
            ASSERT_EQ(wrong.passes, tokens) << "with a draft that is always wrong, a pass gives one token";
            ASSERT_EQ(wrong.kept, 0u);
        }
}

TEST(speculative, two_sampled_tokens_have_the_distribution_of_the_large_model) {
    ASSERT_TRUE(accepted_is_right());
    const auto logits = scattered_logits(4);
    const LanguageModel model = small_model(4, 8, logits);
    Law law;
    for (std::int64_t x = 0; x < 4; ++x) {
        const Law first = token_probabilities(logits(TokenIds{1})),
                  second = token_probabilities(logits(TokenIds{1, x}));
        for (const double p : second) law.push_back(first[static_cast<std::size_t>(x)] * p);
    }
    std::vector<std::size_t> counts(16, 0);
    Rng rng(5);
    for (std::size_t i = 0; i < 3000; ++i) {
        const TokenIds tokens =
            generate_speculatively(model, scattered_draft(4), {1}, 2, {.new_tokens = 3}, rng).text.tokens;
        ASSERT_EQ(tokens.size(), 3u);
        ++counts.at(static_cast<std::size_t>(tokens[0] * 4 + tokens[1]));
    }
    EXPECT_LT(chi_squared(counts, law), 37.70) << "p < 0.001, with 15 degrees of freedom";
}

TEST(speculative, generate_speculatively_refuses_what_generate_refuses) {
    const LanguageModel model = small_model(5, 6, scattered_logits(5));
    const auto refused = [&](const TokenIds& prompt, std::size_t length, const GenerationOptions& options,
                             const std::vector<std::string>& named) {
        Rng rng(1);
        EXPECT_TRUE(refuses<ValueError>(
            [&] { (void)generate_speculatively(model, uniform_draft(5), prompt, length, options, rng); },
            named));
    };
    Rng rng(1);
    EXPECT_EQ(generate_speculatively(model, uniform_draft(5), {1, 2, 3, 4, 1, 2}, 3, {}, rng).text.ended,
              Ended::full);
    refused({}, 3, {}, {"empty"});
    refused({1, 2, 3, 4, 0, 1, 2}, 3, {}, {"7", "6"});
    refused({1}, 0, {}, {"at least 1"});
    refused({1}, 3, {.window = 4}, {"window"});
    refused({1}, 3, {.sampling = {.temperature = -1.0}}, {"-1"});
    refused({1}, 3, {.sampling = {.top_p = 0.0}}, {"top_p"});
    const Draft of_4 = uniform_draft(4);
    EXPECT_TRUE(
        refuses<ValueError>([&] { (void)generate_speculatively(model, of_4, {1}, 2, {}, rng); }, {"4", "5"}));
}

}  // namespace
}  // namespace tfs::test
