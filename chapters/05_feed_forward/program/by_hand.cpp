// chapters/05_feed_forward/program/by_hand.cpp · the lesson's example for pencil and paper: a network that finds the larger of two features
#include <fmt/ostream.h>

#include "chapters/05_feed_forward/program/sections.hpp"

namespace tfs {

namespace {

// max(a, b) = relu(a - b) + relu(b) - relu(-b)
FeedForward larger_of_two() {
    Rng unused(0);
    FeedForward network(2, 3, unused, Activation::relu);
    network.up.weight = Tensor::from({3, 2}, {1, -1, 0, 1, 0, -1});
    network.up.bias = Tensor::zeros({3});
    network.down.weight = Tensor::from({2, 3}, {1, 1, -1, 0, 0, 0});
    network.down.bias = Tensor::zeros({2});
    return network;
}

std::string numbers(const Tensor& rows, std::size_t row) {
    std::string text;
    for (std::size_t i = 0; i < rows.size(-1); ++i)
        text += fmt::format("{}{:g}", i > 0 ? ", " : "", rows.at({row, i}) + 0.0f);
    return "(" + text + ")";
}

}  // namespace

void show_by_hand(Show& show) {
    const FeedForward network = larger_of_two();
    const Tensor x = Tensor::from({3, 2}, {3, 1, 1, 3, -1, -2});
    const Tensor raised = network.up(x), hidden = network.hidden(x), output = network(x);
    fmt::print(show.out, "  {:<8} {:>10} {:>14} {:>14} {:>10}\n", "token", "x", "up(x)", "relu", "down");
    for (std::size_t i = 0; i < x.size(0); ++i)
        fmt::print(show.out, "  {:<8} {:>10} {:>14} {:>14} {:>10}\n", i, numbers(x, i), numbers(raised, i),
                   numbers(hidden, i), numbers(output, i));
}

}  // namespace tfs
