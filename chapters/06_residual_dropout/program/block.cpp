// chapters/06_residual_dropout/program/block.cpp · a block with dropout in every place, and what the source notes do in theirs
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "chapters/04_normalization/normalization.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/06_residual_dropout/program/places.hpp"

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
        const Sublayer attend = [&](const Tensor& t) {  // place 1: the attention weights
            return attention_with_dropout(attention, t, t, t, std::nullopt, p, rng).output;
        };
        const Sublayer feed = [&](const Tensor& t) {  // a fourth place: the hidden layer
            return feed_forward.output(dropout(feed_forward.hidden(t), p, rng));
        };
        const Tensor x = dropout(embedded, p, rng);                         // place 3: the embedding
        const Tensor middle = pre_norm_residual(x, norm1, attend, p, rng);  // place 2: the output of
        return pre_norm_residual(middle, norm2, feed, p, rng);              // each sublayer
    }
};

}  // namespace

void show_block(Trace& trace, const PlaceSettings& s, const Tensor& x) {
    const NoGrad no_grad;
    Rng weights(s.seed + 3), rng(s.seed + 4);
    const Block block(x.size(-1), s.heads, weights);
    const Tensor evaluated = block(x, s.p, nullptr), trained = block(x, s.p, &rng);
    const std::vector<std::string> axes{"batch", "seq", "d_model"};
    trace.step("evaluation", evaluated, axes, "rng is null");
    trace.step("training", trained, axes, s.p == 0.0 ? "p = 0: nothing is drawn" : "five masks, all new");
    const double same = largest_difference(block(x, s.p, nullptr).array(), evaluated.array());
    trace.note(fmt::format("check  evaluation twice: the same to the bit: {}", same == 0.0 ? "yes" : "NO"));
    trace.note(fmt::format("largest difference of two training passes: {:.2f}",
                           largest_difference(block(x, s.p, &rng).array(), trained.array())));
    Tensor total = Tensor::zeros(x.shape());
    constexpr std::size_t passes = 400;
    for (std::size_t i = 0; i < passes; ++i) total = total + block(x, s.p, &rng);
    const Tensor average = total / static_cast<float>(passes);
    trace.note(
        fmt::format("root mean square: of evaluation {:.3f}; of training - evaluation {:.3f}; of the mean of "
                    "{} training passes - evaluation {:.3f}",
                    root_mean_square(evaluated.values()), root_mean_square((trained - evaluated).values()),
                    passes, root_mean_square((average - evaluated).values())));
}

namespace {

// The notes run the norm anew for query, key and value. Returns the attention of the normed x.
Tensor note_calls_of_norm(Trace& trace, const MultiHeadAttention& attention, const LayerNorm& layer_norm,
                          const Tensor& x) {
    std::size_t calls = 0;
    const auto norm = [&](const Tensor& t) { return ++calls, layer_norm(t); };
    const Tensor thrice = attention(norm(x), norm(x), norm(x)).output;
    const std::size_t theirs = std::exchange(calls, 0);
    const Tensor normed = norm(x), once = attention(normed, normed, normed).output;
    trace.note(fmt::format(
        "attention(norm1(x), norm1(x), norm1(x)): {} calls of the norm; once, kept in a variable: "
        "{}. Largest difference of the outputs: {:g}",
        theirs, calls, largest_difference(thrice.array(), once.array())));
    return once;
}

// The percentage of outputs that are 0, with dropout on the weights and on the output.
double zero_share(const MultiHeadAttention& attention, const Tensor& x, double weights, double output,
                  Rng& rng) {
    std::ptrdiff_t zeros = 0;
    constexpr std::size_t passes = 100;
    for (std::size_t i = 0; i < passes; ++i) {
        const Tensor attended =
            attention_with_dropout(attention, x, x, x, std::nullopt, weights, &rng).output;
        const Tensor dropped = dropout(attended, output, &rng);
        zeros += std::count(dropped.values().begin(), dropped.values().end(), 0.0f);
    }
    return 100.0 * static_cast<double>(zeros) / static_cast<double>(passes * x.size());
}

}  // namespace

void show_notes(Trace& trace, const PlaceSettings& s, const Tensor& x) {
    const NoGrad no_grad;
    Rng rng(s.seed + 5);
    const MultiHeadAttention attention(x.size(-1), s.heads, rng);
    const LayerNorm layer_norm(x.size(-1));
    const Tensor attended = note_calls_of_norm(trace, attention, layer_norm, x);

    // The notes end a stack of post-norm blocks with one more norm, of what is normalised already.
    const Tensor stack = layer_norm(x + attended);
    trace.note(
        fmt::format("one more norm after a post-norm block changes its output by less than 1e-5: {}",
                    largest_difference(layer_norm(stack).array(), stack.array()) < 1e-5 ? "yes" : "NO"));

    const double on_weights = zero_share(attention, x, s.p, 0.0, rng);
    const double on_output = zero_share(attention, x, 0.0, s.p, rng);
    const double on_both = zero_share(attention, x, s.p, s.p, rng);
    trace.note(fmt::format(
        "outputs that are 0 with dropout on the weights {:.1f} %, on the output {:.1f} %, on both "
        "{:.1f} %; twice on the output it would be {:.1f} %",
        on_weights, on_output, on_both, 100.0 * (1.0 - (1.0 - s.p) * (1.0 - s.p))));
}

}  // namespace tfs
