// chapters/10_training/models/noun_training.cpp · the models that find a noun, or two animals, and their training
#include "chapters/10_training/models/noun_training.hpp"

#include <limits>

#include "chapters/10_training/models/tasks.hpp"

namespace tfs {

namespace {

ModelConfig sizes_of(const NounPlan& plan) { return {.d_model = plan.d_model, .heads = plan.heads}; }

}  // namespace

ModelConfig noun_finder_config() { return sizes_of(NounPlan{}); }

ModelConfig size_finder_config() { return {.d_model = 64, .heads = 2}; }

NounTask make_noun_task(const NounPlan& plan) {
    return noun_task({.config = sizes_of(plan), .plan = plan.training});
}

std::size_t noun_parameters(const NounPlan& plan) {
    Rng none = Rng::zeros();
    const NounFinder model(noun_sentences(1, 1, 1).vocabulary, sizes_of(plan), none);
    return count_parameters(model.parameters());
}

NounScore score_of(const NounFinder& model, const std::vector<NounSentence>& sentences) {
    NounScore score;
    for (const NounSentence& sentence : sentences) {
        const NounGuess guess = guess_noun(model, sentence.words);
        const double weight = guess.weights[sentence.noun];
        score.accuracy += guess.noun == sentence.words[sentence.noun] ? 1.0 : 0.0;
        score.mean_weight += weight;
        if (weight <= 0.5) score.overlooked.push_back(sentence);
    }
    const auto count = static_cast<double>(sentences.size());
    score.accuracy /= count;
    score.mean_weight /= count;
    return score;
}

PlanScore score_of(NounPlan plan, std::uint64_t seed) {
    plan.training.seed = seed;
    plan.training.evaluate_every = plan.training.steps;
    plan.training.patience = 0;
    Trainer trainer(make_noun_task(plan).task);
    try {
        train(trainer);
    } catch (const ValueError&) {  // a gradient that is not finite
        return {0.0, std::numeric_limits<double>::infinity()};
    }
    const Evaluation reached = trainer.ask();
    return {reached.accuracy, reached.loss};
}

}  // namespace tfs
