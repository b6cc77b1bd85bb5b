// bench/block_bench.cpp · the forward pass of a pre-norm block, put together here until a chapter builds one
#include "bench/table.hpp"
#include "chapters/02_masks/masks.hpp"
#include "chapters/04_normalization/normalization.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs::bench {

namespace {

constexpr std::size_t tokens = 1024, d_model = 768, heads = 12, d_ff = 3072;

// x + attention(norm(x)), then x + ffn(norm(x)): the layout of GPT-2 (Radford et al. 2019).
struct Block {
    LayerNorm norm_1, norm_2;
    MultiHeadAttention attention;
    FeedForward ffn;
    Mask causal;

    explicit Block(Rng& rng)
        : norm_1(d_model),
          norm_2(d_model),
          attention(d_model, heads, rng),
          ffn(d_model, d_ff, rng, Activation::gelu_tanh),
          causal(causal_mask(tokens)) {}

    Tensor operator()(const Tensor& x) const {  // (batch, seq, d_model)
        const Tensor normed = norm_1(x);
        const Tensor attended = x + attention(normed, normed, normed, causal).output;
        return attended + ffn(norm_2(attended));
    }
};

}  // namespace

void add_block_lines(Table& table) {
    Rng rng(2);
    const Block block(rng);
    const Tensor x(rng.normal_array({1, tokens, d_model}));
    // All products are counted in full, also where the causal mask makes half of the scores superfluous; norms, softmax,
    // GELU and additions count nothing.
    const double projections = 4 * 2.0 * tokens * d_model * d_model;
    const double attention = 2 * 2.0 * tokens * tokens * d_model;
    const double feed_forward = 2 * 2.0 * tokens * d_model * d_ff;
    table.add({.name = "block forward, width 768, 1024 tokens",
               .amount = projections + attention + feed_forward,
               .baseline = sgemm,
               .goal = 0.85},
              [block, x] {
                  const NoGrad no_grad;
                  keep(block(x).values().data());
              });
}

}  // namespace tfs::bench
