// chapters/10_training/models/first_tests.cpp · two cheap tests before a training: the first loss, and one batch by heart
#include "chapters/10_training/models/first_tests.hpp"

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"

namespace tfs {

namespace {

constexpr double rate_of_first_tests = 3e-3;

}  // namespace

Batch batch_of_dates(std::uint64_t seed) {
    std::vector<Example> rows;
    for (const WrittenDate& date : written_dates(rows_of_first_tests, 0, seed).training)
        rows.push_back(example_of(date));
    return make_batch(rows, date_padding);
}

FirstTests first_tests(std::uint64_t seed, const std::function<void(std::size_t step, double loss)>& told) {
    Rng rng(seed);
    const TextTransformer reader = new_date_reader(date_reader_config(), rng);
    const Model model = [&](const Batch& asked, Rng* dropout) { return date_logits(reader, asked, dropout); };
    const Batch batch = batch_of_dates(seed);
    AdamW optimizer(reader.parameters());
    FirstTests tests{.vocab = reader.tokenizer.size()};
    for (std::size_t step = 0; step <= steps_of_first_tests; ++step) {
        tests.steps.push_back(training_step(model, batch, optimizer, rate_of_first_tests, rng));
        if (told) told(step, tests.steps.back().loss);
    }
    return tests;
}

}  // namespace tfs
