// chapters/09_transformer/models/model.cpp · the model's weights: drawn, listed, saved and loaded; a decoder writes
#include <cmath>

#include "chapters/09_transformer/given/transformer.hpp"
#include "common/io/safetensors.hpp"

namespace tfs {

namespace {

// A table as it is drawn, N(0, 1), times `deviation`.
Embedding scaled(Embedding table, double deviation) {
    for (float& value : table.weight.mutable_array()) value *= static_cast<float>(deviation);
    return table;
}

// How large a row is when it enters the sum of embeddings.
double entering_size(const TransformerConfig& c) { return c.scale_embedding ? 1.0 : 0.02; }

Embedding token_table(const TransformerConfig& c, Rng& rng) {
    const double factor = c.scale_embedding ? std::sqrt(static_cast<double>(c.block.d_model)) : 1.0;
    return scaled(Embedding(c.vocab_size, c.block.d_model, rng), entering_size(c) / factor);
}

std::variant<Stack, EncoderDecoder> make_stack(const TransformerConfig& c, Rng& rng) {
    const StackConfig stack = stack_config(c);
    if (c.architecture == Architecture::encoder_decoder) return EncoderDecoder(stack, rng);
    return Stack(c.architecture == Architecture::encoder_only ? StackKind::encoder : StackKind::decoder,
                 stack, rng);
}

}  // namespace

Transformer::Transformer(const TransformerConfig& settings, Rng& rng)
    : config(require_valid("Transformer", settings)),
      embedding(token_table(config, rng)),
      sinusoids(config.block.uses<Sinusoids>()
                    ? std::optional(SinusoidalPositionalEncoding(config.block.d_model, config.max_len()))
                    : std::nullopt),
      learned_positions(
          config.block.uses<LearnedPositions>()
              ? std::optional(LearnedPositionalEmbedding(config.block.d_model, config.max_len(), rng))
              : std::nullopt),
      segments(config.num_segments > 0
                   ? std::optional(scaled(Embedding(config.num_segments, config.block.d_model, rng),
                                          entering_size(config)))
                   : std::nullopt),
      embedding_norm(config.embedding_norm ? std::optional(Norm(config.block)) : std::nullopt),
      stack(make_stack(config, rng)),
      pooler(config.pooler ? std::optional(Linear(config.block.d_model, config.block.d_model, rng))
                           : std::nullopt),
      output(config.tied_output
                 ? std::nullopt
                 : std::optional(Linear(config.block.d_model, config.vocab_size, rng, Bias::no))) {
    if (learned_positions)
        learned_positions->embedding = scaled(learned_positions->embedding, entering_size(config));
}

Parameters Transformer::parameters() const {
    Parameters all;
    append(all, "embedding", embedding.parameters());
    if (learned_positions) append(all, "positions", learned_positions->parameters());
    if (segments) append(all, "segments", segments->parameters());
    if (embedding_norm) append(all, "embedding_norm", embedding_norm->parameters());
    append(all, "", std::visit([](const auto& blocks) { return blocks.parameters(); }, stack));
    if (pooler) append(all, "pooler", pooler->parameters());
    if (output) append(all, "output", output->parameters());
    return all;
}

Tensor Transformer::pooled(const Tensor& hidden) const {
    if (!pooler) throw ValueError("pooled: the model has no pooler");
    require_hidden("pooled", config, hidden);
    const Tensor first = slice(hidden, 1, 0, 1);                                // (batch, 1, d_model)
    return tanh((*pooler)(reshape(first, {hidden.size(0), hidden.size(-1)})));  // (batch, d_model)
}

Ids generate_greedy(const Transformer& model, const Ids& prompt, std::size_t new_tokens,
                    std::optional<std::int64_t> end_id) {
    require_decoder("generate_greedy", model.config);
    require_one_row("generate_greedy", "prompt", prompt);
    require_room("generate_greedy", model.config, "the prompt", prompt.size(), new_tokens);
    if (end_id) require_token("generate_greedy", "end_id", model.config, *end_id);
    const NextLogits logits = [&](const Ids& ids) { return model(ids).logits; };
    return generate_greedy(logits, prompt, new_tokens, end_id);
}

void save_weights(const Transformer& model, const std::filesystem::path& path) {
    save_safetensors(path, model.parameters());
}

void load_weights(Transformer& model, const std::filesystem::path& path) {
    load_safetensors_into(model.parameters(), path);
}

}  // namespace tfs
