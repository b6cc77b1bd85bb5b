// chapters/10_training/given/date_fields.cpp · where a reader of dates looks while it writes a digit, given
#include "chapters/10_training/given/date_fields.hpp"

#include <algorithm>

#include "common/base/errors.hpp"

namespace tfs {

namespace {

std::vector<std::string> texts_of(const std::vector<WrittenDate>& dates) {
    std::vector<std::string> texts;
    for (const WrittenDate& date : dates) texts.push_back(date.text);
    return texts;
}

FieldShare field_share(const Tensor& weights, std::size_t layer, std::size_t head,
                       const std::vector<WrittenDate>& dates) {
    FieldShare share{layer, head};
    const auto count = static_cast<double>(dates.size());
    for (std::size_t digit = 0; digit < answer_digits.size(); ++digit) {
        auto& on = share.of_field[digit];
        for (std::size_t row = 0; row < dates.size(); ++row)
            for (std::size_t part = 0; part < 3; ++part)
                on[part] +=
                    weight_on(weights, row, head, answer_digits[digit], dates[row].fields[part]) / count;
        const DatePart own = part_of_digit(answer_digits[digit]);
        share.mean += on[own] / 8.0;
        share.of_part[own] += on[own] / (own == year_part ? 4.0 : 2.0);
    }
    return share;
}

// Four digits are the year's, two the month's, two the day's.
double even_share(const WrittenDate& date) {
    const auto length = [](const Span& field) { return static_cast<double>(field.end - field.begin); };
    return (length(date.fields[year_part]) / 2 + length(date.fields[month_part]) / 4 +
            length(date.fields[day_part]) / 4) /
           static_cast<double>(date.text.size());
}

}  // namespace

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

DateScore score_dates(const DateReader& reader, const std::vector<WrittenDate>& dates) {
    const DateReading reading = read_dates(reader, texts_of(dates));
    DateScore score;
    const auto count = static_cast<double>(dates.size());
    for (std::size_t row = 0; row < dates.size(); ++row) {
        score.exact += reading.answers[row] == dates[row].answer ? 1.0 / count : 0.0;
        score.even += even_share(dates[row]) / count;
    }
    for (std::size_t layer = 0; layer < reading.cross_weights.size(); ++layer) {
        const Tensor& weights = reading.cross_weights[layer];
        for (std::size_t head = 0; head < weights.size(1); ++head)
            score.heads.push_back(field_share(weights, layer, head, dates));
    }
    return score;
}

}  // namespace tfs
