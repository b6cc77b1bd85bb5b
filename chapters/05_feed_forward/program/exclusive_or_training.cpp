// chapters/05_feed_forward/program/exclusive_or_training.cpp · does training find the weights of the puzzle?
#include <fmt/format.h>

#include "chapters/05_feed_forward/program/options.hpp"

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

std::size_t successes(const Request& request, std::size_t units, Activation activation) {
    std::size_t found = 0;
    for (std::size_t run = 0; run < tries; ++run) {
        request.tell({"progress", fmt::format("{} hidden units, run {} of {}", units, run + 1, tries)});
        found += training_finds_it(units, activation, request[options::seed] + run) ? 1 : 0;
    }
    return found;
}

Report show_training(const Request& request) {
    const std::string runs = fmt::format("runs of {}", tries);
    Table table{.columns = {{"hidden units", whole()}, {"relu", whole(), runs}, {"gelu", whole(), runs}}};
    for (const std::size_t units : {2u, 4u, 8u, 16u})
        table.add({units, successes(request, units, Activation::relu),
                   successes(request, units, Activation::gelu)});
    return {.items = {table}};
}

}  // namespace

Sections exclusive_or_training_sections() {
    return {{"puzzle-training",
             "Does training find the weights of the puzzle?",
             show_training,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
