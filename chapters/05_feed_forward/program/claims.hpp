// chapters/05_feed_forward/program/claims.hpp · what the lesson claims of the network, measured
#pragma once

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "common/program.hpp"

namespace tfs {

// Changes one token of x (1, seq, d_model): what changes in the others, behind the network and behind attention?
void show_independence(std::ostream& out, const Tensor& x, const FeedForward& layer, std::uint64_t seed);

// f(a + b) against f(a) + f(b), for attention with fixed weights, attention as a whole, and the network.
void show_superposition(std::ostream& out, std::uint64_t seed);

// Units that no input wakes any more, before and after training with small and large steps.
void measure_dead_units(std::ostream& out, std::uint64_t seed);

// Parameters and operations at ratio 1, 2, 4, 8 and of SwiGLU, by formula and by counting; the share of the whole model.
void show_sizes(std::ostream& out, std::uint64_t seed);

// The time of each of them.
void measure_times(std::ostream& out, std::uint64_t seed);

}  // namespace tfs
