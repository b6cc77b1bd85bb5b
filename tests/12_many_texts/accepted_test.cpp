// tests/12_many_texts/accepted_test.cpp · step accepted: tokens as the large model would draw them
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "chapters/12_many_texts/given/many_texts.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Law = std::vector<double>;  // the probabilities of all tokens
using Laws = std::vector<Law>;

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

TEST(accepted, all_stay_where_the_draft_is_the_large_model) {
    const Law law{0.4, 0.3, 0.1, 0.1, 0.1}, three{0, 0, 0, 1, 0};
    EXPECT_TRUE(accepts_rightly({{{}, {}, {three}},
                                 {{2}, {law}, {law, three}},
                                 {{0, 1, 4, 0}, Laws(4, law), {law, law, law, law, three}}}));
}

TEST(accepted, at_the_first_that_goes_all_behind_it_go) {
    // Tokens 0 and 1 by turns; p has nothing of the one at `goes`, and 2 comes there.
    std::vector<DraftedCase> cases;
    for (std::size_t goes = 0; goes < 4; ++goes) {
        cases.push_back({{0, 1, 0, 1}, Laws(4, {0.5, 0.5, 0.0}), Laws(5, {0.5, 0.5, 0.0})});
        cases.back().p[goes] = {goes % 2 == 0 ? 0.0 : 0.5, goes % 2 == 0 ? 0.5 : 0.0, 0.5};
    }
    EXPECT_TRUE(accepts_rightly(cases));
}

TEST(accepted, tokens_stay_and_come_as_p_and_q_say) { EXPECT_TRUE(accepts_rightly(drafted_cases(80, 1))); }

// Temperature 0: the draft stays as long as it hits the largest logit.
TEST(accepted, p_may_be_one_hot_or_disjoint_from_q) {
    const Laws q{{0.7, 0.3, 0, 0}, {0.5, 0.5, 0, 0}}, p{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    EXPECT_TRUE(accepts_rightly(
        {{{0, 1}, q, p}, {{0, 0}, q, p}, {{1, 1}, q, p}, {{0, 1}, q, {{0, 0, 0, 1}, p[1], p[2]}}}));
}

// A draft that rounds: q is p or more everywhere. A token goes, and nothing is left of max(0, p - q): then one comes from p.
TEST(accepted, rounding_may_leave_nothing) {
    const Law p{0.2, 0.3, 0.5, 0.0}, q{0.9, 0.3, 0.52, 0.0}, behind{0.0, 0.0, 0.0, 1.0};
    EXPECT_TRUE(accepts_rightly(std::vector<DraftedCase>(12, {{0}, {q}, {p, behind}})));
}

}  // namespace
}  // namespace tfs::test
