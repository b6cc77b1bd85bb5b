// chapters/10_training/models/dates.hpp · the task of the encoder-decoder: a date in one of many written forms -> 1998-03-03
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "chapters/10_training/training.hpp"

namespace tfs {

// A day of the years 1950 to 2049. Where a form has two digits for the year, 50 to 99 are 19.. and 00 to 49 are 20..
struct Date {
    std::size_t year = 1950, month = 1, day = 1;

    bool operator==(const Date&) const = default;
};

// Characters `begin` … `end`-1 of a text.
struct Span {
    std::size_t begin = 0, end = 0;
};

enum DatePart : std::size_t { year_part, month_part, day_part };
inline constexpr std::array<const char*, 3> date_parts = {"year", "month", "day"};

struct WrittenDate {
    Date date;
    std::size_t form = 0;             // of date_forms()
    std::string text;                 // "Tue 3rd of Mar. 1998"
    std::string answer;               // "1998-03-03"
    std::array<Span, 3> fields = {};  // of `text`: where year, month and day are written, by DatePart
};

// The forms, as strftime writes them (%o is ours: 1st, 2nd, 3rd …; %n is the month without a 0).
[[nodiscard]] std::span<const char* const> date_forms();

// The field of the year is its two or four digits; of the month its name or its digits; of the day its digits, with the two
// letters of "3rd". Points, commas and spaces belong to no field.
[[nodiscard]] WrittenDate write_date(const Date& date, std::size_t form);

// The part of the date that digit `i` of the answer belongs to: "1998-03-03" has the year in 0 … 3, the month in 5 and 6, the
// day in 8 and 9. Not for the hyphens.
[[nodiscard]] DatePart part_of_digit(std::size_t i);
inline constexpr std::array<std::size_t, 8> answer_digits = {0, 1, 2, 3, 5, 6, 8, 9};

struct WrittenDates {
    std::vector<WrittenDate> training;
    std::vector<WrittenDate> held_out;  // dates that `training` has in no form
};

// The source is the text, the input the start and the answer but for its last character; the targets are the answer.
[[nodiscard]] Example example_of(const WrittenDate& date);

// As many for training, and as many held out, drawn with this seed: any date, in any form. A tenth of all dates is held out.
[[nodiscard]] WrittenDates written_dates(std::size_t training, std::size_t held_out, std::uint64_t seed);

}  // namespace tfs
