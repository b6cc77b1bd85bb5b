// chapters/10_training/program/character_training.cpp · the decoder that writes character by character, and its training
#include <fmt/ostream.h>

#include <algorithm>

#include "chapters/10_training/given/initial_values.hpp"
#include "chapters/10_training/program/character_sections.hpp"
#include "chapters/10_training/program/interruption.hpp"
#include "chapters/10_training/program/training_run.hpp"
#include "common/program/weights.hpp"
#include "common/text/display.hpp"

namespace tfs {

namespace {

constexpr ModelConfig sizes_of_shipped{
    .layers = 4, .d_model = 128, .heads = 4, .max_len = 64, .positions = PositionKind::learned};
constexpr std::size_t windows_in_a_batch = 16, characters_of_a_sample = 240;

std::filesystem::path corpus_of_options(const OwnOptions& own) {
    return own.corpus.empty() ? shipped_corpus() : std::filesystem::path(own.corpus);
}

TrainingPlan character_plan(const OwnOptions& own, const Corpus& corpus, std::uint64_t seed) {
    TrainingPlan plan{
        .steps = own.steps, .batch_size = windows_in_a_batch, .evaluate_every = 500, .seed = seed};
    plan.rate = {
        .peak = own.rate, .final = own.rate / 20, .warmup = std::min<std::size_t>(200, own.steps / 2)};
    plan.optimizer.beta2 = 0.99;
    plan.optimizer.weight_decay = 0.1;
    plan.subject = fmt::format("{} heads, {} characters of {} kinds", own.heads, corpus.ids.size(),
                               corpus.tokenizer.size());
    return plan;
}

TextTransformer new_character_model(const OwnOptions& own, const Corpus& corpus, std::uint64_t seed) {
    ModelConfig sizes = sizes_of_shipped;
    sizes.heads = own.heads;
    Rng rng(seed);
    TextTransformer model(corpus.tokenizer, sizes, rng);
    draw_initial_values(model.parameters(), sizes.layers, rng);
    return model;
}

Trainer character_trainer(const Corpus& corpus, const TextTransformer& model, const TrainingPlan& plan) {
    const std::size_t context = model.config.max_len;
    return {plan,
            // Handles, not copies: the model whose parameters the optimizer moves.
            [model](const Batch& batch, Rng* rng) { return model.model(batch.inputs, {.rng = rng}).logits; },
            model.parameters(), training_windows(corpus, context),
            batches_of(some_held_out_windows(corpus, context, 256), 32, 0), 0};
}

void show_character_task(Show& show, const CharacterTraining& training) {
    const Corpus& corpus = training.corpus;
    fmt::print(show.out,
               "  A text of {} characters, {} different ones; the last {} are held out.\n"
               "  At each position of a window of {} characters the target is the next one.\n"
               "  The model: {} layers of {} heads, {} parameters; initial values as in GPT-2.\n",
               corpus.ids.size(), corpus.tokenizer.size(), corpus.held_out_size(),
               training.model.config.max_len, training.model.config.layers, training.model.config.heads,
               count_parameters(training.model.parameters()));
}

std::map<std::string, std::string> character_metadata(const CharacterTraining& training, double bits,
                                                      const CharacterHeads& heads) {
    const auto in_words_of = [](const HeadScores& head, double score) {
        return fmt::format("layer {}, head {}: {:.3f}", head.layer + 1, head.head + 1, score);
    };
    return {{"made_by", "./tutorial run 10 -- --train characters --save weights/characters.safetensors"},
            {"plan", in_words(training.trainer.plan)},
            {"held_out_bits_per_character", fmt::format("{:.4f}", bits)},
            {"held_out_bits_of_first_5000",
             fmt::format("{:.4f}", bits_per_character(training.model, training.corpus, 5'000))},
            {"previous_token", in_words_of(heads.most_previous(), heads.most_previous().back[0])},
            {"induction", in_words_of(heads.most_induction(), heads.most_induction().induction)}};
}

// Samples at these steps: before the training, early, later. The end has its own section.
void sample_while_training(Show& show, const TextTransformer& model, std::size_t step) {
    if (step != 0 && step != 100 && step != 1000) return;
    fmt::print(show.out, "  At step {} it writes:\n", step);
    print_sample(show.out, model, characters_of_a_sample);
}

}  // namespace

std::filesystem::path shipped_corpus() {
    return repository_file("chapters/10_training/data/shakespeare.txt");
}

std::unique_ptr<CharacterTraining> make_character_training(const OwnOptions& own, std::uint64_t seed) {
    const Corpus corpus = read_corpus(corpus_of_options(own), sizes_of_shipped.max_len);
    const TextTransformer model = new_character_model(own, corpus, seed);
    return std::make_unique<CharacterTraining>(CharacterTraining{
        corpus, model, character_trainer(corpus, model, character_plan(own, corpus, seed))});
}

void train_characters(Show& show, const OwnOptions& own) {
    const std::unique_ptr<CharacterTraining> training = make_character_training(own, show.options.seed);
    const TextTransformer& model = training->model;
    show.section("The task: the next character of a text", [&] { show_character_task(show, *training); });
    show.section(fmt::format("Training: {} steps of {} windows", own.steps, windows_in_a_batch), [&] {
        show.figures.save(
            run_training(show, training->trainer,
                         {.name = "characters",
                          .asked = "characters of the held-out text",
                          .resume = own.resume,
                          .at_step = [&](std::size_t step) { sample_while_training(show, model, step); }}));
        if (is_interrupted())
            return;  // what follows takes seconds, and measures a model that is not finished
        show.section("What it writes now",
                     [&] { print_sample(show.out, model, 2 * characters_of_a_sample); });
        const double bits = bits_per_character(model, training->corpus, most_asked);
        show.section("Against simpler models: bits per held-out character",
                     [&] { print_bits(show, training->corpus, model, bits); });
        const CharacterHeads heads = heads_of(model, training->corpus);
        show.section("What its heads look at", [&] { print_heads(show, heads); });
        if (own.save.empty()) return;
        save_network(model, character_kind(), own.save, character_metadata(*training, bits, heads));
        fmt::print(show.out, "\nThe weights are in {}\n", own.save);
    });
}

}  // namespace tfs
