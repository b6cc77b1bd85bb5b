// bench/07_block_bench.cpp · forward pass and training step of a block, beside sgemm
#include "bench/race.hpp"
#include "chapters/07_block/cost.hpp"

namespace tfs::bench {

void add_block(Benchmarks& all) {
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
