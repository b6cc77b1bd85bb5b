// chapters/05_feed_forward/program/token_independence.hpp · one token is replaced: what changes in the others, behind the network and behind attention
#pragma once

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "common/program.hpp"

namespace tfs {

// x (1, seq, d_model). Prints how many entries of the other tokens change.
void show_independence(Show& show, const Tensor& x, const FeedForward& layer);

}  // namespace tfs
