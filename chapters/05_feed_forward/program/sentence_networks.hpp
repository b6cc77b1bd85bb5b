// chapters/05_feed_forward/program/sentence_networks.hpp · a sentence through the feed-forward network and through SwiGLU, step by step
#pragma once

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "common/program.hpp"

namespace tfs {

// x (1, seq, d_model). The figure has the first hidden units of each token, with this activation and with ReLU.
HeatMapFigure show_network(Show& show, const FeedForward& layer, const std::string& activation,
                           const Tensor& x);

void show_swiglu(Show& show, const SwiGLU& layer, const Tensor& x);

}  // namespace tfs
