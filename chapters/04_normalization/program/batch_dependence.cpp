// chapters/04_normalization/program/batch_dependence.cpp · BatchNorm: neighbours, padding and the size of the batch change a result
#include <fmt/format.h>

#include <cmath>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

double rms_difference(const Tensor& a, const Tensor& b) { return root_mean_square((a - b).values()); }

// Without what was padded behind the first `length` tokens.
Tensor real_tokens(const Tensor& y, std::size_t length) { return slice(y, 1, 0, length); }

Tensor padded(const Tensor& x, std::size_t length) {
    if (length == x.size(1)) return x;
    return concat({x, Tensor::zeros({x.size(0), length - x.size(1), x.size(2)})}, 1);
}

// The same sentence among other sentences, and with padding.
Report show_neighbours(const Request& request) {
    const Tensor x = uneven_embeddings(request);
    const std::size_t seq = x.size(1), d_model = x.size(2);
    Rng rng(request[options::seed]);
    const auto neighbours = [&](double mean, double deviation) {
        return Tensor(rng.normal_array({3, seq, d_model}, mean, deviation));
    };
    const Tensor quiet = concat({x, neighbours(0.0, 1.0)}, 0), loud = concat({x, neighbours(1.0, 4.0)}, 0);
    const LayerNorm layer(d_model);
    const Normalise batch = batch_norm(d_model, NormMode::training);
    const auto ours = [](const Tensor& y) { return slice(y, 0, 0, 1); };
    const auto moved = [&](const Normalise& norm) {
        return rms_difference(ours(norm(quiet)), ours(norm(loud)));
    };
    Table neighbours_change{
        .title = "The sentence among 3 others, N(0, 1) or N(1, 16). Its result changes (root mean square) by",
        .columns = {{"norm"}, {"change", fixed(3)}}};
    neighbours_change.add({"BatchNorm, training", moved(batch)});
    neighbours_change.add({"LayerNorm", moved(layer) == 0.0 ? "0, to the last bit" : "NOT 0"});
    Table padding_changes{
        .title = fmt::format("Four sentences of {} token{}, padded with zeros. What is real changes by", seq,
                             seq == 1 ? "" : "s"),
        .columns = {{"padding, % of all tokens", whole()},
                    {"BatchNorm, training", fixed(3)},
                    {"LayerNorm", fixed(3)}}};
    for (const std::size_t longer : {1u, 2u, 4u, 10u}) {
        const Tensor with = padded(quiet, longer * seq);
        padding_changes.add({100.0 * (1.0 - 1.0 / static_cast<double>(longer)),
                             rms_difference(real_tokens(batch(with), seq), batch(quiet)),
                             rms_difference(real_tokens(layer(with), seq), layer(quiet))});
    }
    Report report;
    report.add(neighbours_change);
    report.add(padding_changes);
    return report;
}

// How far BatchNorm's results in training lie from those in evaluation, against the number of tokens in a batch.
Report show_training_and_evaluation(const Request& request) {
    constexpr std::size_t features = 64, batches = 100;
    Rng rng(request[options::seed]);
    Table table{.columns = {{"tokens in a batch", whole()},
                            {"training against evaluation", fixed(3)},
                            {"1 / sqrt(n)", fixed(3)}}};
    for (const std::size_t tokens : {1u, 2u, 4u, 16u, 64u, 256u, 1024u}) {
        BatchNorm norm(features);
        const auto draw = [&] { return Tensor(rng.normal_array({tokens, features}, 2.0, 3.0)); };
        try {
            for (std::size_t i = 0; i < batches; ++i) (void)norm(draw(), NormMode::training);
        } catch (const ValueError&) {
            table.add({tokens, "refused: its variance is 0", Cell()});
            continue;
        }
        const Tensor x = draw(), evaluated = norm(x, NormMode::evaluation);
        table.add({tokens, rms_difference(norm(x, NormMode::training), evaluated),
                   1.0 / std::sqrt(static_cast<double>(tokens))});
    }
    Report report;
    report.note(fmt::format("{} features of N(2, 9); {} batches in training, then one seen both ways.",
                            features, batches));
    report.add(table);
    return report;
}

}  // namespace

Sections batch_dependence_sections() {
    return {{"neighbours",
             "BatchNorm: neighbours and padding",
             show_neighbours,
             {options::text, options::d_model, options::seed},
             Level::deeper},
            {"training-and-evaluation",
             "BatchNorm: training and evaluation",
             show_training_and_evaluation,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
