// chapters/10_training/models/tasks.cpp · the five trainings of this chapter, as values of one task
#include "chapters/10_training/models/tasks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "chapters/10_training/models/character_task.hpp"
#include "chapters/10_training/models/date_task.hpp"
#include "chapters/10_training/models/it_explanations.hpp"
#include "chapters/10_training/models/noun_training.hpp"
#include "common/io/safetensors_header.hpp"
#include "common/io/weights.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr std::size_t most_steps = 1'000'000;
constexpr std::size_t nouns_to_learn = 6400, its_to_learn = 60'000, dates_to_learn = 60'000,
                      sentences_asked = 500;
constexpr std::uint64_t seed_of_sentences = 7;  // the same sentences for every seed of a training
constexpr std::int64_t no_padding = 0;          // all examples are of one length

// name, units, asked · model · steps, batch size, evaluations, warm-up · rate, fall · padding, asked at once
constexpr std::array<TaskKind, 5> all_tasks{
    {{"nouns", "sentences", "held-out sentences", noun_finder_config, 300, 64, 50, 50, 3e-3, 10, no_padding,
      100},
     {"sizes", "sentences", "held-out sentences", size_finder_config, 1500, 64, 250, 50, 6e-3, 10, no_padding,
      100},
     {"it", "sentences", "held-out sentences", it_reader_config, 2400, 64, 200, 100, 2e-3, 10, it_padding,
      100},
     {"dates", "dates", "characters of held-out dates", date_reader_config, 1800, 64, 200, 200, 3e-3, 20,
      date_padding, 100},
     {"characters", "windows", "characters of the held-out text", character_config, 6000, 8, 500, 200, 3e-3,
      20, no_padding, 32}}};

void require_options(const TaskKind& kind, const TaskOptions& options) {
    if (options.steps == 1 || options.steps > most_steps)
        throw ValueError(fmt::format("--steps {}: must be between 2 and {} with --train {}", options.steps,
                                     most_steps, kind.name));
    const std::size_t d_model = kind.config().d_model;
    if (options.heads != 0 && d_model % options.heads != 0)
        throw ValueError(fmt::format("--heads {}: must divide {}, the width of the model of --train {}",
                                     options.heads, d_model, kind.name));
    if (!(options.rate >= 0.0))
        throw ValueError(fmt::format("--rate {}: must be above 0 with --train {}", options.rate, kind.name));
    if (!options.corpus.empty() && kind.name != std::string("characters"))
        throw ValueError(fmt::format("--corpus is for --train characters, not for {}", kind.name));
}

// What the tasks differ in that depends on their data.
struct Learned {
    std::vector<Example> examples, held_out;
    std::function<Metadata()> scores;
};

template <class Text, class... Vocabulary>
std::vector<Example> examples_of(const std::vector<Text>& texts, const Vocabulary&... vocabulary) {
    std::vector<Example> examples;
    for (const Text& text : texts) examples.push_back(example_of(text, vocabulary...));
    return examples;
}

// Models are captured as handles, not as copies: the optimizer moves their parameters.
template <class Network>
Task task_of(const std::string& name, const TaskSettings& settings, const Network& network,
             const ModelKind& weights, const Model& logits, Learned learned) {
    const TaskKind& kind = task_kind(name);
    return {.plan = settings.plan,
            .model = logits,
            .parameters = network.parameters(),
            .examples = std::move(learned.examples),
            .held_out = batches_of(learned.held_out, kind.asked_at_once, kind.padding),
            .pad_id = kind.padding,
            .name = name,
            .units = kind.units,
            .asked = kind.asked,
            .corpus = settings.corpus.string(),
            .scores = std::move(learned.scores),
            .save = [network, weights](const auto& file, const Metadata& metadata) {
                save_network(network, weights, file, metadata);
            }};
}

Metadata in_words(const NounScore& score) {
    return {{"held_out_accuracy", fmt::format("{:.4f}", score.accuracy)},
            {"held_out_mean_weight", fmt::format("{:.3f}", score.mean_weight)}};
}

Metadata in_words(const SizeScore& score) {
    Metadata scores{{"held_out_smallest_named", fmt::format("{:.4f}", score.named[0])},
                    {"held_out_largest_named", fmt::format("{:.4f}", score.named[1])}};
    for (std::size_t head = 0; head < score.weights.size(); ++head)
        scores[fmt::format("held_out_mean_weights, head {}", head + 1)] =
            fmt::format("smallest {:.3f}, largest {:.3f}", score.weights[head][0], score.weights[head][1]);
    return scores;
}

Metadata in_words(const ItScore& score) {
    Metadata scores{{"held_out_accuracy", fmt::format("{:.4f}", score.accuracy)}};
    for (const ItShares& way : score.ways) {
        scores["right_noun_larger, " + way.name] = fmt::format("{:.3f}", way.right_is_larger);
        scores["mean_share_of_right_noun, " + way.name] = fmt::format("{:.3f}", way.right);
    }
    return scores;
}

