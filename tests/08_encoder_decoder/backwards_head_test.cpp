// tests/08_encoder_decoder/backwards_head_test.cpp · puzzle backwards_head: what the head looks at, for every length
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "common/measure/measures.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t longest = 32;
constexpr float enough = 0.9f;

// The target that gives the least to the position that is wanted.
struct LeastSeen {
    std::size_t target = 0;
    float weight = INFINITY;
};
LeastSeen least_seen(const Array& weights, std::size_t n) {
    LeastSeen found;
    for (std::size_t t = 0; t < n; ++t) {
        const float weight = weights(t, n - 1 - t);
        if (!(weight >= found.weight)) found = {t, weight};
    }
    return found;
}

bool reads_backwards(const PositionHead& head, std::size_t n) {
    return least_seen(weights_among_positions(head, n), n).weight >= enough;
}

// Whether the head for `n` positions, laid over 64 of them, looks at rule(t) most, wherever that is well inside.
bool follows(const PositionHead& head, const std::function<long(long)>& rule) {
    constexpr long positions = 64;
    const Array weights = weights_among_positions(head, positions);
    for (long t = 0; t < positions; ++t) {
        const long wanted = rule(t);
        if (wanted < 2 || wanted > positions - 3) continue;
        const float* row = weights.data() + t * positions;
        if (std::max_element(row, row + positions) - row != wanted) return false;
    }
    return true;
}

bool same_for_every_length(const PositionHead& one, const PositionHead& other) {
    return largest_difference(weights_among_positions(one, longest),
                              weights_among_positions(other, longest)) < 1e-4;
}

// w_q with the other sign in the rows of this parity, and of those in the columns of this parity (or in both).
Tensor with_other_sign(const Tensor& w_q, std::size_t row, std::size_t column, bool both_columns) {
    Array values = w_q.array();
    for (std::size_t i = row; i < values.shape()[0]; i += 2)
        for (std::size_t j = 0; j < values.shape()[1]; ++j)
            if (both_columns || j % 2 == column) values(i, j) = -values(i, j);
    return Tensor(std::move(values));
}

bool one_sign_is_wrong(const PositionHead& head, std::size_t n) {
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t column = 0; column < 2; ++column)
            for (const bool both_columns : {false, true})
                if (reads_backwards({with_other_sign(head.w_q, row, column, both_columns), head.w_k}, n))
                    return true;
    return false;
}

// The head whose queries are turned by this many positions.
PositionHead turned(const PositionHead& head, long positions) {
    const std::size_t width = PositionHead::d_model;
    Array values = head.w_q.array();
    for (std::size_t a = 0; a + 1 < values.shape()[0]; a += 2) {
        const double angle = static_cast<double>(positions) *
                             std::pow(10000.0, -static_cast<double>(a) / static_cast<double>(width));
        const auto c = static_cast<float>(std::cos(angle)), s = static_cast<float>(std::sin(angle));
        for (std::size_t j = 0; j < values.shape()[1]; ++j) {
            const float sine = values(a, j), cosine = values(a + 1, j);
            values(a, j) = c * sine + s * cosine;
            values(a + 1, j) = c * cosine - s * sine;
        }
    }
    return {Tensor(std::move(values)), head.w_k};
}

// By how many positions the head for n is off, if it reads backwards; else 0.
long positions_off(const PositionHead& head, long n) {
    for (long off = 1; off <= 2 * n; ++off)
        for (const long turn : {off, -off})
            if (reads_backwards(turned(head, turn), static_cast<std::size_t>(n))) return off;
    return 0;
}

// What the head for 16 positions does instead.
std::string causes_of_another_order() {
    constexpr long n = 16;
    const PositionHead head = backwards_head(n);
    const auto louder = [](const PositionHead& one) { return PositionHead{one.w_q * 30.0f, one.w_k}; };
    bool soft = !reads_backwards(head, n);
    for (std::size_t length = 1; length <= longest; ++length)
        soft = soft && reads_backwards(louder(backwards_head(length)), length);
    const long off = soft ? 0 : positions_off(head, n);
    const bool ignored = same_for_every_length(head, backwards_head(5));
    const bool shifted =
        follows(head, [](long t) { return t + n - 1; }) || follows(head, [](long t) { return t - (n - 1); });
    return likely_if(soft, "the scores are too small: the same head with scores 30 times as large does it") +
           likely_if(ignored, "the weights are the same for every n; target 0 has to look at source n - 1") +
           likely_if(shifted,
                     "it reads forwards, n - 1 positions away: a rotation of the pairs shifts the positions, "
                     "and keeps their order; you need a change that turns the order round") +
           likely_if(off == 1,
                     "target t looks one position too far: the last source position is n - 1, not n") +
           likely_if(off == 2 * (n - 1),
                     "the order is turned round, but target t looks for source -(n - 1) - t: the sign of the "
                     "angle of n - 1 is wrong") +
           likely_if(off != 0 && off != 1 && off != 2 * (n - 1),
                     fmt::format("the order is turned round, but each target looks {} positions too far, for "
                                 "n = {}",
                                 off, n)) +
           likely_if(
               !soft && !shifted && off == 0 && one_sign_is_wrong(head, n),
               "a sign is wrong: sin(A - b) = sin A cos b - cos A sin b, and cos(A - b) = cos A cos b + "
               "sin A sin b");
}

TEST(backwards_head, gives_nine_tenths_to_source_n_minus_1_minus_t_for_every_n_to_32) {
    for (std::size_t n = 1; n <= longest; ++n) {
        const std::optional<Array> weights =
            result_or_failure([&] { return weights_among_positions(backwards_head(n), n); },
                              [](const ShapeError&) { return ""; });
        if (!weights) return;
        ASSERT_FALSE(contains_nan(Tensor(*weights)))
            << "the weights for n = " << n << " contain NaN"
            << likely_if(true, "the scores are too large for a float, or one of your numbers is not finite");
        const LeastSeen found = least_seen(*weights, n);
        ASSERT_GE(found.weight, enough)
            << fmt::format(
                   "for n = {}, target {} attends to source {} with {:.3f}; at least 0.9 is wanted for each "
                   "target, and for each n from 1 to 32",
                   n, found.target, n - 1 - found.target, found.weight)
            << causes_of_another_order();
    }
}

}  // namespace
}  // namespace tfs::test
