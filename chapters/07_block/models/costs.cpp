// chapters/07_block/models/costs.cpp · what each part of a block computes, holds and costs: the lines of a summary
#include <functional>
#include <utility>

#include "chapters/07_block/cost.hpp"
#include "common/base/array.hpp"

namespace tfs {

namespace {

// The lines of one half of a block. All of them begin with its name.
struct Half {
    const BlockConfig& config;
    std::string name;
    std::size_t batch;
    std::vector<PartCost> parts = {};

    // One result of shape `output`, of which `kept` tensors lie on the tape.
    PartCost& add(const std::string& part, Shape output, std::vector<std::string> axes,
                  std::size_t kept = 1) {
        parts.push_back(part_with_result(join_path(name, part), std::move(output), std::move(axes), kept));
        return parts.back();
    }
    PartCost& add_rows(const std::string& part, std::size_t seq, std::size_t width, const char* axis) {
        return add(part, {batch, seq, width}, {"batch", "seq", axis});
    }
    void add_norm(std::size_t seq) {
        parts.push_back(norm_cost(config, join_path(name, "norm"), batch, seq));
    }
    void add_sum(std::size_t seq) { add_rows("add", seq, config.d_model, "d_model"); }
};

// A projection of so many rows from `in` to `out`.
void set_linear(PartCost& part, std::size_t rows, std::size_t in, std::size_t out, bool bias) {
    part.parameters = in * out + (bias ? out : 0);
    part.flops = checked_product({2, rows, in, out});
}

// q, k and v by head; two tensors of each are kept, before and after the split.
void add_projections(Half& half, std::size_t query, std::size_t key) {
    const BlockConfig& c = half.config;
    const std::size_t d_k = c.d_model / c.num_heads;
    for (const auto& [part, heads, seq, axis] :
         {std::tuple("w_q", c.num_heads, query, "query"), std::tuple("w_k", c.kv_heads(), key, "key"),
          std::tuple("w_v", c.kv_heads(), key, "key")}) {
        PartCost& line = half.add(part, {half.batch, heads, seq, d_k}, {"batch", "heads", axis, "d_k"}, 2);
        set_linear(line, half.batch * seq, c.d_model, heads * d_k, c.attention_bias != AttentionBias::none);
    }
    if (!c.rotary()) return;
    half.add("turned_q", {half.batch, c.num_heads, query, d_k}, {"batch", "heads", "query", "d_k"});
    half.add("turned_k", {half.batch, c.kv_heads(), key, d_k}, {"batch", "heads", "key", "d_k"});
    if (!c.grouped()) return;
    for (const char* part : {"repeated_k", "repeated_v"})
        half.add(part, {half.batch, c.num_heads, key, d_k}, {"batch", "heads", "key", "d_k"});
}

void add_attention(Half& half, std::size_t query, std::size_t key) {
    const BlockConfig& c = half.config;
    const std::size_t d_k = c.d_model / c.num_heads;
    const std::size_t product = checked_product({2, half.batch, query, key, c.d_model});
    add_projections(half, query, key);
    half.add("weights", {half.batch, c.num_heads, query, key}, {"batch", "heads", "query", "key"}).flops =
        product;
    half.add("weighted_sum", {half.batch, c.num_heads, query, d_k}, {"batch", "heads", "query", "d_k"})
        .flops = product;
    half.add_rows("merged", query, c.d_model, "d_model");
    set_linear(half.add_rows("w_o", query, c.d_model, "d_model"), half.batch * query, c.d_model, c.d_model,
               c.attention_bias == AttentionBias::all);
}

void add_network(Half& half, std::size_t seq) {
    const BlockConfig& c = half.config;
    const bool gated = c.feed_forward == FeedForwardKind::swiglu;
    const bool bias = !gated && c.feed_forward_bias == Bias::yes;
    const std::size_t rows = half.batch * seq;
    if (gated) set_linear(half.add_rows("gate", seq, c.d_ff, "d_ff"), rows, c.d_model, c.d_ff, bias);
    set_linear(half.add_rows("up", seq, c.d_ff, "d_ff"), rows, c.d_model, c.d_ff, bias);
    half.add_rows(gated ? "gated" : "activation", seq, c.d_ff, "d_ff");
    set_linear(half.add_rows("down", seq, c.d_model, "d_model"), rows, c.d_ff, c.d_model, bias);
}

}  // namespace

std::vector<PartCost> attention_costs(const BlockConfig& config, const std::string& prefix, std::size_t batch,
                                      std::size_t query, std::size_t key) {
    Half half{require_valid("attention_costs", config), prefix, batch};
    if (config.norm_position == NormPosition::pre) half.add_norm(query);
    add_attention(half, query, key);
    half.add_sum(query);
    if (config.norm_position == NormPosition::post) half.add_norm(query);
    return half.parts;
}

std::vector<PartCost> feed_forward_costs(const BlockConfig& config, const std::string& prefix,
                                         std::size_t batch, std::size_t seq) {
    Half half{require_valid("feed_forward_costs", config), prefix, batch};
    if (config.norm_position == NormPosition::pre) half.add_norm(seq);
    add_network(half, seq);
    half.add_sum(seq);
    if (config.norm_position == NormPosition::post) half.add_norm(seq);
    return half.parts;
}

std::vector<PartCost> block_costs(const BlockConfig& config, const std::string& prefix, std::size_t batch,
                                  std::size_t seq) {
    std::vector<PartCost> parts = attention_costs(config, join_path(prefix, "attention"), batch, seq, seq);
    append(parts, feed_forward_costs(config, join_path(prefix, "feed_forward"), batch, seq));
    return parts;
}

PartCost norm_cost(const BlockConfig& config, const std::string& path, std::size_t batch, std::size_t seq) {
    PartCost cost = part_with_result(path, {batch, seq, config.d_model}, {"batch", "seq", "d_model"});
    cost.parameters = (config.norm == NormKind::layer_norm ? 2 : 1) * config.d_model;  // gamma, beta
    return cost;
}

std::size_t copies_of_reshape(const BlockConfig& config, std::size_t batch, std::size_t query,
                              std::size_t key) {
    const std::size_t d = config.d_model, heads = config.num_heads;
    const auto beyond_one = [](const Shape& shape, const std::function<Tensor(const Tensor&)>& change) {
        const Tensor result = change(Tensor(Array(shape, 0.0f), true));
        return tape_bytes(result) - sizeof(float) * result.size();
    };
    const auto split = [](std::size_t into) {
        return [into](const Tensor& x) { return split_heads(x, into); };
    };
    const auto repeat = [&](const Tensor& x) { return repeat_heads(x, heads / config.kv_heads()); };
    const std::size_t of_repeating =
        config.grouped() ? 2 * beyond_one({batch, config.kv_heads(), key, d / heads}, repeat) : 0;
    return beyond_one({batch, query, d}, split(heads)) +
           2 * beyond_one({batch, key, config.d_kv()}, split(config.kv_heads())) + of_repeating +
           beyond_one({batch, heads, query, d / heads}, merge_heads);
}

}  // namespace tfs
