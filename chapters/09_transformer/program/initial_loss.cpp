// chapters/09_transformer/program/initial_loss.cpp · the sizes of tokens, positions and logits before training, and the first loss
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t vocab_size = 1000, seq = 64;

// A decoder with sinusoids and a tied output.
Transformer tied_decoder(std::size_t d_model, std::uint64_t seed, NormPosition position = NormPosition::pre,
                         std::size_t layers = 2) {
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

// One sequence of random tokens.
Ids random_tokens(std::uint64_t seed) {
    Rng rng(seed);
    Ids ids = Ids::from_shape({1, seq});
    for (std::int64_t& id : ids) id = static_cast<std::int64_t>(rng.below(vocab_size));
    return ids;
}

struct Start {
    double tokens = 0.0, positions = 0.0, loss = 0.0;
    std::size_t itself = 0;  // positions whose largest logit is that of their own token
};

// The logits (1, seq, vocab) of one position.
std::span<const float> logits_at(const Tensor& logits, std::size_t t) {
    return logits.values().subspan(t * vocab_size, vocab_size);
}

std::size_t count_itself(const Tensor& logits, const Ids& ids) {
    std::size_t count = 0;
    for (std::size_t t = 0; t < seq; ++t) {
        const auto row = logits_at(logits, t);
        count += std::max_element(row.begin(), row.end()) - row.begin() == ids.data()[t] ? 1 : 0;
    }
    return count;
}

// Draws the table of the tokens anew, with this deviation, and sets the factor or not. The tokens are random: no model
// can know the next one, so that the best loss is ln(vocab_size).
Start start_with_table(Transformer& model, double deviation, bool scaled, std::uint64_t seed) {
    const NoGrad no_grad;
    Rng rng(seed);
    const std::size_t d_model = model.config.block.d_model;
    model.embedding.weight.mutable_array() = rng.normal_array({vocab_size, d_model}, 0.0, deviation);
    model.config.scale_embedding = scaled;
    const Ids ids = random_tokens(seed + 1);
    const Tensor logits = model(ids).logits;
    const float factor = scaled ? std::sqrt(static_cast<float>(d_model)) : 1.0f;
    return {.tokens = root_mean_square((model.embedding(ids) * factor).values()),
            .positions = root_mean_square(slice(model.sinusoids->table, 0, 0, seq).values()),
            .loss = next_token_loss(logits, ids),
            .itself = count_itself(logits, ids)};
}

Report show_embedding_scale(const Request& request) {
    constexpr std::size_t d_model = 512;
    const std::uint64_t seed = request[options::seed];
    const double root = std::sqrt(static_cast<double>(d_model));
    Report report;
    report.note(
        fmt::format("d_model {}, {} tokens, tied; {} random tokens: a uniform guess costs ln({}) = {:.2f}",
                    d_model, vocab_size, seq, vocab_size, std::log(static_cast<double>(vocab_size))));
    Table table{.columns = {{"rows drawn from"},
                            {"factor"},
                            {"blocks"},
                            {"tokens : positions", fixed(2)},
                            {"first loss", fixed(2)},
                            {"own token is best", whole(fmt::format(" of {}", seq))}}};
    const auto add = [&](const char* rows, bool scaled, const char* blocks, const Start& start) {
        table.add({rows, scaled ? "sqrt(512)" : "none", blocks, start.tokens / start.positions, start.loss,
                   start.itself});
    };
    Transformer pre = tied_decoder(d_model, seed);
    const auto add_pre = [&](const char* rows, double deviation, bool scaled) {
        add(rows, scaled, "2, pre-norm", start_with_table(pre, deviation, scaled, seed));
    };
    add_pre("N(0, 1/512)", 1.0 / root, true);
    add_pre("N(0, 1/512)", 1.0 / root, false);
    add_pre("N(0, 0.02^2)", 0.02, false);
    add_pre("N(0, 1)", 1.0, false);
    add_pre("N(0, 1)", 1.0, true);
    Transformer post = tied_decoder(d_model, seed, NormPosition::post, 6);
    add("N(0, 1)", true, "6, post-norm", start_with_table(post, 1.0, true, seed));
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
