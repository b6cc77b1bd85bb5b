// chapters/05_feed_forward/program/by_hand.cpp · the lesson's example for pencil and paper: a network that finds the larger of two features
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

// max(a, b) = relu(a - b) + relu(b) - relu(-b)
FeedForward network_by_hand() {
    Rng unused(0);
    FeedForward network(2, 3, unused, Activation::relu);
    network.up.weight = Tensor::from({3, 2}, {1, -1, 0, 1, 0, -1});
    network.up.bias = Tensor::zeros({3});
    network.down.weight = Tensor::from({2, 3}, {1, 1, -1, 0, 0, 0});
    network.down.bias = Tensor::zeros({2});
    return network;
}

// "(2, 1, -1)"
std::string numbers_of_row(const Tensor& x, std::size_t row) {
    std::vector<float> numbers;
    for (std::size_t i = 0; i < x.size(-1); ++i) numbers.push_back(x.at({row, i}) + 0.0f);  // no -0
    return fmt::format("({:g})", fmt::join(numbers, ", "));
}

Report show_larger_of_two(const Request&) {
    const FeedForward network = network_by_hand();
    const Tensor x = Tensor::from({3, 2}, {3, 1, 1, 3, -1, -2});
    const Tensor raised = network.up(x), hidden = network.hidden(x), output = network(x);
    Table table{
        .columns = {
            {"token", whole()}, {"x", whole()}, {"up(x)", whole()}, {"relu", whole()}, {"down", whole()}}};
    for (std::size_t i = 0; i < x.size(0); ++i)
        table.add({i, numbers_of_row(x, i), numbers_of_row(raised, i), numbers_of_row(hidden, i),
                   numbers_of_row(output, i)});
    return {.items = {table}};
}

}  // namespace

Section larger_of_two() {
    return {.id = "by-hand", .title = "By hand: the larger of two features", .run = show_larger_of_two};
}

}  // namespace tfs
