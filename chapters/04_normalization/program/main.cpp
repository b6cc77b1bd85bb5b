// chapters/04_normalization/program/main.cpp · normalisation on a sentence: statistics per token, and the claims measured
//
// Run it: ./tutorial run 4          on your own steps: ./tutorial run 4 --mine
//         ./tutorial run 4 -- --text "the dog saw the cat" --d-model 8
#include <fmt/ostream.h>

#include <cmath>
#include <iostream>

#include "chapters/04_normalization/normalization.hpp"
#include "chapters/04_normalization/program/claims.hpp"
#include "common/program.hpp"

namespace {

using namespace tfs;

constexpr std::size_t max_tokens = 64;     // more lines can't be read
constexpr std::size_t max_d_model = 4096;  // and a wider model shows nothing new

struct Settings {
    std::string text = "The cat sat on the mat because it was tired";
    std::size_t d_model = 32;
    std::uint64_t seed = 1;
    ShowOptions show;
};

Tokens checked_tokens(const Settings& s) {
    if (s.d_model < 2) {
        throw ValueError(fmt::format("--d-model {}: must be between 2 and {}; a variance needs 2 features",
                                     s.d_model, max_d_model));
    }
    require_between("--d-model", s.d_model, 2, max_d_model);
    return tokens_of_text(s.text, max_tokens);
}

// Embeddings, each token with a size and an offset of its own: what later layers get is like that.
Tensor uneven_embeddings(const Ids& ids, std::size_t words, std::size_t d_model, Rng& rng) {
    const Embedding embedding(words, d_model, rng);
    Array size = Array::from_shape({1, ids.size(), 1}), offset = size;
    for (std::size_t t = 0; t < ids.size(); ++t) {
        size.data()[t] = static_cast<float>(std::exp(rng.normal()));
        offset.data()[t] = static_cast<float>(rng.normal(0.0, 2.0));
    }
    return embedding(ids) * Tensor(std::move(size)) + Tensor(std::move(offset));
}

// Mean, standard deviation and root mean square of each token.
struct TokenStatistics {
    Tensor mean, deviation, root;  // (1, seq) each

    explicit TokenStatistics(const Tensor& x)
        : mean(tfs::mean(x, -1)), deviation(sqrt(variance(x, -1))), root(sqrt(tfs::mean(x * x, -1))) {}
};

void print_token_table(const Tokens& tokens, const Tensor& x, const Tensor& layer, const Tensor& root,
                       bool ascii) {
    const TokenStatistics before(x), after(layer), rms(root);
    fmt::print("\n  {:<12} {:>26} | {:>26} | {:>26}\n", "", "x", "layer_norm(x)", "rms_norm(x)");
    const std::string head = fmt::format("{:>8} {:>8} {:>8}", "mean", "dev.", "rms");
    fmt::print("  {:<12} {} | {} | {}\n", "token", head, head, head);
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        const auto three = [t](const TokenStatistics& s) {
            // A mean of -0.00004 would print as -0.000.
            const double rounded = std::round(1000.0 * s.mean.values()[t]) / 1000.0 + 0.0;
            return fmt::format("{:>8.3f} {:>8.3f} {:>8.3f}", rounded, s.deviation.values()[t],
                               s.root.values()[t]);
        };
        const std::string name = truncate(ascii ? to_ascii(tokens[t]) : tokens[t], 12, ascii ? "~" : "…");
        fmt::print("  {} {} | {} | {}\n", pad(name, 12), three(before), three(after), three(rms));
    }
}

void show_sentence(Trace& trace, const Tokens& tokens, const Tensor& x, bool ascii) {
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
    print_token_table(tokens, x, y, z, ascii);
}

// BatchNorm of the sentence: each feature over its tokens.
void show_batch_norm(Trace& trace, const Tensor& x) {
    if (x.size(1) < 2) {
        trace.note("One token has no variance over the batch: BatchNorm refuses to train on it.");
        return;
    }
    BatchNorm norm(x.size(-1));
    const FeatureStatistics batch = batch_statistics(x);
    trace.step("mean", batch.mean, {"d_model"}, "one for each feature");
    trace.step("variance", batch.variance, {"d_model"}, "over batch and seq");
    trace.step("training", norm(x, NormMode::training), {"batch", "seq", "d_model"}, "by these two");
    trace.step("running mean", norm.running_mean, {"d_model"}, "0.9 x 0 + 0.1 x mean");
    trace.step("running variance", norm.running_variance, {"d_model"}, "0.9 x 1 + 0.1 x n/(n-1) x variance");
    trace.step("evaluation", norm(x, NormMode::evaluation), {"batch", "seq", "d_model"},
               "by the running ones");
}

void show(const Settings& s) {
    const Tokens tokens = checked_tokens(s);
    const bool ascii = terminal_style(s.show.ascii).ascii;
    Figures figures(s.show);
    Trace trace(std::cout);
    Rng rng(s.seed);
    const Vocabulary vocabulary = build_vocabulary(tokens);
    const Tensor x = uneven_embeddings(vocabulary.ids, vocabulary.words.size(), s.d_model, rng);

    trace.section("The sentence, each token normalised by itself",
                  [&] { show_sentence(trace, tokens, x, ascii); });
    trace.section("The same by BatchNorm, each feature over all tokens", [&] { show_batch_norm(trace, x); });
    trace.section("Claim: a saturated unit does not learn; a normalised one does not saturate",
                  [&] { figures.save(measure_saturation(std::cout, s.seed)); });
    trace.section("Claim: mean 0 and variance 1 do not make a distribution normal",
                  [&] { figures.save(measure_histogram(std::cout, s.seed)); });
    trace.section("Claim: the norms differ in who shares the statistics",
                  [&] { figures.save(measure_who_counts(std::cout, s.seed)); });
    trace.section("Claim: under BatchNorm a sentence depends on its neighbours and on padding",
                  [&] { measure_neighbours(std::cout, x, s.seed); });
    trace.section("Claim: BatchNorm in training and in evaluation differ, the more the smaller the batch",
                  [&] { measure_batch_size(std::cout, s.seed); });
    trace.section("Claim: std + eps is not sqrt(variance + eps)", [&] { measure_notes(std::cout, s.seed); });
    trace.section("Claim: RMSNorm forgets the scale of a row, LayerNorm its offset too",
                  [&] { measure_invariance(std::cout, s.seed); });
    trace.section("Claim: bfloat16 is too coarse for a row whose mean is large",
                  [&] { figures.save(measure_precision(std::cout, s.seed)); });
    trace.section(
        "Claim: RMSNorm has half the parameters and takes about as long (timings differ from run to run)",
        [&] { measure_cost(std::cout, s.seed); });
    figures.report(std::cout);
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    tfs::Program program("04_normalization",
                         "LayerNorm, RMSNorm and BatchNorm on a sentence, and why one normalises.");
    program.option("--text", s.text, "the sentence, at most 64 tokens");
    program.option("--d-model", s.d_model, "width of the model, 2 to 4096");
    program.option("--seed", s.seed, "seed of all random numbers");
    add_show_options(program, s.show);
    return program.run(argc, argv, [&] { show(s); });
}
