// chapters/10_training/program/it_bags.cpp · the same model without attention: every word gets the mean of all words
#include <fmt/ostream.h>

#include "chapters/10_training/program/it_sections.hpp"

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

}  // namespace

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

void compare_bags(Show& show, const TaskOptions& options) {
    for (const bool with_positions : {false, true}) {
        ItTask bag = it_task(options);
        bag.task.model = [model = bag.model, with_positions](const Batch& batch, Rng*) {
            return bag_logits(model, batch.inputs, with_positions);
        };
        Trainer trainer(bag.task);
        train(trainer);
        fmt::print(show.out, "  {:<46} {:>5.1f} % of the held-out sentences\n",
                   with_positions ? "the mean of all words and their positions" : "the mean of all words",
                   100.0 * trainer.ask().accuracy);
    }
}

}  // namespace tfs
