// chapters/10_training/program/time_shares.cpp · where the time of a training step goes, step by step of the learner's
#include <fmt/format.h>

#include <algorithm>

#include "chapters/10_training/program/shown_task.hpp"

namespace tfs {

namespace {

// Forward and backward: of x, of its gradient, and of all that `function` computes between.
void there_and_back(const Tensor& x, const std::function<Tensor(const Tensor&)>& function) {
    const Tensor result = function(parameter(x));
    sum(result * result).backward();
}

struct TimeShare {
    std::string step;
    double seconds;
    double usual = 0.35;  // more than this share of a training step is slow; no solution has so much
};

// Seconds of one call of each on one core, the smallest of some rounds.
std::vector<double> best_seconds(const std::vector<std::function<void()>>& things) {
    std::vector<double> best;
    for (const Seconds& seconds : measure_in_turns(things, usual_turns({.rounds = 7, .seconds = 0.005})))
        best.push_back(*std::min_element(seconds.begin(), seconds.end()));
    return best;
}

// The steps that a training step of the first model is made of, and that step itself, which comes last. Each is called
// alone, with what it gets in a training. A step that calls others has only the time that is left without them; of
// train_one_step that is clipping.
std::vector<TimeShare> measured_shares(const NounTask& nouns) {
    Trainer trainer(nouns.task);  // of the same parameters, which a rate of 0 leaves as they are
    const Batch batch = trainer.next_batch();
    const std::size_t d_model = nouns.model.embedding.weight.size(1), heads = nouns.model.attention.num_heads;
    Rng rng(1);
    const Shape width{batch.inputs.shape(0), batch.inputs.shape(1), d_model};
    const Tensor x(rng.normal_array(width)), by_head = split_heads(x, heads);
    const Tensor scores = matmul(by_head, by_head, Transpose::b),
                 logits = trainer.model(batch, nullptr).detach();
    const MultiHeadAttention& attention = nouns.model.attention;
    const auto t = best_seconds(
        {[&] { there_and_back(scores, [](const Tensor& s) { return softmax(s, -1); }); },
         [&] {
             there_and_back(by_head, [](const Tensor& q) {
                 return scaled_dot_product_attention(q, q, q, std::nullopt).output;
             });
         },
         [&] { there_and_back(x, [&](const Tensor& y) { return merge_heads(split_heads(y, heads)); }); },
         [&] { there_and_back(x, [&](const Tensor& y) { return attention(y, y, y).output; }); },
         [&] { there_and_back(logits, [&](const Tensor& l) { return cross_entropy(l, batch.targets); }); },
         [&] { trainer.optimizer.step(0.0); },
         [&] { (void)clip_by_global_norm(trainer.optimizer.parameters, 1e9); },
         [&] { (void)training_step(trainer.model, batch, trainer.optimizer, 0.0, trainer.rng); }});
    const double splits = 2.0 * t[2];  // q, k and v are split, and the result is merged
    return {{"softmax", t[0]},        {"scaled_dot_product_attention", t[1] - t[0]},
            {"split_heads", splits},  {"attention_layers", t[3] - t[1] - splits, 0.7},  // it has the products
            {"cross_entropy", t[4]},  {"adamw", t[5]},
            {"train_one_step", t[6]}, {"a training step", t[7]}};  // the whole
}

}  // namespace

Report time_shares(const NounTask& nouns) {
    std::vector<TimeShare> shares = measured_shares(nouns);
    const double whole = shares.back().seconds;
    shares.pop_back();
    std::sort(shares.begin(), shares.end(),
              [](const TimeShare& a, const TimeShare& b) { return a.seconds > b.seconds; });
    std::string line = fmt::format("Time of a training step: {:.2f} ms", 1e3 * whole);
    for (const TimeShare& share : shares)
        if (share.seconds >= 0.05 * whole)
            line += fmt::format(", {} {:.0f} %", share.step, 100.0 * share.seconds / whole);
    Report report;
    report.note(line);
    if (shares.front().seconds > shares.front().usual * whole)
        report.note(fmt::format(
            "{0} takes most of it: it may be right, and is slow. ./tutorial diff {0} shows the solution.",
            shares.front().step));
    return report;
}

}  // namespace tfs
