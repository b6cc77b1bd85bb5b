// tests/07_block/network_suspects.hpp · what wrong feed-forward halves give
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/07_block/checklist.hpp"

namespace tfs::test {

inline Sublayer network_of(const FeedForwardSublayer& s) {
    return [network = s.network](const Tensor& t) { return network.output(network.hidden(t)); };
}

// Wrong halves, and wrong ways through the network.
inline std::vector<Suspect> network_suspects(const FeedForwardSublayer& s, const Tensor& x) {
    std::vector<Suspect> suspects = half_suspects(s.position, s.norm, x, network_of(s));
    for (const auto& activation : {relu, gelu, silu}) {
        const Sublayer twice = [=](const Tensor& t) {
            return s.network.output(activation(s.network.hidden(t)));
        };
        suspects.push_back(
            {"an activation falls on the hidden layer once more: network.hidden applies its own",
             [=] { return norm_and_add(s.position, s.norm, x, twice, 0.0, nullptr); }});
    }
    return suspects;
}

// Other ways to drop units of the hidden layer at 0.25.
inline std::vector<std::pair<std::string, DroppedSublayer>> wrong_dropouts(const FeedForwardSublayer& s) {
    std::vector<std::pair<std::string, DroppedSublayer>> wrong{
        {"one row of units is drawn for all positions: dropout draws for every entry of the hidden layer",
         [=](const Tensor& t, const Rates&, Rng* rng) {
             const Tensor hidden = s.network.hidden(t);
             return s.network.output(hidden * dropout(Tensor::ones({1, 1, hidden.size(2)}), 0.25, rng));
         }}};
    if (const FeedForward* plain = std::get_if<FeedForward>(&s.network.kind))
        wrong.push_back({"dropout falls before the activation: it falls on what network.hidden gives",
                         [plain](const Tensor& t, const Rates&, Rng* rng) {
                             const Tensor raw = dropout(plain->up(t), 0.25, rng);
                             return plain->output(activate(plain->activation, raw));
                         }});
    return wrong;
}

}  // namespace tfs::test
