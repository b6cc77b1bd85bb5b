// tests/07_block/attention_suspects.hpp · what wrong attention halves give
#pragma once

#include <fmt/format.h>

#include <functional>
#include <tuple>
#include <vector>

#include "tests/07_block/checklist.hpp"

namespace tfs::test {

inline std::vector<Suspect> attention_suspects(const AttentionSublayer& s, const Tensor& x,
                                               const OptionalMask& mask) {
    const auto attend = [=](const Tensor& q, const Tensor& k, const Tensor& v, const OptionalMask& m) {
        return multi_head(s.attention)(q, k, v, m).output;
    };
    std::vector<Suspect> all =
        half_suspects(s.position, s.norm, x, [=](const Tensor& t) { return attend(t, t, t, mask); });
    const Tensor n = s.norm(x);
    for (const auto& [what, q, k, v] : {std::tuple{"queries", x, n, n},
                                        {"keys", n, x, n},
                                        {"values", n, n, x},
                                        {"queries and keys", x, x, n},
                                        {"queries and values", x, n, x},
                                        {"keys and values", n, x, x}})
        all.push_back({fmt::format("the {} are not normed: all three are made of what the lambda gets", what),
                       [attend, x, mask, q = q, k = k, v = v] { return x + attend(q, k, v, mask); }});
    const auto under = [=](const OptionalMask& other) {
        return [=] {
            return norm_and_add(
                s.position, s.norm, x, [=](const Tensor& t) { return attend(t, t, t, other); }, 0.0, nullptr);
        };
    };
    if (mask) {
        all.push_back({"the mask is not passed on", under(std::nullopt)});
        all.push_back({mask_inverted, under(inverted(*mask))});
    } else {
        all.push_back({"a causal mask where none is asked for", under(causal_mask(x.size(1)))});
    }
    return all;
}

// Weights in training that are not those that were used. attend(t, rates, rng) drops its weights at each of these.
using DroppedAttention = std::function<AttentionOutput(const Tensor&, const Rates&, Rng*)>;
inline std::vector<Suspect> dropped_weights_suspects(const DroppedAttention& attend, const Tensor& x,
                                                     const Tensor& input, const Tensor& right) {
    const auto afterwards = [=](const std::function<Tensor(const AttentionOutput&, Rng*)>& weights) {
        return [=] {
            Rng rng(5);
            const AttentionOutput attended = attend(input, {0.25}, &rng);
            (void)dropout(attended.output, 0.25, &rng);  // what norm_and_add draws
            return weights(attended, &rng);
        };
    };
    const std::string other_call =
        "the weights come from a second call: attention ran twice, and these were not used";
    std::vector<Suspect> suspects = weights_suspects(right);
    suspects.push_back({other_call, afterwards([=](const AttentionOutput&, Rng* rng) {
                            return attend(input, {0.25}, rng).weights;
                        })});
    suspects.push_back({other_call, afterwards([=](const AttentionOutput&, Rng* rng) {
                            return attend(x, {0.25}, rng).weights;
                        })});
    suspects.push_back({other_call, [=] { return attend(input, {}, nullptr).weights; }});
    suspects.push_back({other_call, [=] { return attend(x, {}, nullptr).weights; }});
    suspects.push_back({"the weights are dropped twice: attend drops them already",
                        afterwards([](const AttentionOutput& attended, Rng* rng) {
                            return dropout(attended.weights, 0.25, rng);
                        })});
    return suspects;
}

}  // namespace tfs::test
