// chapters/06_residual_dropout/models/layer_stack.cpp · a stack of untrained layers, whose sublayers can be joined in five ways
#include "chapters/06_residual_dropout/models/layer_stack.hpp"

#include "common/measure.hpp"

namespace tfs::stack {

namespace {

Tensor joined(const Tensor& x, Wiring wiring, const LayerNorm& norm, const Sublayer& s, float factor) {
    switch (wiring) {
        case Wiring::plain:
            return s(x);
        case Wiring::norm_only:
            return norm(s(x));
        case Wiring::residual:
            return tfs::residual(x, s);
        case Wiring::post_norm:
            return post_norm_residual(x, norm, s);
        default:
            return pre_norm_residual(x, norm, [&](const Tensor& t) { return s(t) * factor; });
    }
}

}  // namespace

Layer::Layer(Rng& rng) : attention(width, heads, rng), feed_forward(width, d_ff, rng) {}

Tensor Layer::operator()(Tensor x, Wiring wiring, float factor) const {
    const Sublayer attend = [this](const Tensor& t) { return attention(t, t, t).output; };
    x = joined(x, wiring, norm[0], attend, factor);
    return joined(x, wiring, norm[1], feed_forward, factor);
}

Parameters Layer::parameters() const {
    Parameters all;
    append(all, "attention", attention.parameters());
    append(all, "feed_forward", feed_forward.parameters());
    return all;
}

std::vector<Layer> make_layers(std::size_t depth, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<Layer> layers;
    for (std::size_t i = 0; i < depth; ++i) layers.emplace_back(rng);
    return layers;
}

Tensor make_input(std::uint64_t seed) { return Tensor(Rng(seed).normal_array({1, positions, width})); }

}  // namespace tfs::stack

namespace tfs {

StreamSizes stream_sizes(std::size_t layers, float factor, std::uint64_t seed) {
    const NoGrad no_grad;
    const Tensor input = stack::make_input(seed + 100);
    Tensor x = input;
    StreamSizes sizes;
    for (const stack::Layer& layer : stack::make_layers(layers, seed)) {
        x = layer(x, stack::Wiring::pre_norm, factor);
        sizes.after_layer.push_back(root_mean_square(x.values()));
    }
    sizes.change = root_mean_square((x - input).values());
    return sizes;
}

}  // namespace tfs
