// tests/mistakes/07_block/feed_forward_sublayer.swiglu_not_dropped.cpp · step 7.3 done wrong
// Dropout on the hidden layer of FeedForward alone.
// The checklist must say: "the hidden layer of SwiGLU is not dropped"
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
        const Tensor hidden = std::holds_alternative<SwiGLU>(network.kind)
                                  ? network.hidden(input)
                                  : tfs::dropout(network.hidden(input), dropout, rng);  // (batch, seq, d_ff)
        return network.output(hidden);  // (batch, seq, d_model)
    };
    return norm_and_add(position, norm, x, transform, dropout, rng);
}

Parameters FeedForwardSublayer::parameters() const {
    Parameters all = network.parameters();
    append(all, "norm", norm.parameters());
    return all;
}

}  // namespace tfs
