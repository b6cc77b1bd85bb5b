// chapters/06_residual_dropout/program/dropout_block.cpp · a pre-norm block of attention and feed-forward network with dropout in every place
#include <fmt/format.h>

#include "chapters/04_normalization/normalization.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/06_residual_dropout/program/options.hpp"

namespace tfs {

namespace {

// Attention and feed-forward network as two pre-norm residuals, with every dropout of a Transformer.
struct Block {
    MultiHeadAttention attention;
    FeedForward feed_forward;
    LayerNorm norm1, norm2;

    Block(std::size_t d_model, std::size_t heads, Rng& rng)
        : attention(d_model, heads, rng),
          feed_forward(d_model, 4 * d_model, rng),
          norm1(d_model),
          norm2(d_model) {}

    Tensor operator()(const Tensor& embedded, double p, Rng* rng) const {
        const Sublayer attend = [&](const Tensor& t) {  // the attention weights
            return attention_with_dropout(attention, t, t, t, std::nullopt, p, rng).output;
        };
        const Sublayer feed = [&](const Tensor& t) {  // the hidden layer
            return feed_forward.output(dropout(feed_forward.hidden(t), p, rng));
        };
        const Tensor x = dropout(embedded, p, rng);                         // the embedding
        const Tensor middle = pre_norm_residual(x, norm1, attend, p, rng);  // what each
        return pre_norm_residual(middle, norm2, feed, p, rng);              // sublayer adds
    }
};

Report show_block(const Request& request) {
    const NoGrad no_grad;
    const Tensor x = embed_sentence(request).x;
    const double p = request[options::p];
    Rng weights(request[options::seed] + 3), rng(request[options::seed] + 4);
    const Block block(x.size(-1), request[options::heads], weights);
    const Tensor evaluated = block(x, p, nullptr), trained = block(x, p, &rng);
    const std::vector<std::string> axes{"batch", "seq", "d_model"};
    Report report;
    report.step("evaluation", evaluated, axes, "rng is null");
    report.step("training", trained, axes, p == 0.0 ? "p = 0: nothing is drawn" : "all masks new");
    const double same = largest_difference(block(x, p, nullptr).array(), evaluated.array());
    report.note(fmt::format("evaluation twice: the same to the bit: {}", same == 0.0 ? "yes" : "NO"));
    report.note(fmt::format("largest difference of two training passes: {:.2f}",
                            largest_difference(block(x, p, &rng).array(), trained.array())));
    Tensor total = Tensor::zeros(x.shape());
    constexpr std::size_t passes = 400;
    for (std::size_t i = 0; i < passes; ++i) total = total + block(x, p, &rng);
    const Tensor average = total / static_cast<float>(passes);
    report.note(
        fmt::format("root mean square: evaluation {:.3f}; its distance to a training pass {:.3f}, to the "
                    "mean of {} passes {:.3f}",
                    root_mean_square(evaluated.values()), root_mean_square((trained - evaluated).values()),
                    passes, root_mean_square((average - evaluated).values())));
    return report;
}

}  // namespace

Sections dropout_block_sections() {
    return {{"block",
             "A pre-norm block with dropout in every place",
             show_block,
             {options::text, options::heads, options::d_model, options::p, options::seed},
             Level::deeper}};
}

}  // namespace tfs
