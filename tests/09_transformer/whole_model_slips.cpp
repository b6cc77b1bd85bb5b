// tests/09_transformer/whole_model_slips.cpp · what is done wrong in a block of the decoder, one thing at a time
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/09_transformer/whole_model_suspects.hpp"

namespace tfs::test {
namespace {

Mask mask_where(std::size_t seq, const std::function<bool(std::size_t, std::size_t)>& allowed) {
    std::vector<int> entries;
    for (std::size_t query = 0; query < seq; ++query)
        for (std::size_t key = 0; key < seq; ++key) entries.push_back(allowed(query, key) ? 1 : 0);
    return Mask::from({1, 1, seq, seq}, entries);
}

void add_orders(std::vector<Slip>& slips) {
    const std::pair<Order, std::string> orders[] = {
        {Order::post,
         "the norm comes after the sum (post-norm); in this model it comes before the sublayer, "
         "and the sum is not normed"},
        {Order::both, "the sum is normed once more; only what enters the sublayer is normed"},
        {Order::none, "the norm is left out"},
        {Order::on_normed, "the residual connection begins at norm(x); x itself is added"},
        {Order::norm_after, "the norm comes after the sublayer; it comes before it"},
        {Order::no_residual, "x is not added: the residual connection is missing"}};
    for (const auto& [order, message] : orders) {
        slips.push_back({message + " (in both halves of the block)",
                         [order = order](Way& way) { way.attention = way.network = order; }});
        slips.push_back({message + " (at attention)", [order = order](Way& way) { way.attention = order; }});
        slips.push_back(
            {message + " (at the feed-forward network)", [order = order](Way& way) { way.network = order; }});
    }
    const std::string a = "attention.norm", n = "feed_forward.norm";
    slips.push_back({"the two norms of the block are exchanged", [=](Way& way) {
                         way.attention_norm = n;
                         way.network_norm = a;
                     }});
    slips.push_back({"the feed-forward network uses the norm of attention; it has its own: " + n,
                     [=](Way& way) { way.network_norm = a; }});
    slips.push_back({"attention uses the norm of the feed-forward network; it has its own: " + a,
                     [=](Way& way) { way.attention_norm = n; }});
    for (const float eps : other_eps)
        slips.push_back({"the norms of the block have another eps; the model's is config.block.norm_eps",
                         [=](Way& way) { way.eps = eps; }});
    slips.push_back(
        {"both sublayers read the same x; the feed-forward network reads the sum that attention "
         "has changed",
         [](Way& way) { way.network_reads_x = true; }});
    slips.push_back(
        {"the feed-forward network reads what attention has read, norm(x); it reads the norm of the sum",
         [](Way& way) { way.network_reads_normed = true; }});
    slips.push_back(
        {"the result of the feed-forward network is added to what attention has read, norm(x); it is added "
         "to x",
         [](Way& way) { way.network_joins_normed = true; }});
    slips.push_back(
        {"the feed-forward network comes before attention", [](Way& way) { way.network_first = true; }});
    slips.push_back({"the feed-forward network is missing, or the stage is taken before it",
                     [](Way& way) { way.has_network = false; }});
    slips.push_back(
        {"attention is missing, or its result is not used", [](Way& way) { way.has_attention = false; }});
    slips.push_back({"this is what enters the block; take its stage at the end of the loop",
                     [](Way& way) { way.has_attention = way.has_network = false; }});
}

void add_projections(std::vector<Slip>& slips) {
    const auto without = [&](const std::string& message, const std::vector<std::string>& names) {
        slips.push_back({message, [=](Way& way) { way.without_bias = names; }});
    };
    for (const std::string name : {"w_q", "w_k", "w_v", "w_o", "up", "down"})
        without(fmt::format("the bias of {} is left out", name), {name});
    without("the biases of w_q, w_k and w_v are left out", {"w_q", "w_k", "w_v"});
    without("the biases of attention are left out: w_q, w_k, w_v and w_o", {"w_q", "w_k", "w_v", "w_o"});
    without("the biases of the feed-forward network are left out: up and down", {"up", "down"});
    without("the biases are left out, of attention and of the feed-forward network",
            {"w_q", "w_k", "w_v", "w_o", "up", "down"});
    slips.push_back(
        {"the weights of attention are used without transposing: a weight is (out, in), so the "
         "product is x Wᵀ",
         [](Way& way) { way.transposed = false; }});
    for (const std::string parts : {"q", "k", "v", "qk", "qkv"})
        slips.push_back({fmt::format("{} {} computed from x; all three read norm(x)",
                                     parts == "qkv"  ? "q, k and v"
                                     : parts == "qk" ? "q and k"
                                                     : parts,
                                     parts.size() > 1 ? "are" : "is"),
                         [=](Way& way) { way.unnormed = parts; }});
    slips.push_back({"w_o is left out: behind merge_heads comes one more projection",
                     [](Way& way) { way.project = false; }});
    slips.push_back({"w_q and w_k are exchanged", [](Way& way) { std::swap(way.q, way.k); }});
    for (std::string Way::*part : {&Way::q, &Way::k, &Way::v})
        for (const std::string name : {"w_q", "w_k", "w_v"})
            if (const std::string own = Way{}.*part; own != name)
                slips.push_back({fmt::format("{} is computed with {}; it has weights of its own: {}",
                                             own.substr(2), name, own),
                                 [=](Way& way) { way.*part = name; }});
}

void add_attention(std::vector<Slip>& slips, const BlockConfig& c, std::size_t seq) {
    const std::size_t heads = c.num_heads, d_model = c.d_model, d_k = d_model / heads;
    const double theta = c.rotary()->theta;
    const RotaryLayout used = c.rotary()->layout, other = used == RotaryLayout::half_split
                                                              ? RotaryLayout::interleaved
                                                              : RotaryLayout::half_split;
    const RotaryEmbedding narrow(d_k, seq, theta), wide(d_model, seq, theta);
    const Map split_wrong = [=](const Tensor& t) { return reshape(t, {t.size(0), heads, seq, d_k}); };
    const Map merge_wrong = [=](const Tensor& t) { return reshape(t, {t.size(0), seq, d_model}); };
    const std::string
        early = "rotary positions turn queries and keys before split_heads; each head is turned by itself",
        axis = "; transpose the axes heads and seq, too";
    slips.insert(
        slips.end(),
        {{"the causal mask is missing: positions see later ones", [](Way& way) { way.mask.reset(); }},
         {"the mask is turned round: true = may attend",
          [=](Way& way) { way.mask = mask_where(seq, [](auto query, auto key) { return key > query; }); }},
         {"the mask is turned round: a position sees itself and earlier ones",
          [=](Way& way) { way.mask = mask_where(seq, [](auto query, auto key) { return key >= query; }); }},
         {"the mask hides a position from itself",
          [=](Way& way) { way.mask = mask_where(seq, [](auto query, auto key) { return key < query; }); }},
         {"rotary positions are missing: apply_rotary turns queries and keys",
          [](Way& way) { way.turn_q = way.turn_k = false; }},
         {"rotary positions have the other layout; the model's is config.block.rotary()->layout",
          [=](Way& way) { way.turn = [=](const Tensor& t) { return apply_rotary(t, narrow, other); }; }},
         {"the values are turned, too; rotary positions turn queries and keys alone",
          [](Way& way) { way.turn_v = true; }},
         {"rotary positions turn the queries alone; the keys are turned, too",
          [](Way& way) { way.turn_k = false; }},
         {"rotary positions turn the keys alone; the queries are turned, too",
          [](Way& way) { way.turn_q = false; }},
         {early,
          [=](Way& way) {
              way.turn = [=](const Tensor& t) {
                  return split_heads(apply_rotary(merge_heads(t), wide, used), heads);
              };
          }},
         {early,
          [=](Way& way) {
              way.turn = [=](const Tensor& t) {
                  return split_heads(apply_rotary(merge_heads(t), wide, other), heads);
              };
          }},
         {"the scores are not divided by sqrt(d_k)",
          [=](Way& way) { way.factor = std::sqrt(static_cast<float>(d_k)); }},
         {"the scores are divided by sqrt(d_model); the width of a head is d_k = d_model / num_heads",
          [=](Way& way) { way.factor = 1.0f / std::sqrt(static_cast<float>(heads)); }},
         {"the scores are divided by d_k, or twice by its root; scaled_dot_product_attention divides them",
          [=](Way& way) { way.factor = 1.0f / std::sqrt(static_cast<float>(d_k)); }},
         {"the heads are split by a reshape alone" + axis, [=](Way& way) { way.split = split_wrong; }},
         {"the heads are merged by a reshape alone" + axis, [=](Way& way) { way.merge = merge_wrong; }},
         {"the heads are split and merged by a reshape alone" + axis,
          [=](Way& way) {
              way.split = split_wrong;
              way.merge = merge_wrong;
          }},
         {"there is one head of all the width; the model has config.block.num_heads", [=](Way& way) {
              way.split = [](const Tensor& t) { return split_heads(t, 1); };
              way.turn = [=](const Tensor& t) { return apply_rotary(t, wide, used); };
          }}});
}

void add_activations(std::vector<Slip>& slips, Activation used) {
    const std::pair<Activation, std::string> kinds[] = {
        {Activation::relu, "ReLU"},
        {Activation::gelu, "the exact GELU"},
        {Activation::gelu_tanh, "the tanh form of GELU"},
        {Activation::gelu_sigmoid, "the sigmoid form of GELU"},
        {Activation::silu, "SiLU"}};
    for (const auto& [kind, name] : kinds)
        if (kind != used)
            slips.push_back(
                {fmt::format("the activation is {}; the model's is config.block.activation", name),
                 [kind = kind](Way& way) {
                     way.activate = [=](const Tensor& t) { return activate(kind, t); };
                 }});
    slips.push_back({"the activation between up and down is missing",
                     [](Way& way) { way.activate = [](const Tensor& t) { return t; }; }});
}

}  // namespace

std::vector<Slip> block_slips(const TransformerConfig& config, std::size_t seq, std::size_t block) {
    std::vector<Slip> slips;
    for (std::size_t other = 0; other < config.num_layers; ++other)
        if (other != block)
            slips.push_back({fmt::format("the weights are those of blocks.{}; each block has its own", other),
                             [=](Way& way) { way.block = other; }});
    add_orders(slips);
    add_projections(slips);
    add_attention(slips, config.block, seq);
    add_activations(slips, config.block.activation);
    return slips;
}

}  // namespace tfs::test
