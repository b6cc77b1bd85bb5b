// tests/11_generation/draws_suspects.cpp · tokens that sample draws, how often each, and which classic mistake draws them
#include "tests/11_generation/draws_suspects.hpp"

#include <algorithm>
#include <numeric>

#include "tests/11_generation/chosen_draws.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

// A token for each u; `takes` is asked with the sum before a token, and with it.
template <class Takes>
TokenIds tokens_where(const std::vector<double>& p, const std::vector<double>& us, const TokenIds& ids,
                      const Takes& takes) {
    TokenIds tokens;
    for (const double u : us) {
        double before = 0.0;
        std::int64_t found = -1, last = -1;
        for (const std::int64_t id : ids) {
            const double one = p[static_cast<std::size_t>(id)];
            if (found < 0 && takes(u, before, before + one)) found = id;
            if (one > 0.0) last = id;
            before += one;
        }
        tokens.push_back(found < 0 ? last : found);
    }
    return tokens;
}

TokenIds ids_of(const std::vector<double>& p) {
    TokenIds ids(p.size());
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}

}  // namespace

TokenIds sampled(const std::vector<double>& p, const std::vector<double>& us) {
    TokenIds tokens;
    for (const double u : us) {
        Rng rng = rng_that_draws({u});
        tokens.push_back(sample(p, rng));
    }
    return tokens;
}

double chi_squared_of_counts(const std::vector<double>& counts, const std::vector<double>& p, double draws) {
    double sum = 0.0;
    for (std::size_t id = 0; id < p.size(); ++id)
        sum += (counts[id] - draws * p[id]) * (counts[id] - draws * p[id]) / (draws * p[id]);
    return sum;
}

std::string cause_of_draws(const std::vector<double>& p, const std::vector<double>& us,
                           const TokenIds& found) {
    TokenIds forward = ids_of(p), backward(forward.rbegin(), forward.rend()), sorted = forward;
    const auto at = [&](std::int64_t id) { return p[static_cast<std::size_t>(id)]; };
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](std::int64_t a, std::int64_t b) { return at(a) > at(b); });
    const auto above = [](double u, double, double with) { return u < with; };
    const auto reached = [](double u, double, double with) { return u <= with; };
    const auto reached_by_some = [](double u, double before, double with) {
        return u <= with && with > before;
    };
    const auto alone = [](double u, double before, double with) { return u < with - before; };
    const auto beyond = [](double u, double before, double) { return u < before; };
    const auto all = [&](std::int64_t id) { return TokenIds(us.size(), id); };
    TokenIds equal_parts;
    for (const double u : us)
        equal_parts.push_back(static_cast<std::int64_t>(u * static_cast<double>(p.size())));
    const auto one_more = [](TokenIds tokens) {
        for (std::int64_t& token : tokens) ++token;
        return tokens;
    };
    const std::string not_equal = "a token is taken where the sum equals u; the sum must be above u";
    return likely_if(found == tokens_where(p, us, forward, reached),
                     not_equal + ". Here u = 0 takes a token of probability 0") +
           likely_if(found == tokens_where(p, us, forward, reached_by_some), not_equal) +
           likely_if(found == tokens_where(p, us, backward, above) ||
                         found == tokens_where(p, us, backward, reached),
                     "the sum begins with the last token; it begins with token 0") +
           likely_if(found == tokens_where(p, us, sorted, above),
                     "the sum begins with the largest probability; it goes through the tokens by their ids") +
           likely_if(found == all(sorted[0]), "the likeliest token comes always; it must be drawn") +
           likely_if(found == equal_parts, "each token comes equally often; its probability says how often") +
           likely_if(found == tokens_where(p, us, forward, alone),
                     "u is compared with each probability; it is compared with the sum of them so far") +
           likely_if(found == tokens_where(p, us, forward, beyond) ||
                         found == one_more(tokens_where(p, us, forward, above)),
                     "the token behind the right one is taken: the sum counts the token itself");
}

}  // namespace tfs::test
