// chapters/10_training/models/small_stack.cpp · a small encoder whose parts can be taken away, and a task for it
#include "chapters/10_training/models/small_stack.hpp"

#include <numeric>

namespace tfs {

namespace {

constexpr std::size_t reversed_length = 8, reversed_symbols = 16;
constexpr std::int64_t no_row_is_padded = 0;  // all rows are of one length
constexpr std::size_t rows_held_out = 500;

std::vector<Example> reversed_rows(std::size_t count, Rng& rng) {
    std::vector<std::int64_t> symbols(reversed_symbols);
    std::iota(symbols.begin(), symbols.end(), 0);
    std::vector<Example> rows;
    for (std::size_t row = 0; row < count; ++row) {
        for (std::size_t i = 0; i < reversed_length; ++i)  // the first ones of a shuffled alphabet
            std::swap(symbols[i], symbols[i + rng.below(reversed_symbols - i)]);
        const std::vector<std::int64_t> drawn(symbols.begin(), symbols.begin() + reversed_length);
        rows.push_back({drawn, {drawn.rbegin(), drawn.rend()}});
    }
    return rows;
}

StackConfig config_of(const SmallStackPlan& plan) {
    return {.block = {.d_model = plan.d_model,
                      .num_heads = plan.heads,
                      .d_ff = 2 * plan.d_model,
                      .norm_position = plan.norm},
            .num_layers = plan.layers,
            .final_norm = plan.norm == NormPosition::pre};
}

// A block without its two additions; the norms stay where they are.
Tensor without_residuals(const TransformerBlock& block, const Tensor& x) {
    const bool pre = block.config.norm_position == NormPosition::pre;
    const AttentionSublayer& attention = block.attention;
    const Tensor input = pre ? attention.norm(x) : x;
    const Tensor attended = attention.attend(input, attention.keys_values(input)).output;
    const Tensor half = pre ? attended : attention.norm(attended);
    const FeedForwardSublayer& feed_forward = block.feed_forward;
    const Tensor output =
        feed_forward.network.output(feed_forward.network.hidden(pre ? feed_forward.norm(half) : half));
    return pre ? output : feed_forward.norm(output);
}

struct SmallStack {
    SmallStackPlan plan;
    Embedding embedding;  // (reversed_symbols, d_model)
    SinusoidalPositionalEncoding positions;
    Stack encoder;
    Linear output;  // d_model -> reversed_symbols

    SmallStack(const SmallStackPlan& chosen, Rng& rng)
        : plan(chosen),
          embedding(reversed_symbols, chosen.d_model, rng),
          positions(chosen.d_model, reversed_length),
          encoder(StackKind::encoder, config_of(chosen), rng),
          output(chosen.d_model, reversed_symbols, rng) {}

    [[nodiscard]] Tensor logits(const Ids& ids) const {  // (batch, seq) -> (batch, seq, reversed_symbols)
        Tensor x = positions(embedding(ids));            // (batch, seq, d_model)
        if (plan.residuals) return output(encoder(x).output);
        for (const TransformerBlock& block : encoder.blocks) x = without_residuals(block, x);
        return output(encoder.final_norm ? (*encoder.final_norm)(x) : x);
    }

    [[nodiscard]] Parameters parameters() const {
        Parameters all;
        append(all, "embedding", embedding.parameters());
        append(all, "encoder", encoder.parameters());
        append(all, "output", output.parameters());
        return all;
    }
};

}  // namespace

Trainer small_stack_trainer(const SmallStackPlan& plan, const TrainingPlan& training) {
    Rng rng(training.seed);
    const SmallStack model(plan, rng);
    return Trainer({.plan = training,
                    // Handles, not copies: the model whose parameters the optimizer moves.
                    .model = [model](const Batch& batch, Rng*) { return model.logits(batch.inputs); },
                    .parameters = model.parameters(),
                    .examples = reversed_rows(training.steps * training.batch_size, rng),
                    .held_out = batches_of(reversed_rows(rows_held_out, rng), 100, no_row_is_padded),
                    .pad_id = no_row_is_padded});
}

}  // namespace tfs
