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

std::vector<StepReport> learn_one_batch(const Model& model, const Parameters& parameters, const Batch& batch,
                                        std::size_t steps, Rng& rng,
                                        const std::function<void(std::size_t step, double loss)>& told) {
    AdamW optimizer(parameters);
    std::vector<StepReport> reports;
    for (std::size_t step = 0; step < steps; ++step) {
        reports.push_back(training_step(model, batch, optimizer, rate_of_one_batch, rng));
        if (told) told(step, reports.back().loss);
    }
    return reports;
}

std::vector<double> losses_of_one_batch(BatchMistake mistake, std::size_t steps, std::uint64_t seed) {
    Rng rng(seed);
    const SmallStack model({}, rng);
    const Batch batch = one_batch(mistake, rng);
    const Model logits = [&](const Batch& asked, Rng*) { return logits_of(model, asked.inputs, mistake); };
    std::vector<double> losses;
    for (const StepReport& report : learn_one_batch(logits, model.parameters(), batch, steps, rng))
        losses.push_back(report.loss);
    return losses;
}

}  // namespace tfs
