// tests/10_training/dates_test.cpp · the model that reads dates: its data, and where it looks
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/10_training/models/date_task.hpp"
#include "common/io/weights.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TextTransformer shipped_date_reader() {
    return load_network<TextTransformer>(weights_file("dates"), date_kind());
}

TEST(written_dates, are_written_as_people_write_them) {
    std::string written;
    for (std::size_t form = 0; form < date_forms().size(); ++form) {
        const WrittenDate date = write_date({1998, 3, 3}, form);
        written += date.text + " | ";
        EXPECT_EQ(date.answer, "1998-03-03");
    }
    EXPECT_EQ(written,
              "3 March 1998 | March 3, 1998 | 3rd of March 1998 | March 3rd, 1998 | Tue 3rd of Mar. 1998 | "
              "Tuesday, 3 March 1998 | 3 Mar 1998 | Mar 3 '98 | 03-Mar-98 | 1998, March 3 | 1998/03/03 | "
              "3.3.1998 | 03/03/98 day first | 03/03/98 month first | ");
    EXPECT_EQ(write_date({2049, 11, 12}, 2).text, "12th of November 2049");
    EXPECT_EQ(write_date({2000, 2, 29}, 5).text, "Tuesday, 29 February 2000");
    EXPECT_TRUE(refuses<ValueError>([] { (void)write_date({1998, 3, 3}, 14); }, {"14"}));
}

TEST(written_dates, say_where_each_part_is_written) {
    const auto fields = [](std::size_t form) {
        const WrittenDate date = write_date({1998, 4, 8}, form);
        const auto field = [&](DatePart part) {
            return date.text.substr(date.fields[part].begin, date.fields[part].end - date.fields[part].begin);
        };
        return date.text + ": " + field(year_part) + " " + field(month_part) + " " + field(day_part);
    };
    EXPECT_EQ(fields(4), "Wed 8th of Apr. 1998: 1998 Apr 8th");
    EXPECT_EQ(fields(12), "08/04/98 day first: 98 04 08");
    EXPECT_EQ(fields(13), "04/08/98 month first: 98 04 08");
}

TEST(written_dates, hold_out_dates_that_training_has_in_no_form) {
    const auto numbers_of = [](const std::vector<WrittenDate>& dates) {
        std::set<std::string> answers;
        for (const WrittenDate& date : dates) answers.insert(date.answer);
        return answers;
    };
    const WrittenDates all = written_dates(60000, 2000, 7), other = written_dates(1, 2000, 8);
    const std::set<std::string> learned = numbers_of(all.training);
    EXPECT_EQ(numbers_of(all.held_out), numbers_of(written_dates(0, 2000, 7).held_out));
    for (const WrittenDates* dates : {&all, &other})
        for (const WrittenDate& date : dates->held_out) EXPECT_FALSE(learned.contains(date.answer));
}

// A reader that knew only some of the text could not answer: one year has all days, and one day all years.
TEST(written_dates, no_part_and_no_form_gives_another_part_away) {
    const WrittenDates all = written_dates(30000, 2000, 7);
    std::map<std::string, std::set<std::string>> days_of_year, years_of_day;
    std::vector<std::size_t> forms(date_forms().size()), asked(date_forms().size());
    for (const WrittenDate& date : all.training) {
        days_of_year[date.answer.substr(0, 4)].insert(date.answer.substr(5));
        years_of_day[date.answer.substr(5)].insert(date.answer.substr(0, 4));
        ++forms[date.form];
    }
    for (const WrittenDate& date : all.held_out) ++asked[date.form];
    EXPECT_EQ(days_of_year.size(), 100U);
    EXPECT_EQ(years_of_day.size(), 366U);
    for (const auto& [year, days] : days_of_year) EXPECT_GT(days.size(), 100U) << year;
    for (const auto& [day, years] : years_of_day) EXPECT_GT(years.size(), day == "02-29" ? 5U : 25U) << day;
    for (const std::size_t count : forms) EXPECT_NEAR(static_cast<double>(count), 30000.0 / 14, 250.0);
    EXPECT_GE(*std::min_element(asked.begin(), asked.end()), 100U);
}

TEST(date_reader, knows_every_character_and_the_longest_text) {
    std::size_t longest = 0;
    for (std::size_t form = 0; form < date_forms().size(); ++form)
        for (std::size_t month = 1; month <= 12; ++month)
            for (std::size_t year = 1950; year < 2050; ++year) {
                const WrittenDate date = write_date({year, month, 1 + year % 28}, form);
                longest = std::max(longest, date.text.size());
                EXPECT_NO_THROW((void)example_of(date));
            }
    EXPECT_EQ(longest, date_kind().otherwise.max_len);
}

