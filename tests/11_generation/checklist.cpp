// tests/11_generation/checklist.cpp · small models that write, and their texts without a cache
#include "tests/11_generation/checklist.hpp"

#include <algorithm>

namespace tfs::test {

TransformerConfig writer_config(const PositionChoice& positions) {
    return {.vocab_size = 11,
            .num_layers = 2,
            .block = {.d_model = 16, .num_heads = 4, .d_ff = 32, .positions = positions, .max_len = 24}};
}

namespace {

Transformer made(const TransformerConfig& config) {
    Rng rng(1);
    Transformer model(config, rng);
    for (float& weight : model.embedding.weight.mutable_array()) weight *= 2.0f;
    return model;
}

Ids one_row(const TokenIds& text) {
    Ids ids = Ids::from_shape({1, text.size()});
    std::copy(text.begin(), text.end(), ids.begin());
    return ids;
}

}  // namespace

std::vector<Transformer> writers() {
    std::vector<Transformer> all;
    for (const PositionChoice& positions :
         std::vector<PositionChoice>{NoPositions{}, Sinusoids{}, LearnedPositions{}, Rotary{}, Alibi{}})
        all.push_back(made(writer_config(positions)));
    TransformerConfig grouped = writer_config(Rotary{});
    grouped.block.num_kv_heads = 2;
    all.push_back(made(grouped));
    return all;
}

Tensor logits_of(const LanguageModel& model, const TokenIds& text) {
    const NoGrad no_grad;
    const Tensor logits = model.logits(one_row(text), {});
    return reshape(logits, {text.size(), model.vocab_size});
}

TokenIds written_without_cache(const LanguageModel& model, const TokenIds& prompt,
                               const GenerationOptions& options, Rng rng) {
    TokenIds text = prompt, written;
    while (written.size() < options.new_tokens && text.size() < model.max_len) {
        const Tensor logits = logits_of(model, text);
        const auto last = logits.values().last(model.vocab_size);
        std::vector<float> scores(last.begin(), last.end());
        for (const LogitsRule& rule : options.rules) rule(text, scores);
        const std::int64_t token = sample(token_probabilities(scores, options.sampling), rng);
        if (token == options.end_id) break;
        written.push_back(token);
        text.push_back(token);
    }
    return written;
}

}  // namespace tfs::test
