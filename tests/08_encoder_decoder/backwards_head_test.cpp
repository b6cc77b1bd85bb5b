// tests/08_encoder_decoder/backwards_head_test.cpp · puzzle backwards_head: what the head looks at, for every length
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "common/show/measure.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t longest = 32;
constexpr float enough = 0.9f;

// Where a head gives the least to the position that is wanted: the first such target.
struct LeastSeen {
    std::size_t length = 1, target = 0;
    float weight = INFINITY;
};
LeastSeen least_seen(const Array& weights, std::size_t n) {
    LeastSeen found;
    for (std::size_t t = 0; t < n; ++t) {
        const float weight = weights(t, n - 1 - t);
        if (!(weight >= found.weight)) found = {n, t, weight};
    }
    return found;
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

// What the head for 16 positions does instead.
std::string causes_of_another_order() {
    constexpr long n = 16;
    const PositionHead head = backwards_head(n);
    const PositionHead strong{head.w_q * 30.0f, head.w_k};
    const bool soft = least_seen(weights_among_positions(strong, n), n).weight >= enough;
    const bool forwards = follows(head, [](long t) { return t; });
    const bool ignored = !forwards && same_for_every_length(head, backwards_head(5));
    const bool shifted =
        follows(head, [](long t) { return t + n - 1; }) || follows(head, [](long t) { return t - (n - 1); });
    return likely_if(soft, "the scores are too small: the same head with scores 30 times as large does it") +
           likely_if(forwards, "it reads forwards: target t looks at source t") +
           likely_if(ignored, "the weights are the same for every n; target 0 has to look at source n - 1") +
           likely_if(shifted,
                     "it reads forwards, n - 1 positions away: a rotation of the pairs shifts the positions, "
                     "and you need one that turns their order round") +
           likely_if(
               follows(head, [](long t) { return n - t; }),
               "target t looks at source n - t, one position too far: the last source position is n - 1") +
           likely_if(follows(head, [](long t) { return n - 2 - t; }),
                     "target t looks at source n - 2 - t, one position too early");
}

TEST(backwards_head, gives_0_9_to_source_n_minus_1_minus_t_for_every_n_to_32) {
    LeastSeen worst;
    for (std::size_t n = 1; n <= longest; ++n) {
        const std::optional<Array> weights =
            result_or_failure([&] { return weights_among_positions(backwards_head(n), n); },
                              [](const ShapeError&) { return ""; });
        if (!weights) return;
        ASSERT_FALSE(contains_nan(Tensor(*weights)))
            << "the weights for n = " << n << " contain NaN"
            << likely_if(true, "the scores are too large for a float, or one of your numbers is not finite");
        const LeastSeen found = least_seen(*weights, n);
        if (found.weight < worst.weight) worst = found;
    }
    EXPECT_GE(worst.weight, enough) << fmt::format(
                                           "for n = {}, target {} attends to source {} with {:.3f}; at "
                                           "least 0.9 is wanted for each target, and for each n from 1 to 32",
                                           worst.length, worst.target, worst.length - 1 - worst.target,
                                           worst.weight)
                                    << causes_of_another_order();
}

}  // namespace
}  // namespace tfs::test
