// chapters/10_training/models/one_batch.cpp · a model that learns one batch by heart
#include "chapters/10_training/models/one_batch.hpp"

#include <algorithm>

namespace tfs {

namespace {

constexpr std::size_t rows_of_one_batch = 32;
constexpr double rate_of_one_batch = 3e-3;

Batch one_batch(BatchMistake mistake, Rng& rng) {
    std::vector<Example> rows = reversed_rows(rows_of_one_batch, rng);
    if (mistake == BatchMistake::exchanged_answers) {
        const std::vector<std::int64_t> first = rows.front().target;
        for (std::size_t i = 0; i + 1 < rows.size(); ++i) rows[i].target = rows[i + 1].target;
        rows.back().target = first;
    }
    return make_batch(rows, 0);
}

Tensor logits_of(const SmallStack& model, const Ids& ids, BatchMistake mistake) {
    if (mistake == BatchMistake::softmax_twice) return softmax(model.logits(ids));
    if (mistake != BatchMistake::cut_gradient) return model.logits(ids);
    return model.output(model.encoder(model.positions(model.embedding(ids))).output.detach());
}

}  // namespace

std::vector<double> losses_of_one_batch(BatchMistake mistake, std::size_t steps, std::uint64_t seed) {
    Rng rng(seed);
    const SmallStack model({}, rng);
    const Batch batch = one_batch(mistake, rng);
    AdamW optimizer(model.parameters());
    std::vector<double> losses;
    for (std::size_t step = 0; step < steps; ++step) {
        const StepReport report =
            training_step([&](const Batch& asked, Rng*) { return logits_of(model, asked.inputs, mistake); },
                          batch, optimizer, rate_of_one_batch, rng);
        losses.push_back(report.loss);
    }
    return losses;
}

}  // namespace tfs
