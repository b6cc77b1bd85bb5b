// chapters/09_transformer/program/starts.cpp · the sizes of tokens, positions and logits before training
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "chapters/09_transformer/program/claims.hpp"
#include "chapters/09_transformer/transformer.hpp"
#include "common/show/measure.hpp"

namespace tfs {

namespace {

constexpr std::size_t vocab_size = 1000, seq = 64;

// A decoder with sinusoids and a tied output, as in the source notes, whose blocks are post-norm.
Transformer decoder(std::size_t d_model, std::uint64_t seed, NormPosition position = NormPosition::pre,
                    std::size_t layers = 2) {
    TransformerConfig config{.vocab_size = vocab_size, .max_len = seq, .num_layers = layers};
    config.block = {.d_model = d_model, .num_heads = 8, .d_ff = 4 * d_model, .norm_position = position};
    Rng rng(seed);
    return Transformer(config, rng);
}

// The weights and biases of every linear layer of the blocks as torch.nn.Linear draws them: all from
// U(-1/sqrt(in), 1/sqrt(in)), a variance of 1/(3 in). Ours is Glorot's, 2/(in + out), and biases of 0.
void draw_as_nn_linear(const Transformer& model, std::uint64_t seed) {
    Rng rng(seed + 2);
    double bound = 0.0;
    for (NamedTensor p : std::get<Stack>(model.stack).parameters()) {
        const bool weight = p.name.ends_with(".weight");
        if (!weight && !p.name.ends_with(".bias")) continue;  // gamma and beta of a norm
        if (weight) bound = 1.0 / std::sqrt(static_cast<double>(p.tensor.size(1)));
        p.tensor.mutable_array() = rng.uniform_array(p.tensor.shape(), -bound, bound);
    }
}

struct Start {
    double tokens = 0.0, positions = 0.0, logits = 0.0, loss = 0.0;
    std::size_t itself = 0;  // positions whose largest logit is that of their own token
};

// The model with another table, of this deviation, with the factor or not. The tokens are random: no model
// can know the next one, so that the best loss is ln(vocab_size).
Start measured(Transformer& model, double deviation, bool scaled, std::uint64_t seed) {
    const NoGrad no_grad;
    Rng rng(seed);
    Array& table = model.embedding.weight.mutable_array();
    table = rng.normal_array({vocab_size, model.config.block.d_model}, 0.0, deviation);
    model.config.scale_embedding = scaled;
    const Ids ids = random_ids(seed + 1, seq, 0, vocab_size);
    const Tensor tokens = model.embedding(ids), logits = model(ids).logits;
    const float factor = model.config.scale_embedding ? std::sqrt(static_cast<float>(tokens.size(-1))) : 1.0f;
    Start s{.tokens = root_mean_square((tokens * factor).values()),
            .positions = root_mean_square(slice(model.sinusoids->table, 0, 0, seq).values()),
            .logits = std::sqrt(variance(reshape(logits, {logits.size()}), 0).item())};
    for (std::size_t t = 0; t < seq; ++t) {
        const auto row = logits.values().subspan(t * vocab_size, vocab_size);
        const auto best = std::max_element(row.begin(), row.end());
        s.itself += best - row.begin() == ids.data()[t] ? 1 : 0;
        if (t + 1 == seq) break;  // nothing follows the last token
        double total = 0.0;
        for (const float score : row) total += std::exp(static_cast<double>(score - *best));
        const float right = row[static_cast<std::size_t>(ids.data()[t + 1])];
        s.loss += (std::log(total) + static_cast<double>(*best - right)) / (seq - 1);
    }
    return s;
}

}  // namespace

void measure_scale(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t d_model = 512;
    const double root = std::sqrt(static_cast<double>(d_model));
    Transformer model = decoder(d_model, seed);
    Transformer post = decoder(d_model, seed, NormPosition::post, 6);
    fmt::print(out,
               "  d_model {}, {} tokens, tied, 2 pre-norm layers but where it says 6; {} random tokens: "
               "ln({}) = {:.3f}\n",
               d_model, vocab_size, seq, vocab_size, std::log(static_cast<double>(vocab_size)));
    fmt::print(out, "{:>32} | {:>7} {:>9} {:>7} | {:>9} {:>8} {:>14}\n", "rows of the table", "tokens",
               "positions", "ratio", "logits' s", "loss", "itself is best");
    const auto row = [&](const char* name, Transformer& which, double deviation, bool scaled) {
        const Start s = measured(which, deviation, scaled, seed);
        fmt::print(out, "{:>32} | {:>7.3f} {:>9.3f} {:>7.2f} | {:>9.3f} {:>8.2f} {:>8} of {}\n", name,
                   s.tokens, s.positions, s.tokens / s.positions, s.logits, s.loss, s.itself, seq);
    };
    row("6 post-norm layers (our draw)", post, 1.0, true);
    draw_as_nn_linear(post, seed);
    row("6 post-norm layers (nn.Linear's)", post, 1.0, true);
    row("N(0, 1), x sqrt(512)", model, 1.0, true);
    row("N(0, 1)", model, 1.0, false);
    row("N(0, 1/512), x sqrt(512)", model, 1.0 / root, true);
    row("N(0, 1/512)", model, 1.0 / root, false);
    row("N(0, 0.02^2)", model, 0.02, false);
}

LineFigure measure_first_loss(std::ostream& out, std::uint64_t seed) {
    LinePanel panel{.title = "untrained, tied, 1000 tokens: to know nothing is ln(1000) = 6.91",
                    .x_axis = "d_model",
                    .y_axis = "loss in nats",
                    .log_x = true,
                    .log_y = true};
    panel.series = {{"N(0, 1), x sqrt(d_model)"}, {"N(0, 1/d_model), x sqrt(d_model)"}, {"N(0, 0.02^2)"}};
    fmt::print(out, "{:>8} | {:>24} {:>32} {:>14}\n", "d_model", "N(0,1), x sqrt(d_model)",
               "N(0,1/d_model), x sqrt(d_model)", "N(0, 0.02^2)");
    for (const std::size_t d_model : {32u, 64u, 128u, 256u, 512u}) {
        const double root = std::sqrt(static_cast<double>(d_model)), x = static_cast<double>(d_model);
        Transformer model = decoder(d_model, seed);
        const auto loss = [&](double deviation, bool scaled) {
            return measured(model, deviation, scaled, seed).loss;
        };
        const double notes = loss(1.0, true), ours = loss(1.0 / root, true), small = loss(0.02, false);
        fmt::print(out, "{:>8} | {:>24.2f} {:>32.2f} {:>14.2f}\n", d_model, notes, ours, small);
        panel.series[0].add(x, notes);
        panel.series[1].add(x, ours);
        panel.series[2].add(x, small);
    }
    return {.name = "first_loss",
            .title = "The loss before any training",
            .panels = {panel},
            .panels_per_row = 1};
}

}  // namespace tfs
