// chapters/06_residual_dropout/program/two_dropouts.cpp · dropout on the attention weights and on the output are two places
#include <fmt/format.h>

#include <algorithm>

#include "chapters/06_residual_dropout/program/options.hpp"

namespace tfs {

namespace {

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

Report show_two_dropouts(const Request& request) {
    const NoGrad no_grad;
    const Tensor x = embed_sentence(request).x;
    const double p = request[options::p];
    Rng rng(request[options::seed] + 5);
    const MultiHeadAttention attention(x.size(-1), request[options::heads], rng);
    const double on_weights = zero_share(attention, x, p, 0.0, rng);
    const double on_output = zero_share(attention, x, 0.0, p, rng);
    const double on_both = zero_share(attention, x, p, p, rng);
    Report report;
    report.note(fmt::format(
        "outputs that are 0 with dropout on the weights {:.1f} %, on the output {:.1f} %, on both "
        "{:.1f} %; twice on the output it would be {:.1f} %",
        on_weights, on_output, on_both, 100.0 * (1.0 - (1.0 - p) * (1.0 - p))));
    return report;
}

}  // namespace

Sections two_dropouts_sections() {
    return {{"two-places",
             "Dropout on the weights and on the output are two places",
             show_two_dropouts,
             {options::text, options::heads, options::d_model, options::p, options::seed},
             Level::deeper}};
}

}  // namespace tfs
