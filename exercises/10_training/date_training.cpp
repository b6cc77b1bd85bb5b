// Step 10.5 · date_training · ●●○ · 10 min
// exercises/10_training/date_training.cpp · check yours with ./tutorial check 10.5
#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/10_training/models/date_task.hpp"

namespace tfs {

TextTransformer new_date_reader(const ModelConfig& config, Rng& rng) {
    // TODO 10.5: This function and the next one run, and nothing is learned. Each has a fault. Measure before you mend:
    // ./tutorial run 10 --mine -- --experiment first_tests
    TextTransformer reader(date_kind().tokenizer, config, rng);
    Tensor& table = reader.model.embedding.weight;            // (vocab, d_model)
    table.mutable_array() = rng.normal_array(table.shape());  // drawn anew
    return reader;
}

Tensor date_logits(const TextTransformer& reader, const Batch& batch, Rng* rng) {
    // TODO 10.5: This function has a fault, too.
    const Tensor scores = reader.model(batch.source.value(), batch.inputs, {.rng = rng}).logits;
    return softmax(scores);  // (batch, answer, vocab)
}

}  // namespace tfs
