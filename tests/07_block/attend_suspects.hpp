// tests/07_block/attend_suspects.hpp · what wrong answers to step attend give
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/07_block/checklist.hpp"

namespace tfs::test {

struct RotaryCase {
    std::string name;
    RotaryLayout layout;
    OptionalMask mask;
    std::uint64_t seed = 0;  // of the dropout; 0: none
};

inline std::vector<Suspect> rotary_suspects(const Projections& a, const Tensor& x, const RotaryCase& c) {
    const auto with = [=](RotaryLayout layout, const OptionalMask& mask, RotaryVariant variant) {
        return [=] { return rotary_variant(a, x, layout, mask, variant); };
    };
    const auto projected = [=](const Linear& w_k, const Linear& w_v, RotaryVariant variant) {
        return [=] {
            Projections wrong = a;
            wrong.w_k = w_k;
            wrong.w_v = w_v;
            return rotary_variant(wrong, x, c.layout, c.mask, variant);
        };
    };
    const auto without_bias = [=](Linear Projections::*projection) {
        return [=] {
            Projections wrong = a;
            (wrong.*projection).bias.reset();
            return rotary_variant(wrong, x, c.layout, c.mask);
        };
    };
    const std::string no_bias = " is left out: a projection is called, and adds its bias";
    const std::string pairs = "pairs of the other layout: `layout` is not passed on";
    return {
        {"the values are turned as well; only what is compared (q and k) gets positions",
         with(c.layout, c.mask, {1, 1, 1})},
        {"nothing is turned: the positions are left out", with(c.layout, c.mask, {0, 0, 0})},
        {"only the queries are turned; q·k depends on the distance when both are",
         with(c.layout, c.mask, {1, 0, 0})},
        {"only the keys are turned; q·k depends on the distance when both are",
         with(c.layout, c.mask, {0, 1, 0})},
        {"the keys are turned twice: those that are given to attend are turned already",
         with(c.layout, c.mask, {1, 2, 0})},
        {"queries and keys are turned twice: one apply_rotary for each is enough",
         with(c.layout, c.mask, {2, 2, 0})},
        {"the queries are turned twice: one apply_rotary is enough", with(c.layout, c.mask, {2, 1, 0})},
        {"queries and keys are exchanged: w_q makes the queries", with(c.layout, c.mask, {1, 1, 0, true})},
        {"the queries are scaled by 1/sqrt(d_k), and attention_with_dropout does it: the scores are scaled "
         "twice",
         with(c.layout, c.mask, {.scale_q = 1.0 / std::sqrt(double(x.size(2) / a.num_heads))})},
        {pairs, with(c.layout, c.mask, {1, 1, 0, false, true, true})},
        {pairs + " to the queries", with(c.layout, c.mask, {1, 1, 0, false, true, false})},
        {pairs + " to the keys", with(c.layout, c.mask, {1, 1, 0, false, false, true})},
        {"the keys are made by w_q: w_k makes them", projected(a.w_q, a.w_v, {})},
        {"the keys are made by w_v: w_k makes them", projected(a.w_v, a.w_v, {})},
        {"the values are made by w_k: w_v makes them", projected(a.w_k, a.w_k, {})},
        {"keys and values are exchanged: {keys, values}", projected(a.w_v, a.w_k, {1, 0, 1})},
        {"keys and values are exchanged: {keys, values}", projected(a.w_v, a.w_k, {})},
        {"the heads are merged by a reshape alone: merge_heads brings them side by side",
         [=] {
             const RotaryEmbedding table(x.size(2) / a.num_heads, 16);
             return a.w_o(reshape(rotary_heads(a, x, table, c.layout, c.mask).output, x.shape()));
         }},
        {"the mask is not passed on", with(c.layout, std::nullopt, {})},
        {mask_inverted, with(c.layout, c.mask ? inverted(*c.mask) : c.mask, {})},
        {"the bias of w_q" + no_bias, without_bias(&Projections::w_q)},
        {"the bias of w_k" + no_bias, without_bias(&Projections::w_k)},
        {"the bias of w_v" + no_bias, without_bias(&Projections::w_v)},
        {"the bias of w_o" + no_bias, without_bias(&Projections::w_o)},
        {"w_o is left out", [=] {
             const RotaryEmbedding table(x.size(2) / a.num_heads, 16);
             return merge_heads(rotary_heads(a, x, table, c.layout, c.mask).output);
         }}};
}

inline const std::string weights_dropped_twice =
    "the weights are dropped twice: attention_with_dropout drops them";

// Attention in training, where dropout falls on other places than on the weights, once.
struct DropoutPlaces {
    int on_weights = 0;  // how many times
    bool on_values = false, on_heads = false, on_output = false;
    double rate = 0.25;
    bool to_one = false;  // rows of the dropped weights sum to 1 again
};
inline std::vector<Suspect> dropout_suspects(const Projections& a, const Tensor& weights,
                                             const Tensor& unmasked, const Tensor& x, std::uint64_t seed) {
    const Tensor values = split_heads(a.w_v(x), a.num_heads);
    const auto with = [=](DropoutPlaces places, bool masked = true) {
        return [=] {
            Rng rng(seed);
            const auto dropped = [&](const Tensor& t, int times) {
                Tensor result = t;
                while (times-- > 0) result = dropout(result, places.rate, &rng);
                return result;
            };
            Tensor used = dropped(masked ? weights : unmasked, places.on_weights);
            if (places.to_one) used = used / maximum(sum(used, -1, KeepDims::yes), 1e-9f);
            const Tensor heads = dropped(matmul(used, dropped(values, places.on_values)), places.on_heads);
            return dropped(a.w_o(merge_heads(heads)), places.on_output);
        };
    };
    const std::string too = " as well as on the weights: on these alone";
    return {{weights_dropped_twice, with({2})},
            {"the rate is 1 - dropout: attention_with_dropout takes the rate to drop",
             with({.on_weights = 1, .rate = 0.75})},
            {"the dropped weights are divided by their sum: dropout has scaled them already",
             with({.on_weights = 1, .to_one = true})},
            {"the mask is not passed on in training", with({1}, false)},
            {"dropout falls on the values, not on the weights", with({0, true})},
            {"dropout falls on the heads' sums, not on the weights", with({0, false, true})},
            {"dropout falls on the heads' sums" + too, with({1, false, true})},
            {"dropout falls on the output, not on the weights", with({0, false, false, true})},
            {"dropout falls on the output" + too + "; norm_and_add drops what is added",
             with({1, false, false, true})}};
}

// The first positions of a sequence attend, turned as if they began at this one, or not turned.
inline Tensor first_half(const AttentionSublayer& s, const Tensor& first, const KeysValues& whole,
                         std::optional<std::size_t> position) {
    const Tensor queries = split_heads(s.attention.w_q(first), s.attention.num_heads);
    const Tensor turned =
        s.rotary && position ? apply_rotary(queries, *s.rotary, s.layout, *position) : queries;
    return s.attention.w_o(
        merge_heads(scaled_dot_product_attention(turned, whole.keys, whole.values,
                                                 causal_mask(first.size(1), whole.keys.shape()[2], 0))
                        .output));
}

}  // namespace tfs::test
