// tests/11_generation/accepted_suspects.cpp · accepted() written for the test, with one thing done wrong
#include "tests/11_generation/accepted_suspects.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "chapters/11_generation/given/generation_checks.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

namespace {

// Whether each token stays, as far as that is asked. `n` of them if all do.
std::size_t first_that_goes(const DraftedCase& one, Rng& rng, Choice choice) {
    const std::size_t n = one.tokens.size();
    const double once = choice == Choice::one_draw_for_all && n > 0 ? rng.uniform() : 0.0;
    std::size_t first = n;
    for (std::size_t i = 0; i < n; ++i) {
        if (choice == Choice::last_alone_is_checked && i + 1 < n) continue;
        const auto token = static_cast<std::size_t>(one.tokens[i]);
        const double p = one.p[i][token], q = one.q[i][token];
        if (choice == Choice::no_draw_where_p_is_larger && p >= q) continue;
        double u = choice == Choice::one_draw_for_all ? once : rng.uniform();
        if (choice == Choice::other_way_round) u = 1.0 - u;
        if (u * q < p || first < n) continue;
        first = i;
        if (choice != Choice::all_draws_first) return i;
    }
    return first;
}

std::vector<double> rest_at(const DraftedCase& one, std::size_t i, std::size_t of_p) {
    std::vector<double> rest(one.p[i].size());
    for (std::size_t j = 0; j < rest.size(); ++j) rest[j] = std::max(0.0, one.p[of_p][j] - one.q[i][j]);
    divide_by_sum(rest);
    return rest;
}

// Like accepted(), but the tokens behind one that went are still asked.
TokenIds each_by_itself(const DraftedCase& one, Rng& rng) {
    TokenIds result;
    for (std::size_t i = 0; i < one.tokens.size(); ++i) {
        const auto token = static_cast<std::size_t>(one.tokens[i]);
        const bool stays = rng.uniform() * one.q[i][token] < one.p[i][token];
        result.push_back(stays ? one.tokens[i] : sample(rest_at(one, i, i), rng));
    }
    result.push_back(sample(one.p.back(), rng));
    return result;
}

TokenIds drawn_again(const DraftedCase& one, Rng& rng) {
    TokenIds result;
    for (std::size_t i = 0; i < one.tokens.size(); ++i) {
        const auto token = static_cast<std::size_t>(one.tokens[i]);
        const bool stays = rng.uniform() * one.q[i][token] < one.p[i][token];
        result.push_back(sample(stays ? one.p[i] : rest_at(one, i, i), rng));
        if (!stays) return result;
    }
    result.push_back(sample(one.p.back(), rng));
    return result;
}

}  // namespace

TokenIds accepted_with(const DraftedCase& one, Rng& rng, Choice choice) {
    if (choice == Choice::the_rest_is_checked) return each_by_itself(one, rng);
    if (choice == Choice::staying_token_drawn_again) return drawn_again(one, rng);
    const Rng before_any = rng;
    const std::size_t n = one.tokens.size(), i = first_that_goes(one, rng, choice);
    const bool all = i == n;
    TokenIds result(one.tokens.begin(), one.tokens.begin() + static_cast<std::ptrdiff_t>(i));
    if (all && choice == Choice::last_left_out) return result;
    if (!all && choice == Choice::token_stays_too) result.push_back(one.tokens[i]);
    const bool before = choice == Choice::last_of_the_place_before && n > 0;
    std::size_t of_p = choice == Choice::replacement_of_the_next_place ? i + 1 : i;
    if (choice == Choice::replacement_of_the_last_place) of_p = n;
    if (!all && choice == Choice::replacement_with_the_same_draw) {
        rng = before_any;
        for (std::size_t draw = 0; draw < i; ++draw) (void)rng.uniform();
    }
    result.push_back(sample(all ? one.p[before ? n - 1 : n] : rest_at(one, i, of_p), rng));
    return result;
}

