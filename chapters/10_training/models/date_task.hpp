// chapters/10_training/models/date_task.hpp · the encoder-decoder that reads dates: its faults to find, and where it looks
#pragma once

#include <functional>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/10_training/models/dates.hpp"

namespace tfs {

// As many held-out dates are asked; the same dates for every seed of a training.
constexpr std::size_t dates_asked = 2000;
constexpr std::uint64_t seed_of_dates = 7;

// The sizes of the model of the task "dates".
[[nodiscard]] ModelConfig date_reader_config();

// Step date_training · Find the faults: a new model, and what it says of a batch.
// new_date_reader: of these sizes, with random weights. Before it learns it finds nearly all characters equally likely: its loss is
// about ln(vocab), a little more since random scores are worse than equal ones.
[[nodiscard]] TextTransformer new_date_reader(const ModelConfig& config, Rng& rng);
// date_logits: the Model (training.hpp) that is trained. Its source are the written dates; its inputs <start> and the answers without
// their last character. The Rng is for dropout; null in evaluation.
//   batch.source (batch, source), batch.inputs (batch, answer) -> (batch, answer, vocab)
[[nodiscard]] Tensor date_logits(const TextTransformer& reader, const Batch& batch, Rng* rng);

inline constexpr std::size_t rows_of_first_tests = 16, steps_of_first_tests = 80;

// Of a new reader of dates, as step date_training makes it and asks it.
struct FirstTests {
    std::size_t vocab = 0;  // a model that finds all characters equally likely has the loss ln(vocab)
    // On one batch of 16 dates: number i is of the model after i steps, 0 … 80.
    std::vector<StepReport> steps = {};
};
// `told` is called for each step.
[[nodiscard]] FirstTests first_tests(std::uint64_t seed,
                                     const std::function<void(std::size_t step, double loss)>& told = {});

// The batch of 16 dates that is drawn with this seed.
[[nodiscard]] Batch batch_of_dates(std::uint64_t seed);

// What a reader writes for a text, greedily and without dropout, and where it looked while it wrote: row i of the weights wrote
// character i. ValueError for a character that it doesn't know, and for a text that is empty or too long.
struct DateReading {
    std::string answer;
    std::vector<Tensor>
        cross_weights;  // one for each layer: (1, heads, date_answer_length, characters of the text)
};
[[nodiscard]] DateReading read_date(const TextTransformer& reader, const std::string& text);

// Means over the eight digits of the answers, in one head.
struct FieldShare {
    std::size_t layer = 0, head = 0;     // from 0
    double mean = 0.0;                   // weight of a digit on its own field of the source, over all digits
    std::array<double, 3> of_part = {};  // the same over the digits of one part, by DatePart
};

struct DateScore {
    double exact = 0.0;  // share of dates that are answered without a mistake
    double even =
        0.0;  // what `mean` would be, were the weights of each text spread evenly over its characters
    std::vector<FieldShare> heads;                 // all layers and heads
    [[nodiscard]] const FieldShare& best() const;  // of `heads`, by mean
};

// The reader's greedy answers to these dates, and the weights with which it wrote them. One run over the right answers of all
// dates finds those that it writes; the others are read one by one.
[[nodiscard]] DateScore score_dates(const TextTransformer& reader, const std::vector<WrittenDate>& dates);

// The weight of position `i` of the answer on a field of the source, in one head: weights (batch, heads, answer, source).
[[nodiscard]] double weight_on(const Tensor& weights, std::size_t row, std::size_t head, std::size_t i,
                               const Span& field);

}  // namespace tfs
