// chapters/03_positional_encoding/program/attention_spread.cpp · how untrained attention spreads over more and more keys
#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

double share_of_last(const Tensor& weights, std::size_t count) {
    const std::size_t keys = weights.size(-1);
    return mean(sum(slice(weights, -1, keys - count, keys), -1)).item();
}

Report show_spread(const Request& request) {
    constexpr std::size_t heads = 8, queries = 16, d_k = 64, window = 64;
    const std::string entropy = "entropy, nats", share = "weight, last 64 keys";
    Table table{.columns = {{"keys", whole()},
                            {"none", fixed(2), "", entropy},
                            {"rotary", fixed(2), "", entropy},
                            {"ALiBi", fixed(2), "", entropy},
                            {"none", fixed(2), "", share},
                            {"rotary", fixed(2), "", share},
                            {"ALiBi", fixed(2), "", share}}};
    const NoGrad no_grad;
    for (const std::size_t keys : {64u, 128u, 256u, 512u, 1024u}) {
        Rng rng(request[options::seed]);
        const Tensor q(rng.normal_array({queries, heads, 1, d_k})),
            k(rng.normal_array({queries, heads, keys, d_k}));
        const RotaryEmbedding rotary(d_k, keys);
        std::vector<Cell> row{keys}, shares;
        for (const Tensor& weights :
             {attention_weights(q, k),
              rotary_attention(q, k, k, rotary, std::nullopt, RotaryLayout::interleaved, keys - 1).weights,
              attention_weights(q, k, std::nullopt, alibi_bias(heads, 1, keys, keys - 1))}) {
            row.emplace_back(mean_entropy(weights));
            shares.emplace_back(share_of_last(weights, window));
        }
        row.insert(row.end(), shares.begin(), shares.end());
        table.add(row);
    }
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections attention_spread_sections() {
    return {{"spread",
             "Untrained attention over more and more keys",
             show_spread,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
