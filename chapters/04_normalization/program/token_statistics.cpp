// chapters/04_normalization/program/token_statistics.cpp · a sentence before and after LayerNorm and RMSNorm: the statistics of each token
#include "chapters/04_normalization/program/sections.hpp"

#include <fmt/ostream.h>

#include <cmath>

#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

namespace {

// "0.962 ± 0.273": mean and standard deviation of token t of x (1, seq, d_model).
std::string mean_and_deviation(const Tensor& x, std::size_t t, const char* between) {
    const Tensor row = slice(x, 1, t, t + 1);
    const double rounded = std::round(1000.0 * mean(row, -1).values()[0]) / 1000.0 + 0.0;  // no -0.000
    return fmt::format("{:.3f} {} {:.3f}", rounded, between, sqrt(variance(row, -1)).values()[0]);
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
    const bool ascii = show.style.ascii;
    const char* between = ascii ? "+-" : "±";
    const Tensor layer = LayerNorm(x.size(-1))(x), root = RMSNorm(x.size(-1))(x);
    fmt::print(show.out, "  Mean {} standard deviation over the {} features\n", between, x.size(-1));
    fmt::print(show.out, "  {:<12} {:>18} {:>18} {:>18}\n", "token", "x", "layer_norm(x)", "rms_norm(x)");
    for (std::size_t t = 0; t < show.tokens.size(); ++t) {
        const std::string& token = show.tokens[t];
        fmt::print(show.out, "  {}",
                   pad(truncate(ascii ? to_ascii(token) : token, 12, ascii ? "~" : "…"), 12));
        for (const Tensor& rows : {x, layer, root})
            fmt::print(show.out, " {}", pad(mean_and_deviation(rows, t, between), 18, Align::right));
        fmt::print(show.out, "\n");
    }
}

void show_shapes(Show& show, const Tensor& x) {
    Trace& trace = show.trace;
    const LayerNorm layer(x.size(-1));
    trace.step("x", x, {"batch", "seq", "d_model"}, "one row per token");
    trace.step("mean", mean(x, -1), {"batch", "seq"}, "one for each token");
    trace.step("variance", variance(x, -1), {"batch", "seq"}, "divided by n");
    trace.step("gamma", layer.gamma, {"d_model"}, "learned, starts as ones");
    trace.step("beta", layer.beta, {"d_model"}, "learned, starts as zeros");
    trace.step("layer_norm(x)", layer(x), {"batch", "seq", "d_model"}, "mean 0, variance 1");
    trace.step("rms_norm(x)", RMSNorm(x.size(-1))(x), {"batch", "seq", "d_model"}, "root mean square 1");
}

}  // namespace tfs
