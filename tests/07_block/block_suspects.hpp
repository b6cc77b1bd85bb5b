// tests/07_block/block_suspects.hpp · what wrong blocks give
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/07_block/checklist.hpp"

namespace tfs::test {

// What both halves give, in training where there is a seed. The checks of the block take its halves for right: where one is
// not, they would tell a false cause.
inline testing::AssertionResult halves_are_right(const TransformerBlock& b, const Tensor& x,
                                                 const OptionalMask& mask = std::nullopt,
                                                 std::optional<std::uint64_t> seed = std::nullopt) {
    Rng first(seed.value_or(0)), same(seed.value_or(0));
    Rng* const rng = seed ? &first : nullptr;
    Rng* const same_rng = seed ? &same : nullptr;
    const AttentionSublayer& a = b.attention;
    const FeedForwardSublayer& f = b.feed_forward;
    const AttendingSublayer attend = [&](const Tensor& t) {
        return a.attend(t, a.keys_values(t), mask, {.rng = same_rng});
    };
    const Sublayer transform = [&](const Tensor& t) {
        return f.network.output(dropout(f.network.hidden(t), f.dropout, same_rng));
    };
    const auto same_as = [](const char* half, const Tensor& found, const Tensor& expected) {
        return close(found, expected) ? testing::AssertionSuccess()
                                      : testing::AssertionFailure()
                                            << "the " << half
                                            << " half is wrong, as its own checks say, and so is the block";
    };
    const Tensor attended = norm_and_add(a.position, a.norm, x, attend, a.dropout, same_rng).output;
    const auto right = same_as("attention", a(x, mask, {.rng = rng}).output, attended);
    if (!right) return right;
    return same_as("feed-forward", f(attended, {.rng = rng}),
                   norm_and_add(f.position, f.norm, attended, transform, f.dropout, same_rng));
}

inline std::vector<Suspect> block_suspects(const TransformerBlock& b, const Tensor& x,
                                           const OptionalMask& mask) {
    const Tensor attended = b.attention(x, mask).output;
    TransformerBlock one_norm = b, exchanged = b;
    one_norm.feed_forward.norm = b.attention.norm;
    std::swap(exchanged.attention.norm, exchanged.feed_forward.norm);
    const auto fed = [=](const TransformerBlock& block, const Tensor& t) { return block.feed_forward(t); };
    const auto added_to_x = [=] {  // as the second half, but for the beginning of its residual connection
        const FeedForwardSublayer& half = b.feed_forward;
        const bool pre = half.position == NormPosition::pre;
        const Tensor made = half.network.output(half.network.hidden(pre ? half.norm(attended) : attended));
        return pre ? x + made : half.norm(x + made);
    };
    const Tensor bare = b.feed_forward.network.output(b.feed_forward.network.hidden(attended));
    const std::string beside =
        "the two halves are computed side by side and added; the second works on what the first gives";
    std::vector<Suspect> all{
        {"the feed-forward network is fed from the block's input, not from the attended x",
         [=] { return fed(b, x); }},
        {beside, [=] { return attended + fed(b, x) - x; }},
        {beside, [=] { return attended + fed(b, x); }},
        {"the second residual connection begins at x: it begins at what the first half gives", added_to_x},
        {"the second residual connection begins at x: it begins at what the first half gives",
         [=] { return x + fed(b, attended) - attended; }},
        {"the network is called without its half: feed_forward(…) norms and adds", [=] { return bare; }},
        {"the network is called without its half: feed_forward(…) norms and adds",
         [=] { return attended + bare; }},
        {"a norm between the halves: each half norms by itself",
         [=] { return fed(b, b.feed_forward.norm(attended)); }},
        {"a norm between the halves: each half norms by itself",
         [=] { return fed(b, b.attention.norm(attended)); }},
        {"a norm before the halves: each half norms by itself",
         [=] { return fed(b, b.attention(b.attention.norm(x), mask).output); }},
        {"the feed-forward half is done twice", [=] { return fed(b, fed(b, attended)); }},
        {"the feed-forward half is left out", [=] { return attended; }},
        {"the feed-forward network comes before attention",
         [=] { return b.attention(fed(b, x), mask).output; }},
        {"one residual connection too many: the halves have theirs", [=] { return x + fed(b, attended); }},
        {"one residual connection too many: the halves have theirs",
         [=] { return attended + fed(b, attended); }},
        {"one residual connection too many: the halves have theirs", [=] { return fed(b, x + attended); }},
        {"a norm after the halves: the block ends with the second of them",
         [=] { return b.attention.norm(fed(b, attended)); }},
        {"a norm after the halves: the block ends with the second of them",
         [=] { return b.feed_forward.norm(fed(b, attended)); }},
        {"one norm is used twice: each half has its own", [=] { return fed(one_norm, attended); }},
        {"the two norms are exchanged",
         [=] { return exchanged.feed_forward(exchanged.attention(x, mask).output); }},
        {"attention is done twice", [=] { return fed(b, b.attention(attended, mask).output); }}};
    if (!mask)
        all.push_back({"a causal mask where none is asked for",
                       [=] { return fed(b, b.attention(x, causal_mask(x.size(1))).output); }});
    if (mask) {
        all.push_back(
            {"the mask is not passed on to attention", [=] { return fed(b, b.attention(x).output); }});
        all.push_back({mask_inverted, [=] { return fed(b, b.attention(x, inverted(*mask)).output); }});
    }
    return all;
}

}  // namespace tfs::test