Metadata in_words(const DateScore& score) {
    const FieldShare& best = score.best();
    return {{"held_out_exact", fmt::format("{:.4f}", score.exact)},
            {"held_out_mean_weight", fmt::format("{:.3f}", best.mean)},
            {"best_head", fmt::format("layer {}, head {}", best.layer + 1, best.head + 1)}};
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

// A model of the words of these sentences, which is asked for a noun.
template <class Network, class Data>
TaskOf<Data, Network> task_of_sentences(const std::string& name, const TaskSettings& settings,
                                        const Data& data, const ModelKind& weights) {
    Rng rng(settings.plan.seed);
    const Network model(data.vocabulary, settings.config, rng);
    return {data, model,
            task_of(name, settings, model, weights,
                    [model](const Batch& batch, Rng*) { return model.logits(batch.inputs); },
                    {examples_of(data.training, data.vocabulary), examples_of(data.held_out, data.vocabulary),
                     [model, asked = data.held_out] { return in_words(score_of(model, asked)); }})};
}

}  // namespace

std::span<const TaskKind> task_kinds() { return all_tasks; }

const TaskKind& task_kind(const std::string& name) {
    std::vector<std::string> names;
    for (const TaskKind& kind : all_tasks) {
        if (kind.name == name) return kind;
        names.emplace_back(kind.name);
    }
    throw ValueError(fmt::format("--train {}: there is no such model; there are: {}", harmless(name),
                                 fmt::join(names, ", ")));
}

TaskSettings settings_of(const std::string& name, const TaskOptions& options) {
    const TaskKind& kind = task_kind(name);
    require_options(kind, options);
    TaskSettings settings{.config = kind.config(), .corpus = options.corpus};
    TrainingPlan& plan = settings.plan;
    plan.steps = options.steps == 0 ? kind.steps : options.steps;
    plan.batch_size = kind.batch_size;
    plan.evaluate_every = kind.evaluate_every;
    plan.seed = options.seed;
    const double rate = options.rate == 0.0 ? kind.rate : options.rate;
    plan.rate = {.peak = rate, .final = rate / kind.fall, .warmup = std::min(kind.warmup, plan.steps / 2)};
    if (options.heads != 0 && options.heads != settings.config.heads) {
        settings.config.heads = options.heads;
        plan.subject = fmt::format("{} head{}", options.heads, options.heads == 1 ? "" : "s");
    }
    return settings;
}

NounTask noun_task(const TaskSettings& settings) {
    return task_of_sentences<NounFinder>("nouns", settings,
                                         noun_sentences(nouns_to_learn, sentences_asked, seed_of_sentences),
                                         noun_finder_kind());
}

SizeTask size_task(const TaskSettings& settings) {
    return task_of_sentences<NounFinder>("sizes", settings, size_sentences(), noun_finder_kind());
}

ItTask it_task(const TaskSettings& settings) {
    return task_of_sentences<ItReader>(
        "it", settings, it_sentences(its_to_learn, sentences_asked, seed_of_sentences), it_reader_kind());
}

DateTask date_task(const TaskSettings& settings) {
    const WrittenDates data = written_dates(dates_to_learn, dates_asked, seed_of_dates);
    Rng rng(settings.plan.seed);
    const TextTransformer model = new_date_reader(settings.config, rng);
    return {data, model,
            task_of("dates", settings, model, date_kind(),
                    [model](const Batch& batch, Rng* dropout) { return date_logits(model, batch, dropout); },
                    {examples_of(data.training), examples_of(data.held_out),
                     [model, asked = data.held_out] { return in_words(score_dates(model, asked)); }})};
}

CharacterTask character_task(const TaskSettings& settings) {
    const std::size_t context = settings.config.max_len;
    const Corpus corpus = read_corpus(settings.corpus.empty() ? shipped_corpus() : settings.corpus, context);
    const TextTransformer model = new_writer(corpus.tokenizer, settings.config, settings.plan.seed);
    TaskSettings own = settings;
    own.plan.optimizer.beta2 = 0.99;
    own.plan.optimizer.weight_decay = 0.1;
    own.plan.subject =
        fmt::format("{} head{}, {} characters of {} kinds", settings.config.heads,
                    settings.config.heads == 1 ? "" : "s", corpus.ids.size(), corpus.tokenizer.size());
    return {corpus, model,
            task_of("characters", own, model, character_kind(), writer_logits(model),
                    {training_windows(corpus, context), some_held_out_windows(corpus, context, 256),
                     [model, corpus] { return scores_of(model, corpus); }})};
}

void save_trained(const Task& task, const std::filesystem::path& file) {
    Metadata metadata = task.scores();
    metadata["made_by"] =
        fmt::format("./tutorial run 10 -- --train {0}{1} --save weights/{0}.safetensors", task.name,
                    task.corpus.empty() ? "" : " --corpus " + in_quotes(harmless(task.corpus)));
    metadata["plan"] = in_words(task.plan);
    task.save(file, metadata);
}

}  // namespace tfs
