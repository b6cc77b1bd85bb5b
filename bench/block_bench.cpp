// bench/block_bench.cpp · forward and training step of a pre-norm block, put together here until a chapter builds one
#include "bench/table.hpp"
#include "chapters/02_masks/masks.hpp"
#include "chapters/04_normalization/normalization.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs::bench {

namespace {

constexpr std::size_t batch = 4, seq = 256, d_model = 768, heads = 12, d_ff = 3072;

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
          ffn(d_model, d_ff, rng, Activation::gelu),
          causal(causal_mask(seq)) {}

    Tensor operator()(const Tensor& x) const {  // (batch, seq, d_model)
        const Tensor normed = norm_1(x);
        const Tensor attended = x + attention(normed, normed, normed, causal).output;
        return attended + ffn(norm_2(attended));
    }

    Parameters parameters() const {
        Parameters all;
        append(all, "norm_1", norm_1.parameters());
        append(all, "attention", attention.parameters());
        append(all, "norm_2", norm_2.parameters());
        append(all, "ffn", ffn.parameters());
        return all;
    }
};

// All products are counted in full, also where the causal mask makes half of the scores superfluous; norms, softmax,
// GELU and additions count nothing.
double forward_flops() {
    constexpr double tokens = batch * seq;
    const double projections = 4 * 2.0 * tokens * d_model * d_model;
    const double attention = 2 * 2.0 * tokens * seq * d_model;
    const double feed_forward = 2 * 2.0 * tokens * d_model * d_ff;
    return projections + attention + feed_forward;
}

// A sum stands for the loss; x is an input that requires a gradient, as a block in the middle of a model has one.
void forward_and_back(const Block& block, Tensor x, const Parameters& parameters) {
    sum(block(x)).backward();
    keep(x.grad().data());
    x.clear_grad();
    clear_grads(parameters);
}

}  // namespace

void add_block_lines(Table& table) {
    Rng rng(2);
    const Block block(rng);
    const Tensor x(rng.normal_array({batch, seq, d_model})), input(x.array(), true);
    table.add(
        {.name = "block forward, 4 x 256 x 768", .amount = forward_flops(), .baseline = sgemm, .goal = 0.88},
        [block, x] {
            const NoGrad no_grad;
            keep(block(x).values().data());
        });
    // Each product C = A B has two of its size in the backward pass, dA = dC Bᵀ and dB = Aᵀ dC.
    table.add(
        {.name = "block forward + backward, 4 x 256 x 768",
         .amount = 3.0 * forward_flops(),
         .baseline = sgemm,
         .goal = 0.80},
        [block, input, parameters = block.parameters()] { forward_and_back(block, input, parameters); });
}

}  // namespace tfs::bench
