// tests/09_transformer/whole_model_reference.cpp · the stages of the shipped decoder, from the tensor layer and chapters 01 to 05
#include "tests/09_transformer/whole_model_reference.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tfs::test {
namespace {

Tensor attention_of(const WholeModel& m, const Tensor& x, const Tensor& in, const Way& way,
                    const std::string& block) {
    const auto project = [&](const std::string& name, const Tensor& t) {
        const bool bias = std::count(way.without_bias.begin(), way.without_bias.end(), name) == 0;
        const std::string layer = block + "attention." + name;
        if (way.transposed) return m.linear(layer, t, bias);
        const Tensor product = matmul(t, m.weight(layer + ".weight"));
        return bias ? product + m.weight(layer + ".bias") : product;
    };
    const auto read = [&](char part) { return way.unnormed.find(part) == std::string::npos ? in : x; };
    Tensor q = way.split(project(way.q, read('q'))), k = way.split(project(way.k, read('k'))),
           v = way.split(project(way.v, read('v')));
    if (way.turn_q) q = way.turn(q);
    if (way.turn_k) k = way.turn(k);
    if (way.turn_v) v = way.turn(v);
    const Tensor seen = way.merge(scaled_dot_product_attention(q * way.factor, k, v, way.mask).output);
    return way.project ? project("w_o", seen) : seen;
}

Tensor network_of(const WholeModel& m, const Tensor& in, const Way& way, const std::string& block) {
    const auto linear = [&](const std::string& name, const Tensor& t) {
        const bool bias = std::count(way.without_bias.begin(), way.without_bias.end(), name) == 0;
        return m.linear(block + "feed_forward." + name, t, bias);
    };
    return linear("down", way.activate(linear("up", in)));
}

// A sublayer with its norm, added to x.
Tensor added(const Tensor& x, Order order, const Map& norm, const Map& sublayer) {
    switch (order) {
        case Order::post:
            return norm(x + sublayer(x));
        case Order::both:
            return norm(x + sublayer(norm(x)));
        case Order::none:
            return x + sublayer(x);
        case Order::on_normed:
            return norm(x) + sublayer(norm(x));
        case Order::norm_after:
            return x + norm(sublayer(x));
        case Order::no_residual:
            return sublayer(norm(x));
        case Order::pre:
            break;
    }
    return x + sublayer(norm(x));
}

}  // namespace

Way right_way(const WholeModel& m, const Tensor& x, std::size_t block) {
    const BlockConfig& c = m.config.block;
    const std::size_t seq = x.size(1), heads = c.num_heads;
    const RotaryEmbedding rotary(c.d_model / heads, seq, c.rotary()->theta);
    return {
        .block = block,
        .eps = c.norm_eps,
        .split = [=](const Tensor& t) { return split_heads(t, heads); },
        .merge = merge_heads,
        .turn = [=, layout = c.rotary()->layout](const Tensor& t) { return apply_rotary(t, rotary, layout); },
        .mask = causal_mask(seq),
        .activate = [kind = c.activation](const Tensor& t) { return activate(kind, t); }};
}

Tensor normed(const WholeModel& m, const std::string& name, const Tensor& x, float eps) {
    return layer_norm(x, m.weight(name + ".gamma"), m.weight(name + ".beta"), eps);
}

Tensor block_of(const WholeModel& m, const Tensor& x, const Way& way) {
    const std::string block = fmt::format("blocks.{}.", way.block);
    const auto norm = [&](const std::string& name) -> Map {
        return [&, name](const Tensor& t) { return normed(m, block + name, t, way.eps); };
    };
    const Map think = [&](const Tensor& t) { return network_of(m, t, way, block); };
    const auto attended = [&](const Tensor& t) {
        const Map attend = [&](const Tensor& in) { return attention_of(m, t, in, way, block); };
        return way.has_attention ? added(t, way.attention, norm(way.attention_norm), attend) : t;
    };
    const auto thought = [&](const Tensor& t) {
        return way.has_network ? added(t, way.network, norm(way.network_norm), think) : t;
    };
    if (way.network_first) return attended(thought(x));
    const Tensor after = attended(x);
    const Map first = norm(way.attention_norm), second = norm(way.network_norm);
    if (way.network_reads_x) return after + think(second(x));
    if (way.network_reads_normed) return after + think(second(first(x)));
    if (way.network_joins_normed) return first(x) + think(second(after));
    return thought(after);
}

std::vector<Stage> reference_stages(const WholeModel& model, const Ids& ids) {
    Tensor x = embedding(model.weight("embedding.weight"), ids);
    std::vector<Stage> stages{{"embedding", x}};
    for (std::size_t i = 0; i < model.config.num_layers; ++i) {
        x = block_of(model, x, right_way(model, x, i));
        stages.push_back({fmt::format("blocks.{}", i), x});
    }
    x = normed(model, "final_norm", x, model.config.block.norm_eps);
    stages.push_back({"final_norm", x});
    stages.push_back({"logits", model.linear("embedding", x, false)});
    return stages;
}

}  // namespace tfs::test
