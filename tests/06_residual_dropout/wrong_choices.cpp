// tests/06_residual_dropout/wrong_choices.cpp · wrong ways to choose the part that decided
#include "tests/06_residual_dropout/wrong_choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/base/largest.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

Tensor column(const Tensor& shares, std::size_t i) { return slice(shares, 1, i, i + 1); }

// The likeliest characters, the first one first, by the logits.
std::vector<std::size_t> likeliest(const Tensor& shares) {
    return largest_of(sum(shares, 0).values(), shares.size(1));
}

Tensor lead(const Tensor& shares) {
    const std::vector<std::size_t> best = likeliest(shares);
    return column(shares, best[0]) - column(shares, best[1]);
}

std::size_t first_largest(const Tensor& of_parts) { return largest_of(of_parts.values(), 1)[0]; }

// What each part adds to the character `from` in front of its own largest one of the others. Without `from`: in front of its second one.
Tensor before_own_rival(const Tensor& shares, const std::vector<std::size_t>& from) {
    Array result = Array::from_shape({shares.size(0), 1});
    for (std::size_t part = 0; part < shares.size(0); ++part) {
        const std::vector<std::size_t> own = largest_of(slice(shares, 0, part, part + 1).values(), 2);
        const std::size_t best = from.empty() ? own[0] : from[0];
        result.data()[part] = shares.at({part, best}) - shares.at({part, own[0] == best ? own[1] : own[0]});
    }
    return Tensor(result);
}

struct Choice {
    std::string cause;
    std::function<std::size_t(const Tensor&)> part;
};

const std::vector<Choice>& wrong_choices() {
    static const std::vector<Choice> all{
        {"this part raises all logits nearly alike, and softmax does not change if all logits grow by the "
         "same: what did the part do for the likeliest character that it did not do for the second one?",
         [](const Tensor& s) { return first_largest(column(s, likeliest(s)[0])); }},
        {"the largest number of the whole table is taken; what counts is the likeliest character's share "
         "minus the second one's, in each row",
         [](const Tensor& s) { return first_largest(s) / s.size(1); }},
        {"this part did most for the second character: it worked against the likeliest one",
         [](const Tensor& s) { return first_largest(-lead(s)); }},
        {"the sign of the lead is lost: a part that worked against the likeliest character can't have "
         "decided "
         "for it",
         [](const Tensor& s) { return first_largest(sqrt(lead(s) * lead(s))); }},
        {"the likeliest character is compared with the mean of all; the rival is the second one",
         [](const Tensor& s) {
             return first_largest(column(s, likeliest(s)[0]) - mean(s, 1, KeepDims::yes));
         }},
        {"the first two columns are compared; the two with the largest sums are the likeliest",
         [](const Tensor& s) { return first_largest(column(s, 0) - column(s, 1)); }},
        {"the last row, that of beta, is left out; it has a share in each logit like the others",
         [](const Tensor& s) { return first_largest(slice(lead(s), 0, 0, s.size(0) - 1)); }},
        {"the two likeliest characters are sought without the last row, that of beta; a logit is the sum of "
         "all rows",
         [](const Tensor& s) {
             const std::vector<std::size_t> best = likeliest(slice(s, 0, 0, s.size(0) - 1));
             return first_largest(column(s, best[0]) - column(s, best[1]));
         }},
        {"each part has a rival of its own, the largest of its other shares; the rival is the same for all "
         "parts, the character with the second logit",
         [](const Tensor& s) { return first_largest(before_own_rival(s, likeliest(s))); }},
        {"each part is asked for its own two largest shares; the two characters are the same for all parts, "
         "those with the largest logits",
         [](const Tensor& s) { return first_largest(before_own_rival(s, {})); }}};
    return all;
}

// Nothing where none of them explains it.
std::string cause() {
    for (const Choice& wrong : wrong_choices()) {
        bool explains = true;
        for (std::uint64_t seed = 1; explains && seed <= 24; ++seed) {
            const Tensor shares = normal({5, 4}, seed);
            explains = deciding_part(shares) == wrong.part(shares);
        }
        if (explains) return wrong.cause;
    }
    return "";
}

}  // namespace

testing::AssertionResult decides(const Tensor& shares, std::size_t expected) {
    const std::size_t found = deciding_part(shares);
    if (found == expected) return testing::AssertionSuccess();
    const std::string likely = cause();
    return testing::AssertionFailure() << fmt::format("got part {}, expected part {}", found, expected)
                                       << likely_if(!likely.empty(), likely);
}

}  // namespace tfs::test
