// tests/mistakes/07_block/feed_forward_sublayer.input_dropped.cpp · step 7.3 done wrong
// Dropout on what the network gets.
// The checklist must say: "dropout falls on the input of the sublayer"
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
    const auto transform = [&](const Tensor& input) {
        const Tensor hidden = network.hidden(tfs::dropout(input, dropout, rng));  // (batch, seq, d_ff)
        return network.output(hidden);                                            // (batch, seq, d_model)
    };
    return norm_and_add(position, norm, x, transform, dropout, rng);
}

Parameters FeedForwardSublayer::parameters() const {
    Parameters all = network.parameters();
    append(all, "norm", norm.parameters());
    return all;
}

}  // namespace tfs
