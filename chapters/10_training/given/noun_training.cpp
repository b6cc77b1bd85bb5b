// chapters/10_training/given/noun_training.cpp · the model that finds a noun, and its training, given
#include "chapters/10_training/given/noun_training.hpp"

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

Trainer trainer_of(const NounSentences& sentences, const NounFinder& model, const TrainingPlan& plan) {
    return {plan,
            // Handles, not copies: the model whose parameters the optimizer moves.
            [model](const Batch& batch, Rng*) { return model.logits(batch.inputs); }, model.parameters(),
            examples_of(sentences.training, sentences.vocabulary),
            batches_of(examples_of(sentences.held_out, sentences.vocabulary), 100, no_padding), no_padding};
}

}  // namespace

std::unique_ptr<NounTraining> make_noun_training(const NounPlan& plan) {
    const NounSentences sentences = noun_sentences(for_training, held_out, seed_of_sentences);
    Rng rng(plan.training.seed);
    const NounFinder model(sentences.vocabulary, {.d_model = plan.d_model, .heads = plan.heads}, rng);
    return std::make_unique<NounTraining>(
        NounTraining{sentences, model, trainer_of(sentences, model, plan.training)});
}

std::size_t noun_parameters(const NounPlan& plan) {
    Rng none = Rng::zeros();
    const NounFinder model(noun_sentences(1, 1, 1).vocabulary, {.d_model = plan.d_model, .heads = plan.heads},
                           none);
    return count_parameters(model.parameters());
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
