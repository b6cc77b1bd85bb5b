// tests/11_generation/accepted_laws.cpp · the law of accepted(), measured, and laws that it may have by mistake
#include "tests/11_generation/accepted_laws.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

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
        stays += tokens == TokenIds{token, static_cast<std::int64_t>(q.size())} ? 1 : 0;
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

using OfOneToken = double (*)(double p, double q);

// A law that is a function of p and q of each token, and what to tell whose law it is.
struct WrongLaw {
    std::string message;
    OfOneToken f;
};

Law each_of(const Law& p, const Law& q, OfOneToken f) {
    Law result;
    for (std::size_t i = 0; i < p.size(); ++i) result.push_back(f(p[i], q[i]));
    return result;
}

// The same, divided by its sum.
Law shares_of(const Law& p, const Law& q, OfOneToken f) {
    Law result = each_of(p, q, f);
    divide_by_sum(result);
    return result;
}

bool is(const Law& found, const Law& other, double tolerance) {
    return std::equal(found.begin(), found.end(), other.begin(),
                      [tolerance](double a, double b) { return std::abs(a - b) <= tolerance; });
}

constexpr double most_off = 0.0045;

const std::vector<WrongLaw> wrong_shares{
    {"a token stays with probability q/p; it is p/q: what the draft likes too much goes",
     [](double p, double q) { return p == 0.0 ? 1.0 : std::min(1.0, q / p); }},
    {"a token stays where p is q or more, and never else, as a greedy choice would have it; where p is less, "
     "it stays with "
     "probability p/q",
     [](double p, double q) { return p >= q ? 1.0 : 0.0; }},
    {"a token stays with probability p; it was drafted with probability q already, so it must be p/q",
     [](double p, double) { return p; }},
    {"a token stays with probability 1 - p/q; that is how often it goes",
     [](double p, double q) { return std::max(0.0, 1.0 - p / q); }},
    {"all tokens stay; each of them is asked with a draw of its own", [](double, double) { return 1.0; }},
    {"a token stays with probability 1 - (q - p); it goes with the probability (q - p) / q",
     [](double p, double q) { return std::min(1.0, 1.0 - (q - p)); }},
    {"no token ever stays", [](double, double) { return 0.0; }}};

const std::string comes_from_the_rest = "; it comes from max(0, p - q), divided by its sum";

const std::vector<WrongLaw> wrong_replacements{
    {"the token in place of one that went is drawn from p" + comes_from_the_rest +
         ", because the draft has brought the rest of p already",
     [](double p, double) { return p; }},
    {"the token in place of one that went is drawn from q, again from the draft" + comes_from_the_rest,
     [](double, double q) { return q; }},
    {"the token in place of one that went comes from |p - q|; where p is less than q, the rest is 0",
     [](double p, double q) { return std::abs(p - q); }},
    {"the token in place of one that went comes from max(0, q - p); it is p - q",
     [](double p, double q) { return std::max(0.0, q - p); }},
    {"the tokens of which p is more than q come as p says; each of them comes as max(0, p - q) says",
     [](double p, double q) { return p > q ? p : 0.0; }},
    {"the tokens of which p is more than q come equally often; each of them comes as max(0, p - q) says",
     [](double p, double q) { return p > q ? 1.0 : 0.0; }}};

}  // namespace

testing::AssertionResult stays_as_often_as_it_should(const Law& p, const Law& q) {
    Law found;
    for (std::size_t token = 0; token < p.size(); ++token)
        found.push_back(share_that_stays(static_cast<std::int64_t>(token), q, p));
    const Law right = each_of(p, q, [](double a, double b) { return std::min(1.0, a / b); });
    testing::AssertionResult result =
        close_named("how often each token stays", as_row(found), as_row(right), {0.0, most_off});
    for (const auto& [message, f] : wrong_shares)
        result << likely_if(!result && is(found, each_of(p, q, f), most_off), message);
    return result;
}

testing::AssertionResult is_replaced_by_the_rest(const Law& p, const Law& q, std::size_t gone) {
    const OfOneToken rest = [](double a, double b) { return std::max(0.0, a - b); };
    const Law found = law_of_replacement(static_cast<std::int64_t>(gone), q, p);
    testing::AssertionResult result =
        close_named("the distribution of the token in place of one that went", as_row(found),
                    as_row(shares_of(p, q, rest)), {0.0, most_off});
    if (result) return result;
    for (const auto& [message, f] : wrong_replacements)
        result << likely_if(is(found, shares_of(p, q, f), most_off), message);
    const Law right = each_of(p, q, rest);
    Law undivided = right, likeliest(p.size(), 0.0), without = p;
    const auto last = std::find_if(right.rbegin(), right.rend(), [](double r) { return r > 0.0; });
    undivided[static_cast<std::size_t>(right.rend() - last) - 1] +=
        1.0 - std::accumulate(right.begin(), right.end(), 0.0);
    likeliest[static_cast<std::size_t>(std::max_element(right.begin(), right.end()) - right.begin())] = 1.0;
    without[gone] = 0.0;
    divide_by_sum(without);
    return result << likely_if(is(found, undivided, most_off),
                               "max(0, p - q) is not divided by its sum: its probabilities do not add up to "
                               "1, so the last "
                               "token gets all that is missing")
                  << likely_if(is(found, likeliest, most_off),
                               "the likeliest of max(0, p - q) is taken; it is drawn")
                  << likely_if(is(found, without, most_off),
                               "the token that went is left out of p, and the others stay as they were" +
                                   comes_from_the_rest);
}

}  // namespace tfs::test
