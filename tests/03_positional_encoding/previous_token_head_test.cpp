// tests/03_positional_encoding/previous_token_head_test.cpp · puzzle previous_token_head: what the head looks at
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "tests/03_positional_encoding/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t last_position = 64;
constexpr float enough = 0.9f;

Array attention_of(const PositionHead& head) { return weights_among_positions(head, last_position + 1); }

// The position among 1 … 64 whose weight on the one `shift` after it is the smallest. Rows that have no such position,
// and the first, are left out.
struct Weakest {
    std::size_t position = 0;
    float weight = INFINITY;
};
Weakest weakest(const Array& weights, long shift) {
    Weakest found;
    for (long i = 1; i <= static_cast<long>(last_position); ++i) {
        const long key = i + shift;
        if (key < 0 || key > static_cast<long>(last_position)) continue;
        const float weight = weights(static_cast<std::size_t>(i), static_cast<std::size_t>(key));
        if (!(weight >= found.weight)) found = {static_cast<std::size_t>(i), weight};
    }
    return found;
}

// Whether the largest weight of each row, apart from those at the ends, is `shift` after its position.
bool looks_at(const Array& weights, long shift) {
    for (long i = 3; i + 3 <= static_cast<long>(last_position); ++i) {
        const float* row = weights.data() + static_cast<std::size_t>(i) * (last_position + 1);
        if (std::max_element(row, row + last_position + 1) - row != i + shift) return false;
    }
    return true;
}

bool does_it(const Tensor& w_q, const Tensor& w_k) {
    return weakest(attention_of({w_q, w_k}), -1).weight >= enough;
}

// How many times as large the scores must be, rounded up to two digits; nothing where no factor up to 1024 is enough.
std::optional<double> missing_factor(const PositionHead& head) {
    const auto enough_with = [&](double factor) {
        return does_it(head.w_q * static_cast<float>(factor), head.w_k);
    };
    double too_little = 1.0, right = 2.0;
    while (!enough_with(right)) {
        too_little = right;
        right *= 2.0;
        if (right > 1024.0) return std::nullopt;
    }
    while (right / too_little > 1.001) {
        const double between = std::sqrt(too_little * right);
        (enough_with(between) ? right : too_little) = between;
    }
    const double digit = std::pow(10.0, std::floor(std::log10(right)) - 1.0);
    return std::ceil(right / digit) * digit;
}

// The weight of a head whose pairs are the columns i and i + 16, for a table whose pairs are neighbours.
Tensor as_neighbours(const Tensor& weight) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < PositionHead::d_model / 2; ++i) {
        order.push_back(i);
        order.push_back(i + PositionHead::d_model / 2);
    }
    return columns(weight, order);
}

// How many pairs (2i, 2i + 1) no key reads.
std::size_t pairs_not_read(const Tensor& w_k) {
    std::size_t unused = 0;
    for (std::size_t column = 0; column < PositionHead::d_model; column += 2) {
        const Tensor pair = slice(w_k, 1, column, column + 2);
        unused += sum(pair * pair).item() == 0.0f ? 1 : 0;
    }
    return unused;
}

std::string causes(const PositionHead& head, const Array& weights) {
    const Tensor &w_q = head.w_q, &w_k = head.w_k;
    const std::optional<double> factor = missing_factor(head);
    const std::size_t unused = pairs_not_read(w_k);
    const bool forward = looks_at(weights, 1), itself = looks_at(weights, 0), two = looks_at(weights, -2);
    const bool halves = !factor && does_it(as_neighbours(w_q), as_neighbours(w_k));
    return likely_if(factor.has_value(),
                     fmt::format(
                         "the scores are too small: the same head with scores {:g} times as large does it{}",
                         factor.value_or(0.0),
                         unused > 0 ? fmt::format("; or use the {} pairs, too, that it does not read: slow "
                                                  "hands tell apart what a fast one repeats",
                                                  unused)
                                    : "")) +
           likely_if(forward, "it looks at the next token: the rotation turns the other way") +
           likely_if(itself,
                     "it looks at the token itself: neither queries nor keys are shifted, or both alike") +
           likely_if(two,
                     "it looks two tokens back: turn the queries or the keys by one position, not both") +
           likely_if(halves,
                     "the pairs are halves, columns i and i + 16: here a sine and its cosine are neighbours, "
                     "2i and 2i + 1");
}

TEST(previous_token_head, gives_nine_tenths_to_the_previous_token_at_every_position_to_64) {
    const PositionHead head = previous_token_head();
    const std::optional<Array> weights =
        result_or_failure([&] { return attention_of(head); }, [](const ShapeError&) { return ""; });
    if (!weights) return;
    ASSERT_FALSE(contains_nan(Tensor(*weights)))
        << "the weights contain NaN"
        << likely_if(true, "the scores are too large for a float, or one of your numbers is not finite");
    const Weakest found = weakest(*weights, -1);
    EXPECT_GE(found.weight, enough) << fmt::format(
                                           "position {} attends to position {} with {:.3f}; at least 0.9 is "
                                           "wanted at each of the positions 1 to 64",
                                           found.position, found.position - 1, found.weight)
                                    << causes(head, *weights);
}

}  // namespace
}  // namespace tfs::test
