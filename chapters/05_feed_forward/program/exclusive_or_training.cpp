// chapters/05_feed_forward/program/exclusive_or_training.cpp · does training find the weights of the puzzle?
#include "chapters/05_feed_forward/program/sections.hpp"

#include <fmt/ostream.h>

#include <cmath>

namespace tfs {

namespace {

constexpr std::size_t tries = 40, updates = 1000;
constexpr float learning_rate = 0.1f;

// Whether the trained network is right on all four inputs, with an error of at most 0.1.
bool training_finds_it(std::size_t units, Activation activation, std::uint64_t seed) {
    const Tensor x = Tensor::from({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1}),
                 wanted = Tensor::from({4, 1}, {0, 1, 1, 0});
    Rng rng(seed);
    const FeedForward network(2, units, rng, activation);
    const auto error = [&] { return slice(network(x), -1, 0, 1) - wanted; };
    for (std::size_t i = 0; i < updates; ++i) {
        const Tensor e = error();
        gradient_step(mean(e * e), network.parameters(), learning_rate);
    }
    const NoGrad no_grad;
    return largest_difference(error().array(), Tensor::zeros({4, 1}).array()) <= 0.1;
}

std::size_t successes(std::size_t units, Activation activation, std::uint64_t seed) {
    std::size_t found = 0;
    for (std::size_t run = 0; run < tries; ++run)
        found += training_finds_it(units, activation, seed + run) ? 1 : 0;
    return found;
}

}  // namespace

void measure_exclusive_or_training(Show& show) {
    fmt::print(show.out, "{:>13} {:>22} {:>22}\n", "hidden units", "relu, runs of 40", "gelu, runs of 40");
    for (const std::size_t units : {2u, 4u, 8u, 16u}) {
        fmt::print(show.out, "{:>13} {:>22} {:>22}\n", units,
                   successes(units, Activation::relu, show.options.seed),
                   successes(units, Activation::gelu, show.options.seed));
    }
}

}  // namespace tfs
