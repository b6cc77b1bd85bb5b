// Step 7.3 · feed_forward_sublayer · ●●○ · 10 min
// exercises/07_block/feed_forward_sublayer.cpp · check yours with ./tutorial check 7.3
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/checks.hpp"

namespace tfs {

FeedForwardSublayer::FeedForwardSublayer(const BlockConfig& config, Rng& rng)
    : norm(require_valid("FeedForwardSublayer", config)),
      network(config, rng),
      position(config.norm_position),
      dropout(config.dropout) {}

Tensor FeedForwardSublayer::operator()(const Tensor& x, Rng* rng) const {
    require_block_input("FeedForwardSublayer", x, norm.parameters().front().tensor.size());
    // TODO 7.3: The network in its place, in training with dropout on its hidden layer, too. `dropout` is this struct's rate;
    // the function is `tfs::dropout`.
    throw NotImplemented("7.3 feed_forward_sublayer");
}

Parameters FeedForwardSublayer::parameters() const {
    Parameters all = network.parameters();
    append(all, "norm", norm.parameters());
    return all;
}

}  // namespace tfs
