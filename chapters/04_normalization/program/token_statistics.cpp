// chapters/04_normalization/program/token_statistics.cpp · a sentence before and after LayerNorm and RMSNorm: the statistics of each token
#include "chapters/04_normalization/program/sections.hpp"

#include <fmt/ostream.h>

#include <cmath>

#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

namespace {

// Mean, standard deviation and root mean square of each token.
struct TokenStatistics {
    Tensor mean, deviation, root;  // (1, seq) each

    explicit TokenStatistics(const Tensor& x)
        : mean(tfs::mean(x, -1)), deviation(sqrt(variance(x, -1))), root(sqrt(tfs::mean(x * x, -1))) {}
};

void print_token_table(Show& show, const Tensor& x, const Tensor& layer, const Tensor& root) {
    const bool ascii = show.style.ascii;
    const Tokens& tokens = show.tokens;
    const TokenStatistics before(x), after(layer), rms(root);
    fmt::print(show.out, "\n  {:<12} {:>26} | {:>26} | {:>26}\n", "", "x", "layer_norm(x)", "rms_norm(x)");
    const std::string head = fmt::format("{:>8} {:>8} {:>8}", "mean", "dev.", "rms");
    fmt::print(show.out, "  {:<12} {} | {} | {}\n", "token", head, head, head);
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        const auto three = [t](const TokenStatistics& s) {
            // A mean of -0.00004 would print as -0.000.
            const double rounded = std::round(1000.0 * s.mean.values()[t]) / 1000.0 + 0.0;
            return fmt::format("{:>8.3f} {:>8.3f} {:>8.3f}", rounded, s.deviation.values()[t],
                               s.root.values()[t]);
        };
        const std::string name = truncate(ascii ? to_ascii(tokens[t]) : tokens[t], 12, ascii ? "~" : "…");
        fmt::print(show.out, "  {} {} | {} | {}\n", pad(name, 12), three(before), three(after), three(rms));
    }
}

}  // namespace

Tensor uneven_embeddings(const Show& show) {
    Rng rng(show.options.seed);
    const Vocabulary vocabulary = build_vocabulary(show.tokens);
    const Ids& ids = vocabulary.ids;
    const Embedding embedding(vocabulary.words.size(), show.options.d_model, rng);
    Array size = Array::from_shape({1, ids.size(), 1}), offset = size;
    for (std::size_t t = 0; t < ids.size(); ++t) {
        size.data()[t] = static_cast<float>(std::exp(rng.normal()));
        offset.data()[t] = static_cast<float>(rng.normal(0.0, 2.0));
    }
    return embedding(ids) * Tensor(std::move(size)) + Tensor(std::move(offset));
}

void show_token_statistics(Show& show, const Tensor& x) {
    Trace& trace = show.trace;
    const std::size_t d_model = x.size(-1);
    const LayerNorm layer(d_model);
    const RMSNorm root(d_model);
    trace.step("x", x, {"batch", "seq", "d_model"}, "one row per token");
    trace.step("mean", mean(x, -1), {"batch", "seq"}, "one for each token");
    trace.step("variance", variance(x, -1), {"batch", "seq"}, "divided by n");
    trace.step("gamma", layer.gamma, {"d_model"}, "learned, starts as ones");
    trace.step("beta", layer.beta, {"d_model"}, "learned, starts as zeros");
    const Tensor y = layer(x), z = root(x);
    trace.step("layer_norm(x)", y, {"batch", "seq", "d_model"}, "mean 0, variance 1");
    trace.step("rms_norm(x)", z, {"batch", "seq", "d_model"}, "root mean square 1");
    print_token_table(show, x, y, z);
}

}  // namespace tfs
