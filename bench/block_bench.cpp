// bench/block_bench.cpp · the forward pass of a pre-norm block, put together here until a chapter builds one
#include "bench/table.hpp"
#include "chapters/01_attention/attention.hpp"
#include "common/kernels/row_kernels.hpp"

namespace tfs::bench {

namespace {

constexpr std::size_t tokens = 1024, d_model = 768, heads = 12, d_ff = 3072;

// x + attention(norm(x)), then x + ffn(norm(x)): the layout of GPT-2 (Radford et al. 2019).
struct Block {
    Tensor gamma = Tensor::ones({d_model}), beta = Tensor::zeros({d_model});
    MultiHeadAttention attention;
    Linear up, down;
    Mask causal;

    explicit Block(Rng& rng)
        : attention(d_model, heads, rng),
          up(d_model, d_ff, rng),
          down(d_ff, d_model, rng),
          causal(causal_mask()) {}

    static Mask causal_mask() {
        std::vector<int> allowed(tokens * tokens);
        for (std::size_t i = 0; i < tokens; ++i) {
            for (std::size_t j = 0; j <= i; ++j) allowed[i * tokens + j] = 1;
        }
        return Mask::from({tokens, tokens}, allowed);
    }

    Tensor norm(const Tensor& x) const {
        Array y = Array::from_shape(x.shape());
        kernels::layer_norm_rows(x.values(), gamma.values(), beta.values(), {y.data(), y.size()}, 1e-5f);
        return Tensor(std::move(y));
    }

    static Tensor gelu(const Tensor& x) {
        Array y = Array::from_shape(x.shape());
        kernels::gelu_tanh(x.values(), {y.data(), y.size()});
        return Tensor(std::move(y));
    }

    Tensor operator()(const Tensor& x) const {  // (batch, seq, d_model)
        const Tensor normed = norm(x);
        const Tensor attended = x + attention(normed, normed, normed, causal).output;
        return attended + down(gelu(up(norm(attended))));
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
