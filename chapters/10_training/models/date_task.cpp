// chapters/10_training/models/date_task.cpp · two cheap tests of a new reader of dates, and where a trained one looks
#include "chapters/10_training/models/date_task.hpp"

#include <algorithm>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "common/base/errors.hpp"

namespace tfs {

namespace {

constexpr double rate_of_first_tests = 3e-3;

// Whether greedy decoding writes the targets of this row: each has the largest logit after those before it.
bool writes(const Tensor& logits, const Ids& targets, std::size_t row) {
    const Tensor own = slice(logits, 0, row, row + 1);  // (1, answer, vocab)
    for (std::size_t i = 0; i < targets.shape(1); ++i)
        if (greedy_token(slice(own, 1, i, i + 1)) != targets(row, i)) return false;
    return true;
}

// Adds what a row of these weights says of each head, as one of `count` dates.
void add(std::vector<FieldShare>& heads, const std::vector<Tensor>& weights, std::size_t row,
         const WrittenDate& date, double count) {
    for (FieldShare& share : heads)
        for (const std::size_t digit : answer_digits) {
            const DatePart own = part_of_digit(digit);
            const double weight = weight_on(weights[share.layer], row, share.head, digit, date.fields[own]);
            share.mean += weight / (8.0 * count);
            share.of_part[own] += weight / ((own == year_part ? 4.0 : 2.0) * count);
        }
}

// Four digits are the year's, two the month's, two the day's.
double even_share(const WrittenDate& date) {
    const auto length = [](const Span& field) { return static_cast<double>(field.end - field.begin); };
    return (length(date.fields[year_part]) / 2 + length(date.fields[month_part]) / 4 +
            length(date.fields[day_part]) / 4) /
           static_cast<double>(date.text.size());
}

}  // namespace

ModelConfig date_reader_config() {
    ModelConfig config = date_kind().otherwise;
    config.layers = 2;
    return config;
}

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

double weight_on(const Tensor& weights, std::size_t row, std::size_t head, std::size_t i, const Span& field) {
    double sum = 0.0;
    for (std::size_t key = field.begin; key < field.end; ++key) sum += weights.at({row, head, i, key});
    return sum;
}

const FieldShare& DateScore::best() const {
    if (heads.empty()) throw ValueError("DateScore::best: there are no heads");
    return *std::max_element(heads.begin(), heads.end(),
                             [](const FieldShare& a, const FieldShare& b) { return a.mean < b.mean; });
}

DateReading read_date(const TextTransformer& reader, const std::string& text) {
    const NoGrad no_grad;
    const Ids source = reader.tokenizer.encode(text, reader.config.max_len);
    const Ids written = translate_greedy(reader.model, source, date_start, date_answer_length);
    // Once more over the finished answer, for its weights.
    Ids target = Ids::from_shape({1, date_answer_length});
    std::copy_n(written.begin(), date_answer_length, target.begin());
    return {reader.tokenizer.decode({written.data() + 1, date_answer_length}),
            reader.model(source, target, with_weights).cross_weights};
}

DateScore score_dates(const TextTransformer& reader, const std::vector<WrittenDate>& dates) {
    const NoGrad no_grad;
    std::vector<Example> examples;
    for (const WrittenDate& date : dates) examples.push_back(example_of(date));
    const Batch batch = make_batch(examples, date_padding);
    const TransformerOutput output = reader.model(batch.source.value(), batch.inputs, with_weights);
    DateScore score;
    for (std::size_t layer = 0; layer < reader.config.layers; ++layer)
        for (std::size_t head = 0; head < reader.config.heads; ++head)
            score.heads.push_back({.layer = layer, .head = head});
    const auto count = static_cast<double>(dates.size());
    for (std::size_t row = 0; row < dates.size(); ++row) {
        const bool exact = writes(output.logits, batch.targets, row);
        score.exact += exact ? 1.0 / count : 0.0;
        score.even += even_share(dates[row]) / count;
        if (exact)
            add(score.heads, output.cross_weights, row, dates[row], count);
        else
            add(score.heads, read_date(reader, dates[row].text).cross_weights, 0, dates[row], count);
    }
    return score;
}

}  // namespace tfs
