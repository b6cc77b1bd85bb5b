// Step 5.3 · key_value_memory · ●●● · 20 min
// solutions/05_feed_forward/key_value_memory.cpp
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/05_feed_forward/given/memories.hpp"
#include "common/nn/parameters.hpp"

namespace tfs {

FeedForward key_value_memory(const Tensor& keys, const Tensor& values, float threshold) {
    require_memory(keys, values, threshold);
    const std::size_t slots = keys.size(0), d_model = keys.size(1);
    Rng unused(0);  // the random weights are all replaced
    FeedForward memory(d_model, slots, unused, Activation::relu);
    // begin: Set the weight and the bias of memory.up and the weight of memory.down, each to a parameter(...): a copy that can be
    // trained. The bias of memory.down is 0 already.
    const Tensor squares = sum(keys * keys, -1, KeepDims::yes);          // (slots, 1)
    const Tensor scaled = values / ((1.0f - threshold) * squares);       // (slots, d_model)
    memory.up.weight = parameter(keys);                                  // (d_ff, d_model)
    memory.up.bias = parameter(reshape(squares * -threshold, {slots}));  // (d_ff)
    memory.down.weight = parameter(transpose(scaled, 0, 1));             // (d_model, d_ff)
    // end
    return memory;
}

}  // namespace tfs
