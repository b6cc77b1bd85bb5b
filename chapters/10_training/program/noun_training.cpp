// chapters/10_training/program/noun_training.cpp · the model that finds a noun, and its training
#include <algorithm>

#include "chapters/10_training/program/sections.hpp"

namespace tfs {

namespace {

constexpr std::size_t for_training = 6400, held_out = 500, d_model = 64;
constexpr std::uint64_t seed_of_sentences = 7;  // the same sentences for every seed of a training
constexpr std::int64_t no_padding = 0;          // all sentences are of one length

std::vector<Example> examples_of(const std::vector<NounSentence>& sentences,
                                 const std::vector<std::string>& vocabulary) {
    std::vector<Example> examples;
    for (const NounSentence& sentence : sentences) examples.push_back(example_of(sentence, vocabulary));
    return examples;
}

TrainingPlan plan_of(const OwnOptions& own, std::uint64_t seed) {
    TrainingPlan plan{.steps = own.steps, .batch_size = 64, .evaluate_every = 50, .seed = seed};
    plan.rate = {
        .peak = own.rate, .final = own.rate / 10, .warmup = std::min<std::size_t>(50, own.steps / 2)};
    return plan;
}

NounFinder new_model(const NounSentences& sentences, const OwnOptions& own, std::uint64_t seed) {
    Rng rng(seed);
    return {sentences.vocabulary, d_model, own.heads, rng};
}

Trainer trainer_of(const NounSentences& sentences, const NounFinder& model, const TrainingPlan& plan) {
    return {plan,
            // Handles, not copies: the model whose parameters the optimizer moves.
            [model](const Batch& batch, Rng*) { return model.logits(batch.inputs); }, model.parameters(),
            examples_of(sentences.training, sentences.vocabulary),
            batches_of(examples_of(sentences.held_out, sentences.vocabulary), 100, no_padding), no_padding};
}

}  // namespace

std::unique_ptr<NounTraining> make_noun_training(const OwnOptions& own, std::uint64_t seed) {
    const NounSentences sentences = noun_sentences(for_training, held_out, seed_of_sentences);
    const NounFinder model = new_model(sentences, own, seed);
    return std::make_unique<NounTraining>(
        NounTraining{sentences, model, trainer_of(sentences, model, plan_of(own, seed))});
}

NounScore score_of(const NounTraining& training) {
    NounScore score;
    for (const NounSentence& sentence : training.sentences.held_out) {
        const NounGuess guess = guess_noun(training.model, sentence.words);
        const double weight = guess.weights[sentence.noun];
        score.accuracy += guess.noun == sentence.words[sentence.noun] ? 1.0 : 0.0;
        score.mean_weight += weight;
        if (weight <= 0.5) score.overlooked.push_back(sentence);
    }
    const auto count = static_cast<double>(training.sentences.held_out.size());
    score.accuracy /= count;
    score.mean_weight /= count;
    return score;
}

}  // namespace tfs
