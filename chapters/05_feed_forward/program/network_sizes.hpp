// chapters/05_feed_forward/program/network_sizes.hpp · feed-forward networks of several widths: their parameters, and their times
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/program.hpp"

namespace tfs {

struct NetworkSize {
    std::string name;
    std::size_t d_ff, weights, counted;
    std::function<Tensor(const Tensor&)> call;
};

// FeedForward of width d at ratio 1, 2, 4, 8: 2 d d_ff weights, d_ff + d biases.
std::vector<NetworkSize> feed_forward_sizes(std::size_t d, Rng& rng);

// SwiGLU of width d at ratio 4, and at two thirds of it: 3 d d_ff weights.
std::vector<NetworkSize> swiglu_sizes(std::size_t d, Rng& rng);

}  // namespace tfs
