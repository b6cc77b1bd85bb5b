// chapters/10_training/models/it_task.cpp · the encoder that says who "it" is, and its training
#include "chapters/10_training/models/it_task.hpp"

#include <fmt/format.h>

#include "chapters/10_training/models/it_explanations.hpp"

namespace tfs {

namespace {

constexpr std::size_t it_for_training = 60'000, it_held_out = 500;
constexpr std::uint64_t seed_of_it_sentences = 7;  // the same sentences for every seed of a training

std::vector<Example> examples_of(const std::vector<ItSentence>& sentences, const Tokenizer& vocabulary) {
    std::vector<Example> examples;
    for (const ItSentence& sentence : sentences) examples.push_back(example_of(sentence, vocabulary));
    return examples;
}

Metadata scores_of(const ItReader& model, const std::vector<ItSentence>& asked) {
    const ItScore score = score_of(model, asked);
    Metadata scores{{"held_out_accuracy", fmt::format("{:.4f}", score.accuracy)}};
    for (const ItShares& way : score.ways) {
        scores["right_noun_larger, " + way.name] = fmt::format("{:.3f}", way.right_is_larger);
        scores["mean_share_of_right_noun, " + way.name] = fmt::format("{:.3f}", way.right);
    }
    return scores;
}

}  // namespace

ItTask it_task(const TaskOptions& options) {
    const TaskSettings settings = settings_of("it", options);
    const ItSentences sentences = it_sentences(it_for_training, it_held_out, seed_of_it_sentences);
    Rng rng(options.seed);
    ModelConfig config = it_reader_config();
    config.heads = settings.heads;
    const ItReader model(sentences.vocabulary, config, rng);
    // Models are captured as handles, not as copies: the optimizer moves their parameters.
    return {
        sentences, model,
        Task{.plan = settings.plan,
             .model = [model](const Batch& batch, Rng*) { return model.logits(batch.inputs); },
             .parameters = model.parameters(),
             .examples = examples_of(sentences.training, sentences.vocabulary),
             .held_out = batches_of(examples_of(sentences.held_out, sentences.vocabulary), 100, it_padding),
             .pad_id = it_padding,
             .name = "it",
             .units = "sentences",
             .asked = "held-out sentences",
             .scores = [model, asked = sentences.held_out] { return scores_of(model, asked); },
             .save =
                 [model](const auto& file, const Metadata& metadata) {
                     save_network(model, it_reader_kind(), file, metadata);
                 }}};
}

}  // namespace tfs
