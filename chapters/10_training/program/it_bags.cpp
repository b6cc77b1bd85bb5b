// chapters/10_training/program/it_bags.cpp · the second model without attention: every word gets the mean of all words
#include <fmt/format.h>

#include "chapters/10_training/models/it_task.hpp"
#include "chapters/10_training/program/options.hpp"

namespace tfs {

namespace {

// 1 / (number of words) for each word of a sentence, 0 for its padding: (batch, 1, seq).
Tensor equal_weights(const Ids& ids) {
    const std::size_t batch = ids.shape()[0], seq = ids.shape()[1];
    std::vector<float> weights(batch * seq, 0.0f);
    for (std::size_t i = 0; i < batch; ++i) {
        float words = 0.0f;
        for (std::size_t j = 0; j < seq; ++j) words += ids(i, j) == it_padding ? 0.0f : 1.0f;
        for (std::size_t j = 0; j < seq; ++j)
            if (ids(i, j) != it_padding) weights[i * seq + j] = 1.0f / words;
    }
    return Tensor::from({batch, 1, seq}, weights);
}

// The same model, but every word gets the mean of all words in place of what attention would find. Without positions it is a
// bag of words. ids (batch, seq) -> logits (batch, seq, words)
Tensor bag_logits(const ItReader& model, const Ids& ids, bool with_positions) {
    const Tensor weights = equal_weights(ids);                            // (batch, 1, seq)
    Tensor x = with_positions ? model.embed(ids) : model.embedding(ids);  // (batch, seq, d_model)
    for (const TransformerBlock& block : model.blocks) {
        const Projections& attention = block.attention.attention;
        const Tensor values = attention.w_v(block.attention.norm(x));        // (batch, seq, d_model)
        x = block.feed_forward(x + attention.w_o(matmul(weights, values)));  // the mean, added to every word
    }
    return model.output(model.final_norm(x));
}

// Trains both, with and without positions, as long as the model itself.
Report compare_bags(const Request& request) {
    Table table{.columns = {{"every word gets"}, {"held-out sentences right", fixed(1, " %")}}};
    for (const bool with_positions : {false, true}) {
        ItTask bag = it_task({.steps = request[options::steps],
                              .rate = request[options::rate],
                              .seed = request[options::seed]});
        bag.task.model = [model = bag.model, with_positions](const Batch& batch, Rng*) {
            return bag_logits(model, batch.inputs, with_positions);
        };
        Trainer trainer(bag.task);
        train(trainer, {.after_step = told_to(request)});
        table.add({with_positions ? "the mean of all words and their positions" : "the mean of all words",
                   100.0 * trainer.ask().accuracy});
    }
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections it_bags_sections() {
    return {{"no-attention",
             "Without attention, a model of the same kind guesses",
             compare_bags,
             {options::steps, options::rate, options::seed},
             Level::deeper,
             Slow::yes}};
}

}  // namespace tfs
