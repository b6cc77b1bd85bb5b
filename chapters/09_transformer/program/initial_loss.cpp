// chapters/09_transformer/program/initial_loss.cpp · the sizes of tokens, positions and logits before training, and the first loss
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/09_transformer/program/options.hpp"
#include "common/base/array.hpp"

namespace tfs {

namespace {

constexpr std::size_t vocab_size = 1000, seq = 64, d_model = 512;

// A decoder with sinusoids and a tied output.
Transformer tied_decoder(std::uint64_t seed, NormPosition position, std::size_t layers) {
    TransformerConfig config{.vocab_size = vocab_size, .num_layers = layers};
    config.block = {.d_model = d_model,
                    .num_heads = 8,
                    .d_ff = 4 * d_model,
                    .norm_position = position,
                    .positions = Sinusoids{},
                    .max_len = seq};
    Rng rng(seed);
    return Transformer(config, rng);
}

// One sequence of random tokens: no model can know the next one, so that the best loss is ln(vocab_size).
Ids random_tokens(std::uint64_t seed) {
    Rng rng(seed);
    Ids ids = Ids::from_shape({1, seq});
    for (std::int64_t& id : ids) id = static_cast<std::int64_t>(rng.below(vocab_size));
    return ids;
}

// The positions whose largest logit is that of their own token.
std::size_t count_itself(const Tensor& logits, const Ids& ids) {
    std::size_t count = 0;
    for (std::size_t t = 0; t < seq; ++t) {
        const auto row = logits.values().subspan(t * vocab_size, vocab_size);
        count += largest_of(row, 1).front() == static_cast<std::size_t>(ids.data()[t]) ? 1 : 0;
    }
    return count;
}

Report show_embedding_scale(const Request& request) {
    const NoGrad no_grad;
    const std::uint64_t seed = request[options::seed];
    const double root = std::sqrt(static_cast<double>(d_model));
    const Ids ids = random_tokens(seed + 1);
    Table table{.columns = {{"rows drawn from"},
                            {"factor"},
                            {"blocks"},
                            {"tokens : positions", fixed(2)},
                            {"first loss", fixed(2)},
                            {"own token is best", whole(fmt::format(" of {}", seq))}}};
    // Draws the table of the tokens anew, and sets the factor or not.
    const auto add = [&](Transformer& model, const char* blocks, const char* rows, double deviation,
                         bool scaled) {
        Rng rng(seed);
        model.embedding.weight.mutable_array() = rng.normal_array({vocab_size, d_model}, 0.0, deviation);
        model.config.scale_embedding = scaled;
        const Tensor logits = model(ids).logits;
        const float factor = scaled ? static_cast<float>(root) : 1.0f;
        const double positions = root_mean_square(slice(model.sinusoids->table, 0, 0, seq).values());
        table.add({rows, scaled ? "sqrt(512)" : "none", blocks,
                   root_mean_square((model.embedding(ids) * factor).values()) / positions,
                   next_token_loss(logits, ids), count_itself(logits, ids)});
    };
    Transformer pre = tied_decoder(seed, NormPosition::pre, 2);
    add(pre, "2, pre-norm", "N(0, 1/512)", 1.0 / root, true);
    add(pre, "2, pre-norm", "N(0, 1/512)", 1.0 / root, false);
    add(pre, "2, pre-norm", "N(0, 0.02^2)", 0.02, false);
    add(pre, "2, pre-norm", "N(0, 1)", 1.0, false);
    add(pre, "2, pre-norm", "N(0, 1)", 1.0, true);
    Transformer post = tied_decoder(seed, NormPosition::post, 6);
    add(post, "6, post-norm", "N(0, 1)", 1.0, true);
    Report report;
    report.note(
        fmt::format("d_model {}, {} tokens, tied; {} random tokens: a uniform guess costs ln({}) = {:.2f}",
                    d_model, vocab_size, seq, vocab_size, std::log(static_cast<double>(vocab_size))));
    report.add(table);
    return report;
}

}  // namespace

double next_token_loss(const Tensor& logits, const Ids& ids) {
    const std::size_t texts = ids.shape()[0], length = ids.shape()[1], vocab = logits.size(-1);
    double loss = 0.0;
    for (std::size_t i = 0; i < texts; ++i)
        for (std::size_t t = 0; t + 1 < length; ++t) {
            const auto row = logits.values().subspan((i * length + t) * vocab, vocab);
            const float best = *std::max_element(row.begin(), row.end());
            double total = 0.0;
            for (const float score : row) total += std::exp(static_cast<double>(score - best));
            const float right = row[static_cast<std::size_t>(ids(i, t + 1))];
            loss += (std::log(total) + static_cast<double>(best - right)) /
                    static_cast<double>(texts * (length - 1));
        }
    return loss;
}

Sections initial_loss_sections() {
    return {{"embedding-scale",
             "The first loss: how the table is drawn, and the factor sqrt(d_model)",
             show_embedding_scale,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
