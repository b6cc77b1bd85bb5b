// chapters/10_training/models/character_task.cpp · the decoder that writes character by character, and its training
#include "chapters/10_training/models/character_task.hpp"

#include <fmt/format.h>

#include "chapters/10_training/models/initial_values.hpp"
#include "common/io/weights.hpp"

namespace tfs {

namespace {

constexpr std::size_t windows_of_text = 128, repetitions = 128;
constexpr std::uint64_t seed_of_repetitions = 11;

TrainingPlan plan_of(const TaskSettings& settings, const Corpus& corpus) {
    TrainingPlan plan = settings.plan;
    plan.optimizer.beta2 = 0.99;
    plan.optimizer.weight_decay = 0.1;
    plan.subject = fmt::format("{} head{}, {} characters of {} kinds", settings.heads,
                               settings.heads == 1 ? "" : "s", corpus.ids.size(), corpus.tokenizer.size());
    return plan;
}

TextTransformer new_model(const Corpus& corpus, std::size_t heads, std::uint64_t seed) {
    ModelConfig sizes = character_config();
    sizes.heads = heads;
    Rng rng(seed);
    TextTransformer model(corpus.tokenizer, sizes, rng);
    draw_initial_values(model.parameters(), sizes.layers, rng);
    return model;
}

Metadata scores_of(const TextTransformer& model, const Corpus& corpus) {
    const CharacterHeads heads = heads_of(model, corpus);
    const auto in_words_of = [](const HeadScores& head, double score) {
        return fmt::format("layer {}, head {}: {:.3f}", head.layer + 1, head.head + 1, score);
    };
    return {
        {"held_out_bits_per_character", fmt::format("{:.4f}", bits_per_character(model, corpus, most_asked))},
        {"held_out_bits_of_first_5000", fmt::format("{:.4f}", bits_per_character(model, corpus, 5'000))},
        {"previous_token", in_words_of(heads.most_previous(), heads.most_previous().back[0])},
        {"induction", in_words_of(heads.most_induction(), heads.most_induction().induction)}};
}

Task task_of(const TextTransformer& model, const Corpus& corpus, const TaskOptions& options) {
    const std::size_t context = model.config.max_len;
    // Models are captured as handles, not as copies: the optimizer moves their parameters.
    return {
        .plan = plan_of(settings_of("characters", options), corpus),
        .model = [model](const Batch& batch,
                         Rng* rng) { return model.model(batch.inputs, {.rng = rng}).logits; },
        .parameters = model.parameters(),
        .examples = training_windows(corpus, context),
        .held_out = batches_of(some_held_out_windows(corpus, context, 256), 32, 0),
        .name = "characters",
        .units = "windows",
        .asked = "characters of the held-out text",
        .corpus = options.corpus.string(),
        .scores = [model, corpus] { return scores_of(model, corpus); },
        .save = [model](const auto& file,
                        const Metadata& metadata) { save_network(model, character_kind(), file, metadata); }};
}

}  // namespace

ModelConfig character_config() {
    return {.layers = 4, .d_model = 128, .heads = 4, .max_len = 256, .positions = PositionKind::rotary};
}

CharacterTask character_task(const TaskOptions& options) {
    const TaskSettings settings = settings_of("characters", options);
    const std::size_t context = character_config().max_len;
    const Corpus corpus = read_corpus(options.corpus.empty() ? shipped_corpus() : options.corpus, context);
    const TextTransformer model = new_model(corpus, settings.heads, options.seed);
    return {corpus, model, task_of(model, corpus, options)};
}

CharacterHeads heads_of(const TextTransformer& model, const Corpus& corpus) {
    const Batch windows = make_batch(some_held_out_windows(corpus, model.config.max_len, windows_of_text), 0);
    Rng rng(seed_of_repetitions);
    return score_heads(model, windows.inputs, repetitions, rng);
}

}  // namespace tfs
