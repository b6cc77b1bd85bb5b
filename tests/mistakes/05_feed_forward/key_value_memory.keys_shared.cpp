// tests/mistakes/05_feed_forward/key_value_memory.keys_shared.cpp · step 5.8 done wrong: no copy
// The checklist must say: "a weight must be a copy that can be trained by itself"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/05_feed_forward/given/checks.hpp"

namespace tfs {

FeedForward key_value_memory(const Tensor& keys, const Tensor& values, float threshold) {
    require_memory(keys, values, threshold);
    const std::size_t slots = keys.size(0), d_model = keys.size(1);
    Rng unused(0);  // the random weights are all replaced
    FeedForward memory(d_model, slots, unused, Activation::relu);
    const Tensor squares = sum(keys * keys, -1, KeepDims::yes);          // (slots, 1)
    const Tensor scaled = values / ((1.0f - threshold) * squares);       // (slots, d_model)
    memory.up.weight = Tensor(keys).set_requires_grad(true);             // (d_ff, d_model)
    memory.up.bias = parameter(reshape(squares * -threshold, {slots}));  // (d_ff)
    memory.down.weight = parameter(transpose(scaled, 0, 1));             // (d_model, d_ff)
    memory.down.bias = parameter(Tensor::zeros({d_model}));
    return memory;
}

}  // namespace tfs
