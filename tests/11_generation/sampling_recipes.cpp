// tests/11_generation/sampling_recipes.cpp · probabilities of tokens from a sorted list of those that are left, filter by filter
#include "tests/11_generation/sampling_recipes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tfs::test::recipes {

void keep(Left& left, std::size_t count) {
    left.tokens.resize(std::min(count, left.tokens.size()), Token{0.0L, 0});
}

void divide(Left& left, const Sampling&) {
    long double sum = 0.0L;
    for (const Token& token : left.tokens) sum += token.p;
    for (Token& token : left.tokens) token.p /= sum;
}

void top_k(Left& left, const Sampling& s) { keep(left, s.top_k); }

Filter top_p_where(const std::function<bool(long double before, long double with, double top_p)>& goes) {
    return [goes](Left& left, const Sampling& s) {
        if (s.top_p == 1.0) return;
        long double sum = 0.0L;
        std::size_t count = 0;
        for (; count < left.tokens.size(); ++count) {
            const long double before = sum;
            sum += left.tokens[count].p;
            if (count > 0 && goes(before, sum, s.top_p)) break;
        }
        keep(left, count);
    };
}

void top_p(Left& left, const Sampling& s) {
    top_p_where([](long double before, long double, double limit) { return before >= limit; })(left, s);
}

Filter min_p_where(const std::function<long double(const Left&, double min_p)>& least, bool equal_stays) {
    return [=](Left& left, const Sampling& s) {
        const long double limit = least(left, s.min_p);
        const auto goes = [&](const Token& token) {
            return equal_stays ? token.p < limit : token.p <= limit;
        };
        left.tokens.erase(std::remove_if(left.tokens.begin(), left.tokens.end(), goes), left.tokens.end());
    };
}

long double of_largest(const Left& left, double share) {
    long double largest = 0.0L;
    for (const Token& token : left.tokens) largest = std::max(largest, token.p);
    return share * largest;
}

void min_p(Left& left, const Sampling& s) { min_p_where(of_largest, true)(left, s); }

namespace {

// exp(scores), divided by the sum.
std::vector<long double> softmax_of(const std::vector<long double>& scores) {
    const long double largest = *std::max_element(scores.begin(), scores.end());
    std::vector<long double> p(scores.size());
    std::transform(scores.begin(), scores.end(), p.begin(),
                   [&](long double score) { return std::exp(score - largest); });
    const long double sum = std::accumulate(p.begin(), p.end(), 0.0L);
    for (long double& one : p) one /= sum;
    return p;
}

std::vector<long double> heated(const SamplingCase& one, Heat heat) {
    const long double t = one.sampling.temperature;
    std::vector<long double> scores(one.logits.begin(), one.logits.end());
    if (heat == Heat::of_probabilities) scores = softmax_of(scores);
    for (long double& score : scores) {
        if (heat == Heat::divides || heat == Heat::of_probabilities) score /= t;
        if (heat == Heat::multiplies) score *= t;
    }
    return softmax_of(scores);
}

}  // namespace

std::vector<double> made_by(const Recipe& recipe, const SamplingCase& one) {
    std::vector<double> result(one.logits.size(), 0.0);
    if (one.sampling.temperature == 0.0) {
        result[static_cast<std::size_t>(std::max_element(one.logits.begin(), one.logits.end()) -
                                        one.logits.begin())] = 1.0;
        return result;
    }
    const std::vector<long double> p = heated(one, recipe.heat);
    Left left;
    for (std::size_t id = 0; id < p.size(); ++id)
        if (p[id] > 0.0L) left.tokens.push_back({p[id], id});
    std::sort(left.tokens.begin(), left.tokens.end(), [&](const Token& a, const Token& b) {
        if (recipe.order == Order::ids) return a.id < b.id;
        if (a.p != b.p) return a.p > b.p;
        return recipe.order == Order::smaller_id_first ? a.id < b.id : a.id > b.id;
    });
    left.largest_at_first = of_largest(left, 1.0);
    for (const Filter& filter : recipe.filters) filter(left, one.sampling);
    if (recipe.heat == Heat::of_what_is_left) {
        for (Token& token : left.tokens) token.p = std::pow(token.p, 1.0L / one.sampling.temperature);
        divide(left, one.sampling);
    }
    for (const Token& token : left.tokens) result[token.id] = static_cast<double>(token.p);
    return result;
}

}  // namespace tfs::test::recipes
