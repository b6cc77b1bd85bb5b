// chapters/10_training/models/date_task.cpp · the encoder-decoder that reads dates, and its training
#include "chapters/10_training/models/date_task.hpp"

#include <fmt/format.h>

#include "chapters/10_training/models/date_fields.hpp"

namespace tfs {

namespace {

constexpr std::size_t dates_to_learn = 60000;

std::vector<Example> examples_of(const std::vector<WrittenDate>& dates) {
    std::vector<Example> examples;
    for (const WrittenDate& date : dates) examples.push_back(example_of(date));
    return examples;
}

Metadata scores_of(const TextTransformer& reader, const std::vector<WrittenDate>& asked) {
    const DateScore score = score_dates(reader, asked);
    const FieldShare& best = score.best();
    return {{"held_out_exact", fmt::format("{:.4f}", score.exact)},
            {"held_out_mean_weight", fmt::format("{:.3f}", best.mean)},
            {"best_head", fmt::format("layer {}, head {}", best.layer + 1, best.head + 1)}};
}

}  // namespace

ModelConfig date_reader_config() {
    ModelConfig config = date_kind().otherwise;
    config.layers = 2;
    return config;
}

DateTask date_task(const TaskOptions& options) {
    const TaskSettings settings = settings_of("dates", options);
    const WrittenDates dates = written_dates(dates_to_learn, dates_asked, seed_of_dates);
    Rng rng(options.seed);
    ModelConfig config = date_reader_config();
    config.heads = settings.heads;
    const TextTransformer reader = new_date_reader(config, rng);
    // Models are captured as handles, not as copies: the optimizer moves their parameters.
    return {dates, reader,
            Task{.plan = settings.plan,
                 .model = [reader](const Batch& batch, Rng* rng) { return date_logits(reader, batch, rng); },
                 .parameters = reader.parameters(),
                 .examples = examples_of(dates.training),
                 .held_out = batches_of(examples_of(dates.held_out), 100, date_padding),
                 .pad_id = date_padding,
                 .name = "dates",
                 .units = "dates",
                 .asked = "characters of held-out dates",
                 .scores = [reader, asked = dates.held_out] { return scores_of(reader, asked); },
                 .save =
                     [reader](const auto& file, const Metadata& metadata) {
                         save_network(reader, date_kind(), file, metadata);
                     }}};
}

}  // namespace tfs
