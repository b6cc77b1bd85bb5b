// tests/11_generation/sampling_suspects.cpp · which classic mistake gives the probabilities that came
#include "tests/11_generation/sampling_suspects.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tests/11_generation/sampling_recipes.hpp"

namespace tfs::test {
namespace recipes {
namespace {

Filter top_k_of(int more) {
    return [=](Left& left, const Sampling& s) {
        if (s.top_k != Sampling::all) keep(left, static_cast<std::size_t>(static_cast<int>(s.top_k) + more));
    };
}

void top_k_and_equal_ones(Left& left, const Sampling& s) {
    if (s.top_k >= left.tokens.size()) return;
    std::size_t count = s.top_k;
    while (count < left.tokens.size() && left.tokens[count].p == left.tokens[s.top_k - 1].p) ++count;
    keep(left, count);
}

void smallest_k(Left& left, const Sampling& s) {
    if (s.top_k < left.tokens.size())
        left.tokens.erase(left.tokens.begin(), left.tokens.end() - static_cast<std::ptrdiff_t>(s.top_k));
}

void by_ids(Left& left, const Sampling&) {
    std::sort(left.tokens.begin(), left.tokens.end(),
              [](const Token& a, const Token& b) { return a.id < b.id; });
}

constexpr const char* equal_goes = "a token of exactly min_p times the largest is left out; it stays";

std::vector<Recipe> wrong_recipes() {
    using Ld = long double;
    const Filter short_p = top_p_where([](Ld, Ld with, double limit) { return with > limit; }),
                 short_at_equal_p = top_p_where([](Ld, Ld with, double limit) { return with >= limit; }),
                 long_p = top_p_where([](Ld before, Ld, double limit) { return before > limit; });
    const Filter absolute = min_p_where([](const Left&, double limit) -> Ld { return limit; }, true),
                 strict = min_p_where(of_largest, false),
                 of_first = min_p_where(
                     [](const Left&left, double limit) { return limit * left.largest_at_first; }, true);
    const Filter of_token_0 = min_p_where(
        [](const Left& left, double limit) -> Ld {
            for (const Token& token : left.tokens)
                if (token.id == 0) return limit * token.p;
            return 0.0L;
        },
        true);
    const std::string reaches =
        "top-p leaves out the token that reaches top_p; it stays, so that the sum is top_p or more";
    const std::string divided =
        "p is not divided by its sum after a filter; what is left must sum to 1 again";
    return {
        {.message = "the logits are multiplied by the temperature; they are divided by it",
         .heat = Heat::multiplies},
        {.message = "the temperature is not used", .heat = Heat::ignored},
        {.message = "the probabilities are divided by the temperature, and then comes another softmax; the "
                    "logits are divided",
         .heat = Heat::of_probabilities},
        {.message = "the filters see p from before the temperature; the temperature comes first",
         .heat = Heat::of_what_is_left},
        {"top-k keeps all tokens that equal the last one of the k; it keeps k tokens, of equal ones the "
         "smaller ids",
         {top_k_and_equal_ones, divide, top_p, divide, min_p, divide}},
        {"top-k keeps the k smallest", {smallest_k, divide, top_p, divide, min_p, divide}},
        {.message = "of equal tokens the larger id stays; the smaller one comes first",
         .order = Order::larger_id_first},
        {.message = "the tokens are kept in the order of their ids; the largest come first",
         .order = Order::ids},
        {reaches, {top_k, divide, short_p, divide, min_p, divide}},
        {reaches, {top_k, divide, short_at_equal_p, divide, min_p, divide}},
        {"top-p keeps one token more where the sum is top_p exactly; that is enough",
         {top_k, divide, long_p, divide, min_p, divide}},
        {"top-p sums the probabilities from before top-k, or comes before it; p is divided by its sum in "
         "between",
         {top_k, top_p, divide, min_p, divide}},
        {"top-p goes through the tokens by their ids; the largest come first",
         {top_k, divide, by_ids, top_p, divide, min_p, divide}},
        {"min_p is compared with the probabilities themselves; the limit is min_p times the largest of them",
         {top_k, divide, top_p, divide, absolute, divide}},
        {equal_goes, {top_k, divide, top_p, divide, strict, divide}},
        {"min-p takes the probability of token 0 for the largest; the likeliest token is order[0]",
         {top_k, divide, top_p, divide, of_token_0, divide}},
        {"min-p takes the largest probability from before top-k and top-p; p was divided by its sum since",
         {top_k, divide, top_p, divide, of_first, divide}},
        {"min-p comes before top-p; it comes last", {top_k, divide, min_p, divide, top_p, divide}},
        {"min-p comes first; it comes last", {min_p, divide, top_k, divide, top_p, divide}},
        {divided, {top_k, top_p, min_p}},
        {divided, {top_k, divide, top_p, min_p}},
        {divided, {top_k, divide, top_p, divide, min_p}},
        {"top-k keeps one token more than k", {top_k_of(1), divide, top_p, divide, min_p, divide}},
        {"top-k keeps one token less than k", {top_k_of(-1), divide, top_p, divide, min_p, divide}},
        {"top_k is not used", {top_p, divide, min_p, divide}},
        {"top_p is not used", {top_k, divide, min_p, divide}},
        {"min_p is not used", {top_k, divide, top_p, divide}},
    };
}

std::string in_words(const SamplingCase& one) {
    std::string words = one.logits.size() > 8 ? fmt::format("{} logits", one.logits.size())
                                              : fmt::format("logits {:.4g}", fmt::join(one.logits, ", "));
    const Sampling& s = one.sampling;
    if (s.temperature != 1.0) words += fmt::format(", temperature {}", s.temperature);
    if (s.top_k != Sampling::all) words += fmt::format(", top_k {}", s.top_k);
    if (s.top_p != 1.0) words += fmt::format(", top_p {}", s.top_p);
    if (s.min_p != 0.0) words += fmt::format(", min_p {}", s.min_p);
    return words;
}

Tensor as_tensor(const std::vector<double>& values) {
    return Tensor::from({values.size()}, std::vector<float>(values.begin(), values.end()));
}

// Where no token is left, 0 is divided by 0.
bool nothing_left(const std::vector<double>& probabilities) {
    return std::all_of(probabilities.begin(), probabilities.end(),
                       [](double p) { return p == 0.0 || std::isnan(p); });
}

bool same(const std::vector<double>& found, const std::vector<double>& made) {
    if (nothing_left(made)) return nothing_left(found);
    return bool(close(as_tensor(found), as_tensor(made)));
}

std::string cause_of(const std::vector<SamplingCase>& cases, const std::vector<std::vector<double>>& found) {
    for (const Recipe& recipe : wrong_recipes()) {
        bool all = true, some_left = false;  // many mistakes leave nothing: that alone names none
        for (std::size_t i = 0; all && i < cases.size(); ++i) {
            const std::vector<double> made = made_by(recipe, cases[i]);
            all = same(found[i], made);
            some_left = some_left || !nothing_left(made);
        }
        if (all && some_left) return likely_if(true, recipe.message);
    }
    // With min_p 1 the largest itself goes where equal ones go, and nothing is left. With a little less all must be right.
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (cases[i].sampling.min_p != 1.0 || !nothing_left(found[i])) continue;
        SamplingCase less = cases[i];
        less.sampling.min_p = 0.999999;
        if (same(token_probabilities(less.logits, less.sampling), right_probabilities(less)))
            return likely_if(true, equal_goes);
    }
    return {};
}

}  // namespace
}  // namespace recipes