TEST(date_reader, reads_the_text_and_is_asked_for_each_character_of_the_answer) {
    const WrittenDate date = write_date({1998, 3, 3}, 0);
    const Example example = example_of(date);
    const std::size_t answer = date_answer_length;
    const auto character = [](std::int64_t id) { return date_kind().tokenizer.token(id).at(0); };
    ASSERT_EQ(example.source.size(), date.text.size());
    for (std::size_t i = 0; i < date.text.size(); ++i) EXPECT_EQ(character(example.source[i]), date.text[i]);
    ASSERT_EQ(example.input.size(), answer);
    ASSERT_EQ(example.target.size(), answer);
    for (std::size_t i = 0; i < answer; ++i) {
        EXPECT_EQ(character(example.target[i]), date.answer[i]);
        EXPECT_EQ(example.input[i], i == 0 ? date_start : example.target[i - 1]);
    }
}

// One run over the right answers finds those that greedy decoding writes; the others are written one by one. Noise on the weights
// makes some wrong.
TEST(date_reader, is_scored_by_what_it_writes) {
    const TextTransformer reader = shipped_date_reader();
    std::uint64_t seed = 1;
    for (NamedTensor& p : reader.parameters())
        p.tensor.mutable_array() += Rng(seed++).normal_array(p.tensor.shape(), 0.0, 0.05);
    const std::vector<WrittenDate> dates = written_dates(0, 40, 3).held_out;
    double exact = 0.0;
    for (const WrittenDate& date : dates) exact += read_date(reader, date.text).answer == date.answer ? 1 : 0;
    EXPECT_GT(exact, 0.0);
    EXPECT_LT(exact, 40.0);
    EXPECT_NEAR(score_dates(reader, dates).exact, exact / 40.0, 1e-12);
    const FieldShare all = score_dates(reader, dates).heads[0];
    double mean = 0.0;
    for (const WrittenDate& date : dates)
        for (const std::size_t i : answer_digits)
            mean += weight_on(read_date(reader, date.text).cross_weights[0], 0, 0, i,
                              date.fields[part_of_digit(i)]) /
                    (8.0 * 40.0);
    EXPECT_NEAR(all.mean, mean, 1e-5);
}

TEST(date_reader, looks_where_chapter_08_looks_with_the_same_weights) {
    const DateReading reading = read_date(shipped_date_reader(), "8 Apr 1998");
    const CrossStackOutput maps = date_maps(load_network<DateTranslator>(weights_file("dates"), date_kind()),
                                            "8 Apr 1998", reading.answer);
    EXPECT_EQ(reading.answer, "1998-04-08");
    ASSERT_EQ(reading.cross_weights.size(), maps.cross_weights.size());
    for (std::size_t layer = 0; layer < maps.cross_weights.size(); ++layer)
        EXPECT_TRUE(close(reading.cross_weights[layer], maps.cross_weights[layer], {1e-4, 1e-5}));
}

constexpr std::size_t longest_text = 28;

TEST(date_fields, a_head_that_looks_only_where_it_should_has_all_of_the_share) {
    const WrittenDate date = write_date({1998, 4, 8}, 4);
    const Span day = date.fields[day_part];
    std::vector<float> values(date_answer_length * longest_text, 0.0f);
    values[8 * longest_text + day.begin] = 0.25f;
    values[8 * longest_text + day.end - 1] = 0.5f;
    values[8 * longest_text + day.end] = 0.25f;
    const Tensor weights = Tensor::from({1, 1, date_answer_length, longest_text}, values);
    EXPECT_DOUBLE_EQ(weight_on(weights, 0, 0, 8, day), 0.75);
    EXPECT_DOUBLE_EQ(weight_on(weights, 0, 0, 9, day), 0.0);
}

TEST(date_reader, refuses_texts_that_it_cant_read) {
    const std::string long_text(longest_text + 1, '1');
    const TextTransformer reader = shipped_date_reader();
    const auto refuse = [&](const std::string& text, const std::string& sentence) {
        EXPECT_TRUE(refuses<ValueError>([&] { (void)read_date(reader, text); }, {sentence}));
    };
    refuse("3 März 1998", "does not know the characters \"ä\", \"z\"");
    refuse("3\n3", "does not know the character \"\\x0a\"");
    refuse("", "the text is empty");
    refuse(long_text, "1 to 28 characters, not 29");
}

}  // namespace
}  // namespace tfs::test
