// tests/08_encoder_decoder/stack_suspects.hpp · what wrong stacks of blocks give
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tests/08_encoder_decoder/checklist.hpp"

namespace tfs::test {

// Block i of a stack, on its own.
using Layer = std::function<Tensor(std::size_t, const Tensor&)>;

// All of `layers` blocks, one after the other, but for one.
inline Tensor in_turn(const Layer& layer, std::size_t layers, Tensor x, std::size_t left_out) {
    for (std::size_t i = 0; i < layers; ++i)
        if (i != left_out) x = layer(i, x);
    return x;
}
inline Tensor in_turn(const Layer& layer, std::size_t layers, const Tensor& x) {
    return in_turn(layer, layers, x, layers);
}
inline Tensor twice(const Layer& layer, const Tensor& x) { return in_turn(layer, 2, x); }

// A stack of any number of blocks, without one of them.
inline std::vector<Suspect> without_a_block(const Tensor& x, const Norm& norm, const Layer& layer,
                                            std::size_t layers) {
    std::vector<Suspect> suspects;
    for (std::size_t i = 0; i < layers; ++i)
        suspects.push_back({"block " + std::to_string(i) + " of " + std::to_string(layers) +
                                " is left out: the loop runs over all of `blocks`, however many",
                            [=] { return norm(in_turn(layer, layers, x, i)); }});
    return suspects;
}

// What goes wrong in any stack of two layers: `layer` is right, `without` forgets the padding. ran: how many of them gave
// back weights.
inline std::vector<Suspect> stack_suspects(const Tensor& x, const Norm& norm, const Layer& layer,
                                           const Layer& without, std::size_t ran = 2) {
    const auto always = [=](std::size_t i) { return [=] { return norm(layer(i, layer(i, x))); }; };
    const std::string residual = "one residual connection too many: the blocks have theirs";
    const auto added = [=](std::size_t i, const Tensor& t) { return t + layer(i, t); };
    std::vector<Suspect> suspects{
        {"the final norm is left out", [=] { return twice(layer, x); }},
        {"the final norm is applied twice", [=] { return norm(norm(twice(layer, x))); }},
        {"the final norm comes after every block and again at the end; it belongs to the end alone",
         [=] { return norm(norm(layer(1, norm(layer(0, x))))); }},
        {"the final norm comes after every block; it belongs to the end of the stack",
         [=] { return norm(layer(1, norm(layer(0, x)))); }},
        {"the final norm comes first", [=] { return twice(layer, norm(x)); }},
        {residual, [=] { return norm(x + twice(layer, x)); }},
        {residual, [=] { return x + norm(twice(layer, x)); }},
        {residual, [=] { return norm(twice(added, x)); }},
        {"every block runs twice", [=] { return norm(layer(1, layer(1, layer(0, layer(0, x))))); }},
        {"the whole stack runs twice", [=] { return norm(twice(layer, twice(layer, x))); }},
        {ran < 2 ? "the first block is left out"
                 : "every block is fed with what enters the stack, not with what the block before gave",
         [=] { return norm(layer(1, x)); }},
        {"the last block is left out", [=] { return norm(layer(0, x)); }},
        {"the padding reaches the first block only", [=] { return norm(without(1, layer(0, x))); }},
        {"the padding reaches the last block only", [=] { return norm(layer(1, without(0, x))); }},
        {"the padding reaches no block", [=] { return norm(twice(without, x)); }}};
    const Tensor first = layer(0, x), last = layer(1, x);
    if (std::ranges::equal(first.values(), last.values()))
        return suspects;  // one block for all: load() says so
    suspects.push_back({"the blocks come in reverse order", [=] { return norm(layer(0, layer(1, x))); }});
    suspects.push_back(
        {"the first block is used for every layer: each layer has its own weights", always(0)});
    suspects.push_back({"the last block is used for every layer: each layer has its own weights", always(1)});
    return suspects;
}

}  // namespace tfs::test
