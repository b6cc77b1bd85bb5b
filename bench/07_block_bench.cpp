// bench/07_block_bench.cpp · forward pass and training step of a block, beside sgemm
#include "bench/table.hpp"
#include "chapters/07_block/cost.hpp"

namespace tfs::bench {

namespace {

constexpr std::size_t batch = 4, seq = 256;

// Forward and backward. A sum stands for the loss; x requires a gradient, as the input of a block in a model does.
void forward_and_back(const TransformerBlock& block, Tensor x, const Mask& mask, Parameters parameters) {
    sum(block(x, mask).output).backward();
    keep(x.grad().data());
    x.clear_grad();
    clear_grads(parameters);
}

}  // namespace

void add_block_lines(Table& table) {
    Rng rng(2);
    const BlockConfig config;  // width 768, 12 heads, 3072, pre-norm, LayerNorm, GELU, all biases, no dropout
    TransformerBlock block(config, rng);
    const Mask mask = causal_mask(seq);
    const Tensor x(rng.normal_array({batch, seq, config.d_model})), input = parameter(x);
    // All products are counted in full, also where the causal mask makes half of the scores superfluous; norms, softmax,
    // GELU and additions count nothing.
    const double flops = static_cast<double>(attention_flops(config, batch, seq, seq).total() +
                                             feed_forward_flops(config, batch, seq));
    table.add({.name = "block forward, 4 x 256 x 768", .amount = flops, .baseline = sgemm, .goal = 0.97},
              [block, x, mask] {
                  const NoGrad no_grad;
                  keep(block(x, mask).output.values().data());
              });
    // Each product C = A B of the forward pass has two of its size in the backward pass: dA = dC Bᵀ and dB = Aᵀ dC.
    table.add({.name = "block forward + backward, 4 x 256 x 768",
               .amount = 3.0 * flops,
               .baseline = sgemm,
               .goal = 0.93},
              [block, input, mask, parameters = block.parameters()] {
                  forward_and_back(block, input, mask, parameters);
              });
}

}  // namespace tfs::bench
