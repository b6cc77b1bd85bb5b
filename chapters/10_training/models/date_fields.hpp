// chapters/10_training/models/date_fields.hpp · where a reader of dates looks while it writes a digit
#pragma once

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/10_training/models/dates.hpp"

namespace tfs {

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
    // The same for each digit with other fields: of_field[i][part] is the weight of digit answer_digits[i] on that field.
    std::array<std::array<double, 3>, 8> of_field = {};
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
