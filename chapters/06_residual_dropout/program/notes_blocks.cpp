// chapters/06_residual_dropout/program/notes_blocks.cpp · what the source notes do in their blocks: norms run three times and twice, two dropouts
#include "chapters/06_residual_dropout/program/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "chapters/04_normalization/normalization.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

namespace {

// The notes run the norm anew for query, key and value. Returns the attention of the normed x.
Tensor note_calls_of_norm(Show& show, const MultiHeadAttention& attention, const LayerNorm& layer_norm,
                          const Tensor& x) {
    std::size_t calls = 0;
    const auto norm = [&](const Tensor& t) { return ++calls, layer_norm(t); };
    const Tensor thrice = attention(norm(x), norm(x), norm(x)).output;
    const std::size_t theirs = std::exchange(calls, 0);
    const Tensor normed = norm(x), once = attention(normed, normed, normed).output;
    show.trace.note(fmt::format(
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

void show_notes(Show& show, double p, const Tensor& x) {
    const NoGrad no_grad;
    Rng rng(show.options.seed + 5);
    const MultiHeadAttention attention(x.size(-1), show.options.heads, rng);
    const LayerNorm layer_norm(x.size(-1));
    const Tensor attended = note_calls_of_norm(show, attention, layer_norm, x);

    // The notes end a stack of post-norm blocks with one more norm, of what is normalised already.
    const Tensor stack = layer_norm(x + attended);
    show.trace.note(
        fmt::format("one more norm after a post-norm block changes its output by less than 1e-5: {}",
                    largest_difference(layer_norm(stack).array(), stack.array()) < 1e-5 ? "yes" : "NO"));

    const double on_weights = zero_share(attention, x, p, 0.0, rng);
    const double on_output = zero_share(attention, x, 0.0, p, rng);
    const double on_both = zero_share(attention, x, p, p, rng);
    show.trace.note(fmt::format(
        "outputs that are 0 with dropout on the weights {:.1f} %, on the output {:.1f} %, on both "
        "{:.1f} %; twice on the output it would be {:.1f} %",
        on_weights, on_output, on_both, 100.0 * (1.0 - (1.0 - p) * (1.0 - p))));
}

}  // namespace tfs
