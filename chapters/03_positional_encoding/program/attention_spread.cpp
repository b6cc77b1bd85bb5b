// chapters/03_positional_encoding/program/attention_spread.cpp · how untrained attention spreads over more and more keys
#include "chapters/03_positional_encoding/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/03_positional_encoding/program/positioned_attention.hpp"

namespace tfs {

namespace {

std::string entropy_of(const Tensor& weights) { return fmt::format("{:.2f}", mean_entropy(weights)); }

std::string share_of_last(const Tensor& weights, std::size_t count) {
    const std::size_t keys = weights.size(-1);
    return fmt::format("{:.2f}", mean(sum(slice(weights, -1, keys - count, keys), -1)).item());
}

}  // namespace

void measure_spread(Show& show) {
    constexpr std::size_t heads = 8, queries = 16, d_k = 64, window = 64;
    fmt::print(show.out, "  {:>6} | {:^28} | {:>26}\n", "keys", "entropy, nats",
               "weight on the last 64 keys");
    fmt::print(show.out, "  {:>6} | {:>8} {:>8} {:>10} | {:>8} {:>8} {:>10}\n", "", "none", "rotary", "ALiBi",
               "none", "rotary", "ALiBi");
    const NoGrad no_grad;
    for (const std::size_t keys : {64u, 128u, 256u, 512u, 1024u}) {
        Rng rng(show.options.seed);
        const Tensor q(rng.normal_array({queries, heads, 1, d_k})),
            k(rng.normal_array({queries, heads, keys, d_k}));
        const RotaryEmbedding rotary(d_k, keys);
        const Tensor weights[3] = {
            attention_weights(q, k),
            rotary_attention(q, k, k, rotary, std::nullopt, RotaryLayout::interleaved, keys - 1).weights,
            biased_attention(q, k, k, alibi_bias(heads, 1, keys, keys - 1)).weights};
        fmt::print(show.out, "  {:>6} | {:>8} {:>8} {:>10} | {:>8} {:>8} {:>10}\n", keys,
                   entropy_of(weights[0]), entropy_of(weights[1]), entropy_of(weights[2]),
                   share_of_last(weights[0], window), share_of_last(weights[1], window),
                   share_of_last(weights[2], window));
    }
}

}  // namespace tfs
