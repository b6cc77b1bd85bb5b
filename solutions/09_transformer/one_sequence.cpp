// Step 9.4 · one_sequence · ●●○ · 10 min
// solutions/09_transformer/one_sequence.cpp
#include <cmath>
#include <variant>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

Tensor Transformer::embed(const Ids& ids, const Pass& pass, const std::optional<Ids>& segment_ids) const {
    require_ids("embed", config, ids, pass.offset, segment_ids);
    // begin: This file compiles and runs, and our trained decoder and GPT-2 get the right logits. But three choices of other models are
    // wrong: of the Transformer of 2017, of BERT and of LLaMA. Compare each line with the contract, transformer.hpp.
    Tensor x = embedding(ids);  // (batch, seq, d_model)
    if (config.scale_embedding) x = x * std::sqrt(static_cast<float>(config.block.d_model));
    if (sinusoids) x = (*sinusoids)(x, pass.offset);
    if (learned_positions) x = (*learned_positions)(x, pass.offset);
    if (segments) x = x + (*segments)(segment_ids ? *segment_ids : all_in_segment_0(ids));
    if (embedding_norm) x = (*embedding_norm)(x);
    return dropout(x, config.block.dropout, pass.rng);
    // instead
    // Tensor x = embedding(ids);  // (batch, seq, d_model)
    // if (sinusoids) x = (*sinusoids)(x, pass.offset);
    // if (learned_positions) x = (*learned_positions)(x, pass.offset);
    // if (config.scale_embedding) x = x * std::sqrt(static_cast<float>(config.block.d_model));
    // if (segments) x = x + (*segments)(segment_ids ? *segment_ids : all_in_segment_0(ids));
    // if (embedding_norm) x = (*embedding_norm)(x);
    // return dropout(x, config.block.dropout, pass.rng);
    // end
}

Tensor Transformer::logits(const Tensor& hidden) const {
    // begin: A logit for each token at each position. (Right, or one of the three?)
    return linear(hidden, output ? output->weight : embedding.weight);  // (batch, seq, vocab)
    // instead
    // return linear(hidden, embedding.weight);  // (batch, seq, vocab)
    // end
}

TransformerOutput Transformer::operator()(const Ids& ids, const Pass& pass,
                                          const std::optional<Ids>& segment_ids) const {
    require_one_sequence("Transformer", config);
    // begin: From ids to logits, by the stack of chapter 08. (Right, or one of the three?)
    const Tensor x = embed(ids, pass, segment_ids);  // (batch, seq, d_model)
    const StackOutput run = std::get<Stack>(stack)(x, padding_of(config, ids, pass), pass);
    return {logits(run.output), run.output, run.weights, {}};  // (batch, seq, vocab), …
    // instead
    // const Tensor x = embed(ids, pass, segment_ids);  // (batch, seq, d_model)
    // const StackOutput run = std::get<Stack>(stack)(x, std::nullopt, pass);
    // return {logits(run.output), run.output, run.weights, {}};  // (batch, seq, vocab), …
    // end
}

}  // namespace tfs
