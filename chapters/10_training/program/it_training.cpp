// chapters/10_training/program/it_training.cpp · the encoder that says who "it" is, and its training
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "chapters/10_training/program/it_sections.hpp"
#include "chapters/10_training/program/training_run.hpp"

namespace tfs {

namespace {

constexpr std::size_t it_for_training = 60'000, it_held_out = 500;
constexpr std::uint64_t seed_of_it_sentences = 7;  // the same sentences for every seed of a training

std::vector<Example> examples_of(const std::vector<ItSentence>& sentences, const Tokenizer& vocabulary) {
    std::vector<Example> examples;
    for (const ItSentence& sentence : sentences) examples.push_back(example_of(sentence, vocabulary));
    return examples;
}

TrainingPlan it_plan(const OwnOptions& own, std::uint64_t seed) {
    TrainingPlan plan{.steps = own.steps, .batch_size = 64, .evaluate_every = 200, .seed = seed};
    plan.rate = {
        .peak = own.rate, .final = own.rate / 10, .warmup = std::min<std::size_t>(100, own.steps / 2)};
    return plan;
}

ItReader new_it_reader(const ItSentences& sentences, std::size_t heads, std::uint64_t seed) {
    ModelConfig config = it_reader_config();
    config.heads = heads;
    Rng rng(seed);
    return {sentences.vocabulary, config, rng};
}

void show_it_task(Show& show, const ItTraining& training) {
    for (std::size_t i = 0; i < 4; ++i) {
        const ItSentence& sentence = training.sentences.held_out[i];
        fmt::print(show.out, "  {:<97} {}\n", fmt::format("{}", fmt::join(sentence.words, " ")),
                   sentence.words[sentence.noun()]);
    }
    fmt::print(show.out,
               "  {} sentences to learn from; {} held out, whose pairs of animals never occur in them.\n"
               "  The model: {} words, {} layers, {} heads, {} parameters.\n",
               training.sentences.training.size(), training.sentences.held_out.size(),
               training.model.tokenizer.size(), training.model.blocks.size(),
               training.model.blocks[0].config.num_heads, count_parameters(training.model.parameters()));
}

std::map<std::string, std::string> metadata_of(const ItTraining& training) {
    const ItScore score = score_of(training.model, training.sentences.held_out);
    std::map<std::string, std::string> metadata{
        {"made_by", "./tutorial run 10 -- --train it --save weights/it.safetensors"},
        {"plan", in_words(training.trainer.plan)},
        {"held_out_accuracy", fmt::format("{:.4f}", score.accuracy)}};
    for (const ItShares& way : score.ways) {
        metadata["right_noun_larger, " + way.name] = fmt::format("{:.3f}", way.right_is_larger);
        metadata["mean_share_of_right_noun, " + way.name] = fmt::format("{:.3f}", way.right);
    }
    return metadata;
}

}  // namespace

std::unique_ptr<ItTraining> make_it_training(const OwnOptions& own, std::uint64_t seed) {
    const ItSentences sentences = it_sentences(it_for_training, it_held_out, seed_of_it_sentences);
    const ItReader model = new_it_reader(sentences, own.heads, seed);
    return std::make_unique<ItTraining>(ItTraining{
        sentences, model,
        // Handles, not copies: the model whose parameters the optimizer moves.
        Trainer(
            it_plan(own, seed), [model](const Batch& batch, Rng*) { return model.logits(batch.inputs); },
            model.parameters(), examples_of(sentences.training, sentences.vocabulary),
            batches_of(examples_of(sentences.held_out, sentences.vocabulary), 100, it_padding), it_padding)});
}

void train_it(Show& show, const OwnOptions& own) {
    const std::unique_ptr<ItTraining> training = make_it_training(own, show.options.seed);
    show.section("The task: which of two animals is \"it\"?", [&] { show_it_task(show, *training); });
    show.section(fmt::format("Training: {} steps of 64 sentences", training->trainer.plan.steps), [&] {
        show.figures.save(run_training(show, training->trainer,
                                       {.name = "it", .asked = "held-out sentences", .resume = own.resume}));
        if (!own.save.empty()) {
            save_network(training->model, it_reader_kind(), own.save, metadata_of(*training));
            fmt::print(show.out, "  The weights are in {}\n", own.save);
        }
    });
    show.section("Where the answer comes from", [&] {
        print_it_answers(show, training->model);
        print_it_shares(show, score_of(training->model, training->sentences.held_out));
        show.figures.save(it_figure(training->model));
    });
    show.deeper("Claim: without attention, a model of the same kind guesses",
                [&] { compare_bags(show, own); });
}

}  // namespace tfs
