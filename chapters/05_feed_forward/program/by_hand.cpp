// chapters/05_feed_forward/program/by_hand.cpp · the lesson's example for pencil and paper: a feature that switches another one on and off
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

// a where s = 1, 0 where s = 0: relu(a + 4 s - 4) - relu(-a + 4 s - 4), for a from -4 to 4
FeedForward network_by_hand() {
    Rng unused(0);
    FeedForward network(2, 2, unused, Activation::relu);
    network.up.weight = Tensor::from({2, 2}, {1, 4, -1, 4});
    network.up.bias = Tensor::full({2}, -4.0f);
    network.down.weight = Tensor::from({2, 2}, {1, -1, 0, 0});
    network.down.bias = Tensor::zeros({2});
    return network;
}

// "(2, 1, -1)"
std::string numbers_of_row(const Tensor& x, std::size_t row) {
    std::vector<float> numbers;
    for (std::size_t i = 0; i < x.size(-1); ++i) numbers.push_back(x.at({row, i}) + 0.0f);  // no -0
    return fmt::format("({:g})", fmt::join(numbers, ", "));
}

Report show_switch(const Request&) {
    const FeedForward network = network_by_hand();
    const Tensor x = Tensor::from({3, 2}, {3, 1, 3, 0, -2, 1});
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

Sections by_hand_sections() {
    return {{"by-hand", "By hand: a feature that switches another one", show_switch}};
}

}  // namespace tfs