std::vector<double> right_probabilities(const SamplingCase& one) {
    return recipes::made_by(recipes::Recipe{}, one);
}

testing::AssertionResult all_right(const std::vector<SamplingCase>& cases) {
    std::vector<std::vector<double>> found;
    for (const SamplingCase& one : cases) {
        found.push_back(token_probabilities(one.logits, one.sampling));
        if (found.back().size() != one.logits.size())
            return testing::AssertionFailure()
                   << fmt::format("{}: {} probabilities", recipes::in_words(one), found.back().size())
                   << likely_if(found.back().size() < one.logits.size(),
                                "there is one for each token: 0 for those that are not kept");
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const std::vector<double> right = right_probabilities(cases[i]);
        const auto same =
            close_named(recipes::in_words(cases[i]), recipes::as_tensor(found[i]), recipes::as_tensor(right));
        if (!same) {
            testing::AssertionResult failure = same;
            return failure << recipes::cause_of(cases, found);
        }
        for (std::size_t id = 0; id < right.size(); ++id)
            if ((found[i][id] == 0.0) != (right[id] == 0.0))
                return testing::AssertionFailure()
                       << fmt::format("{}: the probability of token {} is {}; expected {}",
                                      recipes::in_words(cases[i]), id, found[i][id], right[id])
                       << likely_if(right[id] > 0.0 && cases[i].sampling.top_p == 1.0,
                                    "top_p 1 keeps all tokens: rounding may let their sum reach 1 before the "
                                    "last one")
                       << likely_if(right[id] == 0.0, "what is not kept has probability 0 exactly");
    }
    return testing::AssertionSuccess();
}

}  // namespace tfs::test
