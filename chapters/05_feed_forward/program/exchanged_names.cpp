// chapters/05_feed_forward/program/exchanged_names.cpp · what happens if the weights of gate and up are exchanged
#include "chapters/05_feed_forward/program/sections.hpp"

#include <fmt/ostream.h>

#include <utility>

namespace tfs {

void show_exchanged_names(Show& show, const SwiGLU& layer, const Tensor& x) {
    const NoGrad no_grad;
    SwiGLU exchanged = layer;
    std::swap(exchanged.gate, exchanged.up);
    const Tensor right = layer(x), wrong = exchanged(x);
    fmt::print(show.out,
               "  gate and up exchanged: no error, largest entry {:.2f}, largest difference {:.2f}\n",
               largest_difference(right.array(), Tensor::zeros(right.shape()).array()),
               largest_difference(right.array(), wrong.array()));
    std::swap(exchanged.gate, exchanged.down);
    try {
        (void)exchanged(x);
    } catch (const ShapeError& error) {
        fmt::print(show.out, "  gate and down exchanged: {}\n", error.what());
    }
}

}  // namespace tfs
