// bench/07_block_bench.cpp · attention with and without its weights, and a block: forward pass and training step, beside sgemm
#include <fmt/format.h>

#include "bench/race.hpp"
#include "chapters/07_block/cost.hpp"

namespace tfs::bench {

namespace {

// Of the products only the part is counted that the mask leaves: two forward, five more backward.
void add_attention(Benchmarks& all, std::size_t length, Weights keep) {
    constexpr std::size_t heads = 12, width = 64;
    Rng rng(3);
    std::vector<Tensor> x;  // q, k, v
    for (int i = 0; i < 3; ++i) x.push_back(parameter(Tensor(rng.normal_array({1, heads, length, width}))));
    const auto attention = [mask = causal_mask(length), keep](const std::vector<Tensor>& all_three) {
        return scaled_dot_product_attention(all_three[0], all_three[1], all_three[2], mask, std::nullopt,
                                            keep)
            .output;
    };
    const double product = 2.0 * static_cast<double>(heads * width * length * (length + 1) / 2);
    const std::string name = fmt::format("attention, causal, 12 x {} x 64{}", length,
                                         keep == Weights::keep ? ", weights kept" : "");
    all.push_back({name, 2.0 * product, "FLOP", {sgemm(all)}, [=] {
                       const NoGrad no_grad;
                       benchmark::DoNotOptimize(attention(x).values().data());
                   }});
    all.push_back({name + ", forward + backward", 7.0 * product, "FLOP", {sgemm(all)}, [=]() mutable {
                       sum(attention(x)).backward();
                       benchmark::DoNotOptimize(x[0].grad().data());
                       for (Tensor& one : x) one.clear_grad();
                   }});
}

}  // namespace

void add_block(Benchmarks& all) {
    for (const std::size_t length : {1024u, 2048u}) {
        add_attention(all, length, Weights::keep);
        add_attention(all, length, Weights::none);
    }
    add_attention(all, 8192, Weights::none);
    constexpr std::size_t batch = 4, seq = 256;
    Rng rng(2);
    const BlockConfig config;  // width 768, 12 heads, 3072, pre-norm, LayerNorm, GELU, all biases, no dropout
    TransformerBlock block(config, rng);
    const Mask mask = causal_mask(seq);
    const Tensor x(rng.normal_array({batch, seq, config.d_model}));
    // All products are counted in full, also where the causal mask makes half of the scores superfluous; norms, softmax,
    // GELU and additions count nothing.
    const double flops = static_cast<double>(attention_flops(config, batch, seq, seq).total() +
                                             feed_forward_flops(config, batch, seq));
    all.push_back({"block forward, 4 x 256 x 768", flops, "FLOP", {sgemm(all)}, [block, x, mask] {
                       const NoGrad no_grad;
                       benchmark::DoNotOptimize(block(x, mask).output.values().data());
                   }});
    // Each product C = A B of the forward pass has two of its size in the backward pass: dA = dC Bᵀ and dB = Aᵀ dC.
    all.push_back(
        {"block forward + backward, 4 x 256 x 768",
         3.0 * flops,
         "FLOP",
         {sgemm(all)},
         // A sum stands for the loss; x requires a gradient, as the input of a block in a model does.
         [block, mask, input = parameter(x), parameters = block.parameters()]() mutable {
             sum(block(input, mask).output).backward();
             benchmark::DoNotOptimize(input.grad().data());
             input.clear_grad();
             clear_grads(parameters);
         }});
}

}  // namespace tfs::bench