std::vector<DraftedCase> drafted_cases(std::size_t count, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<DraftedCase> all(count);
    for (DraftedCase& one : all) {
        const std::size_t n = rng.below(6), vocab = 3 + rng.below(4);
        const auto some = [&] {
            std::vector<double> p(vocab);
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

namespace {

const std::vector<std::pair<Choice, std::string>> known_choices{
    {Choice::last_left_out, "where all tokens stay, one more comes behind them, from p[n]: it is left out"},
    {Choice::token_stays_too, "the token that went is returned, too, in front of the one in its place"},
    {Choice::the_rest_is_checked,
     "behind a token that went, the others are still asked: they were drafted after a text that is not there "
     "any "
     "more, so all of them go"},
    {Choice::last_alone_is_checked, "only the last drafted token is asked; each of them may go"},
    {Choice::staying_token_drawn_again,
     "a token that stays is drawn again, from p: it stays as it was drafted"},
    {Choice::other_way_round,
     "the draw is read the other way round: a token stays if u is BELOW p/q; so are the draws of everybody "
     "alike"},
    {Choice::one_draw_for_all, "one draw decides over all tokens; each needs a draw of its own"},
    {Choice::all_draws_first,
     "behind a token that went, draws are still made for the others; the next draw is for the token in its "
     "place"},
    {Choice::no_draw_where_p_is_larger,
     "no draw is made where p is q or more; the contract has one draw for each token, until the first goes"},
    {Choice::replacement_of_the_next_place,
     "the token in place of drafted token i comes from p[i + 1]; p[i] is at its place"},
    {Choice::replacement_of_the_last_place,
     "the token in place of drafted token i comes from p[n]; p[i] is at its place"},
    {Choice::replacement_with_the_same_draw,
     "the token in place of one that went is drawn with the same u by which that one went; it needs a draw "
     "of its own"},
    {Choice::last_of_the_place_before,
     "where all tokens stay, the one behind them comes from p[n - 1]; that is the place of the last drafted "
     "one, p[n] is "
     "behind it"}};

struct Outcome {
    TokenIds tokens;
    std::string state;  // of the Rng, afterwards
};

std::vector<Outcome> outcomes(const std::vector<DraftedCase>& cases,
                              const std::function<TokenIds(const DraftedCase&, Rng&)>& choose) {
    std::vector<Outcome> all;
    Rng seeds(5);
    for (const DraftedCase& one : cases) {
        Rng rng(seeds.below(1000000));
        const TokenIds tokens = choose(one, rng);
        all.push_back({tokens, rng.state()});
    }
    return all;
}

bool same_tokens(const std::vector<Outcome>& a, const std::vector<Outcome>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Outcome& x, const Outcome& y) { return x.tokens == y.tokens; });
}

}  // namespace

testing::AssertionResult accepts_rightly(const std::vector<DraftedCase>& cases) {
    const auto by_the_test = [&](Choice choice) {
        return outcomes(
            cases, [choice](const DraftedCase& one, Rng& rng) { return accepted_with(one, rng, choice); });
    };
    const auto found = outcomes(
        cases, [](const DraftedCase& one, Rng& rng) { return accepted(one.tokens, one.q, one.p, rng); });
    const auto right = by_the_test(Choice::right);
    std::size_t wrong = 0, first = cases.size(), states = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        wrong += found[i].tokens != right[i].tokens ? 1 : 0;
        states += found[i].state != right[i].state ? 1 : 0;
        if (wrong == 1 && first == cases.size()) first = i;
    }
    note_came(fmt::format("{} of {} wrong", wrong, cases.size()));
    if (wrong == 0 && states == 0) return testing::AssertionSuccess();
    if (wrong == 0)
        return testing::AssertionFailure()
               << "the tokens are right, but in " << states << " of " << cases.size()
               << " cases not as many draws were "
               << "made as the contract says"
               << likely_if(
                      true,
                      "a draw too many or too few: one for each token until the first goes, and one more");
    testing::AssertionResult failure = testing::AssertionFailure();
    failure << fmt::format(
        "{} of {} drafts end wrongly. The first: of [{}] and what follows came [{}], expected [{}]", wrong,
        cases.size(), fmt::join(cases[first].tokens, " "), fmt::join(found[first].tokens, " "),
        fmt::join(right[first].tokens, " "));
    for (const auto& [choice, message] : known_choices)
        if (same_tokens(found, by_the_test(choice))) return failure << likely_if(true, message);
    return failure;
}

}  // namespace tfs::test
