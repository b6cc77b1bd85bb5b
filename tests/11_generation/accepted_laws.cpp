// tests/11_generation/accepted_laws.cpp · the law of accepted(), measured, and laws that it may have by mistake
#include "tests/11_generation/accepted_laws.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "chapters/11_generation/given/generation_checks.hpp"
#include "tests/11_generation/accepted_suspects.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

Tensor as_row(const Law& law) {
    return Tensor::from({law.size()}, std::vector<float>(law.begin(), law.end()));
}

namespace {

constexpr std::size_t parts = 500;

// Calls use(rng) with generators whose draw number `which` (0 is the first) falls once into each of `parts` equal parts of [0, 1). If
// it returns false, another one with a draw in this part comes.
void with_even_draws(std::size_t which, const std::function<bool(Rng&)>& use) {
    Rng walk(7);  // `draws` are its next ones
    std::vector<double> draws;
    for (Rng ahead = walk; draws.size() <= 100 * parts + which;) draws.push_back(ahead.uniform());
    std::vector<bool> filled(parts, false);
    std::size_t left = parts;
    for (std::size_t i = 0; i + which < draws.size() && left > 0; ++i, (void)walk.uniform()) {
        const auto part = static_cast<std::size_t>(draws[i + which] * static_cast<double>(parts));
        if (filled[part]) continue;
        Rng rng = walk;
        if (!use(rng)) continue;
        filled[part] = true;
        --left;
    }
}

DraftedCase with_a_mark(std::int64_t token, std::vector<double> q, std::vector<double> p) {
    std::vector<double> mark(q.size() + 1, 0.0);
    mark.back() = 1.0;
    q.push_back(0.0), p.push_back(0.0);
    return {{token}, {q}, {p, mark}};
}

}  // namespace

double share_that_stays(std::int64_t token, const std::vector<double>& q, const std::vector<double>& p) {
    const DraftedCase one = with_a_mark(token, q, p);
    std::size_t stays = 0;
    with_even_draws(0, [&](Rng& rng) {
        const TokenIds tokens = accepted(one.tokens, one.q, one.p, rng);
        stays += tokens.size() == 2 && tokens[0] == token ? 1 : 0;
        return true;
    });
    return static_cast<double>(stays) / static_cast<double>(parts);
}

std::vector<double> law_of_replacement(std::int64_t token, const std::vector<double>& q,
                                       const std::vector<double>& p) {
    const DraftedCase one = with_a_mark(token, q, p);
    std::vector<double> law(q.size() + 1, 0.0);
    with_even_draws(1, [&](Rng& rng) {
        const TokenIds tokens = accepted(one.tokens, one.q, one.p, rng);
        if (tokens.size() != 1) return false;
        law[static_cast<std::size_t>(tokens[0])] += 1.0 / static_cast<double>(parts);
        return true;
    });
    law.pop_back();
    return law;
}

namespace {

// f(p, q) for each token, and divided by the sum.
template <class F>
Law each_of(const Law& p, const Law& q, const F& f) {
    Law result;
    for (std::size_t i = 0; i < p.size(); ++i) result.push_back(f(p[i], q[i]));
    return result;
}
template <class F>
Law law_of(const Law& p, const Law& q, const F& f) {
    Law result = each_of(p, q, f);
    divide_by_sum(result);
    return result;
}

}  // namespace

testing::AssertionResult stays_as_often_as_it_should(const Law& p, const Law& q) {
    Law found;
    for (std::int64_t token = 0; token < 5; ++token) found.push_back(share_that_stays(token, q, p));
    const auto wrong = [&](const auto& f) { return [&, f] { return as_row(each_of(p, q, f)); }; };
    return (close_named(
        "how often each token stays", as_row(found),
        as_row(each_of(p, q, [](double a, double b) { return std::min(1.0, a / b); })), {0.0, 0.0045},
        {{"a token stays with probability q/p; it is p/q: what the draft likes too much goes",
          wrong([](double a, double b) { return a == 0.0 ? 1.0 : std::min(1.0, b / a); })},
         {"a token stays where p is q or more, and never else (as a greedy choice would have it); it stays "
          "with "
          "probability p/q there",
          wrong([](double a, double b) { return a >= b ? 1.0 : 0.0; })},
         {"a token stays with probability p; it was drafted with probability q already, so it must be p/q",
          wrong([](double a, double) { return a; })},
         {"a token stays with probability 1 - p/q; that is how often it goes",
          wrong([](double a, double b) { return std::max(0.0, 1.0 - a / b); })},
         {"all tokens stay; each of them is asked with a draw of its own",
          wrong([](double, double) { return 1.0; })},
         {"a token stays with probability 1 - (q - p); it is p/q, which also is 1 less the EXCESS of q, but "
          "in parts of q",
          wrong([](double a, double b) { return std::min(1.0, 1.0 - (b - a)); })},
         {"no token ever stays", wrong([](double, double) { return 0.0; })}}));
}

testing::AssertionResult is_replaced_by_the_rest(const Law& p, const Law& q) {
    const auto rest = [](double a, double b) { return std::max(0.0, a - b); };
    const auto wrong = [&](const auto& f) { return [&, f] { return as_row(law_of(p, q, f)); }; };
    const Tensor found = as_row(law_of_replacement(1, q, p));
    return (close_named(
        "the law of the token in place of one that went", found, as_row(law_of(p, q, rest)), {0.0, 0.006},
        {{"the token in place of one that went is drawn from p; it comes from max(0, p - q), divided by its "
          "sum, because "
          "the draft brought the rest of p already",
          wrong([](double a, double) { return a; })},
         {"the token in place of one that went is drawn from q, again from the draft; it comes from max(0, p "
          "- q), divided "
          "by its sum",
          wrong([](double, double b) { return b; })},
         {"the token in place of one that went comes from |p - q|; what is negative becomes 0",
          wrong([](double a, double b) { return std::abs(a - b); })},
         {"the token in place of one that went comes from max(0, q - p); it is p - q",
          wrong([](double a, double b) { return std::max(0.0, b - a); })},
         {"max(0, p - q) is not divided by its sum: its probabilities do not add up to 1, so the last token "
          "gets all that is "
          "missing",
          [&] {
              Law law = each_of(p, q, rest);
              law[3] += 1.0 - law[0] - law[3];
              return as_row(law);
          }},
         {"the likeliest of max(0, p - q) is taken; it is drawn",
          [] {
              return as_row({1, 0, 0, 0, 0});
          }},
         {"the token that went is left out of p, and the rest is p as it was; it is max(0, p - q) for every "
          "token",
          [&] {
              Law law = p;
              law[1] = 0.0;
              divide_by_sum(law);
              return as_row(law);
          }}}));
}

}  // namespace tfs::test
