// chapters/06_residual_dropout/models/layer_stack.cpp · a stack of untrained layers, whose sublayers can be joined in several ways
#include "chapters/06_residual_dropout/models/layer_stack.hpp"

#include "common/measure.hpp"

namespace tfs {

Tensor stack::Layer::operator()(const Tensor& x, const Join& join) const {
    const Sublayer attend = [this](const Tensor& t) { return attention(t, t, t).output; };
    return join(join(x, norm[0], attend), norm[1], feed_forward);
}

std::vector<stack::Layer> stack::make_layers(std::size_t depth, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<Layer> layers;
    for (std::size_t i = 0; i < depth; ++i) layers.emplace_back(rng);
    return layers;
}

Tensor stack::make_input(std::uint64_t seed) { return Tensor(Rng(seed).normal_array({1, positions, width})); }

StreamSizes stream_sizes(std::size_t layers, float factor, std::uint64_t seed) {
    const NoGrad no_grad;
    const stack::Join scaled = [&](const Tensor& x, const LayerNorm& norm, const Sublayer& s) {
        return pre_norm_residual(x, norm, [&](const Tensor& t) { return s(t) * factor; });
    };
    const Tensor input = stack::make_input(seed + 100);
    Tensor x = input;
    StreamSizes sizes;
    for (const stack::Layer& layer : stack::make_layers(layers, seed)) {
        x = layer(x, scaled);
        sizes.after_layer.push_back(root_mean_square(x.values()));
    }
    sizes.change = root_mean_square((x - input).values());
    return sizes;
}

}  // namespace tfs
