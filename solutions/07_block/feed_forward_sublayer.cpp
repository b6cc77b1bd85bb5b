// Step 7.3 · feed_forward_sublayer · ●●○ · 10 min
// solutions/07_block/feed_forward_sublayer.cpp
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
    // begin: The network in its place, in training with dropout on its hidden layer, too. `dropout` is this struct's rate;
    // the function is `tfs::dropout`.
    const auto transform = [&](const Tensor& input) {
        const Tensor hidden = tfs::dropout(network.hidden(input), dropout, rng);  // (batch, seq, d_ff)
        return network.output(hidden);                                            // (batch, seq, d_model)
    };
    return norm_and_add(position, norm, x, transform, dropout, rng);
    // end
}

Parameters FeedForwardSublayer::parameters() const {
    Parameters all = network.parameters();
    append(all, "norm", norm.parameters());
    return all;
}

}  // namespace tfs
