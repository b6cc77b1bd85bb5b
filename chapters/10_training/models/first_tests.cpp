// chapters/10_training/models/first_tests.cpp · two cheap tests before a training: the first loss, and one batch by heart
#include "chapters/10_training/models/first_tests.hpp"

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/10_training/models/one_batch.hpp"

namespace tfs {

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
    return {reader.tokenizer.size(),
            learn_one_batch(model, reader.parameters(), batch, steps_of_first_tests + 1, rng, told)};
}

}  // namespace tfs
