// chapters/10_training/models/noun_training.cpp · the model that finds a noun, and its training
#include "chapters/10_training/models/noun_training.hpp"

#include <fmt/format.h>

#include <limits>

#include "chapters/10_training/models/trainer.hpp"
#include "common/base/errors.hpp"

namespace tfs {

namespace {

constexpr std::size_t for_training = 6400, held_out = 500;
constexpr std::uint64_t seed_of_sentences = 7;  // the same sentences for every seed of a training
constexpr std::int64_t no_padding = 0;          // all sentences are of one length

std::vector<Example> examples_of(const std::vector<NounSentence>& sentences, const Tokenizer& vocabulary) {
    std::vector<Example> examples;
    for (const NounSentence& sentence : sentences) examples.push_back(example_of(sentence, vocabulary));
    return examples;
}

Metadata scores_of(const NounFinder& model, const std::vector<NounSentence>& asked) {
    const NounScore score = score_of(model, asked);
    return {{"held_out_accuracy", fmt::format("{:.4f}", score.accuracy)},
            {"held_out_mean_weight", fmt::format("{:.3f}", score.mean_weight)}};
}

}  // namespace

ModelConfig noun_finder_config(const NounPlan& plan) {
    return {.d_model = plan.d_model, .heads = plan.heads};
}

ModelConfig noun_finder_config() { return noun_finder_config(NounPlan{}); }

NounTask make_noun_task(const NounPlan& plan) {
    const NounSentences sentences = noun_sentences(for_training, held_out, seed_of_sentences);
    Rng rng(plan.training.seed);
    const NounFinder model(sentences.vocabulary, noun_finder_config(plan), rng);
    // Models are captured as handles, not as copies: the optimizer moves their parameters.
    return {
        sentences, model,
        Task{.plan = plan.training,
             .model = [model](const Batch& batch, Rng*) { return model.logits(batch.inputs); },
             .parameters = model.parameters(),
             .examples = examples_of(sentences.training, sentences.vocabulary),
             .held_out = batches_of(examples_of(sentences.held_out, sentences.vocabulary), 100, no_padding),
             .pad_id = no_padding,
             .name = "nouns",
             .units = "sentences",
             .asked = "held-out sentences",
             .scores = [model, asked = sentences.held_out] { return scores_of(model, asked); },
             .save =
                 [model](const auto& file, const Metadata& metadata) {
                     save_network(model, noun_finder_kind(), file, metadata);
                 }}};
}

NounTask noun_task(const TaskOptions& options) {
    const TaskSettings settings = settings_of("nouns", options);
    return make_noun_task({.heads = settings.heads, .training = settings.plan});
}

std::size_t noun_parameters(const NounPlan& plan) {
    Rng none = Rng::zeros();
    const NounFinder model(noun_sentences(1, 1, 1).vocabulary, noun_finder_config(plan), none);
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
    const NounTask nouns = make_noun_task(plan);
    Trainer trainer(nouns.task);
    try {
        train(trainer);
    } catch (const ValueError&) {  // a gradient that is not finite
        return {0.0, std::numeric_limits<double>::infinity()};
    }
    return {score_of(nouns.model, nouns.sentences.held_out).accuracy,
            evaluate(nouns.task.model, nouns.task.held_out).loss};
}

}  // namespace tfs
