// chapters/10_training/models/dates.cpp · dates, and the forms that people write them in
#include "chapters/10_training/models/dates.hpp"

#include <fmt/format.h>

#include <chrono>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "common/base/errors.hpp"

namespace tfs {

namespace {

constexpr std::size_t first_year = 1950, years = 100;

constexpr std::array<const char*, 14> forms = {
    "%e %B %Y",              // 3 March 1998
    "%B %e, %Y",             // March 3, 1998
    "%o of %B %Y",           // 3rd of March 1998
    "%B %o, %Y",             // March 3rd, 1998
    "%a %o of %b. %Y",       // Tue 3rd of Mar. 1998
    "%A, %e %B %Y",          // Tuesday, 3 March 1998
    "%e %b %Y",              // 3 Mar 1998
    "%b %e '%y",             // Mar 3 '98
    "%d-%b-%y",              // 03-Mar-98
    "%Y, %B %e",             // 1998, March 3
    "%Y/%m/%d",              // 1998/03/03
    "%e.%n.%Y",              // 3.3.1998
    "%d/%m/%y day first",    // 03/03/98 day first
    "%m/%d/%y month first",  // 03/03/98 month first
};

constexpr std::array<const char*, 12> months = {"January",   "February", "March",    "April",
                                                "May",       "June",     "July",     "August",
                                                "September", "October",  "November", "December"};
constexpr std::array<const char*, 7> weekdays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                 "Thursday", "Friday", "Saturday"};

std::chrono::year_month_day calendar_of(const Date& date) {
    return {std::chrono::year(static_cast<int>(date.year)),
            std::chrono::month(static_cast<unsigned>(date.month)),
            std::chrono::day(static_cast<unsigned>(date.day))};
}

std::string ordinal(std::size_t day) {
    const bool teens = day >= 11 && day <= 13;
    const char* ending = teens           ? "th"
                         : day % 10 == 1 ? "st"
                         : day % 10 == 2 ? "nd"
                         : day % 10 == 3 ? "rd"
                                         : "th";
    return fmt::format("{}{}", day, ending);
}

struct Piece {
    std::string text;
    std::optional<DatePart> part;
};

Piece piece_of(const Date& date, char code) {
    const std::string month = months[date.month - 1],
                      weekday = weekdays[std::chrono::weekday(calendar_of(date)).c_encoding()];
    switch (code) {
        case 'Y':
            return {std::to_string(date.year), year_part};
        case 'y':
            return {fmt::format("{:02}", date.year % 100), year_part};
        case 'B':
            return {month, month_part};
        case 'b':
            return {month.substr(0, 3), month_part};
        case 'm':
            return {fmt::format("{:02}", date.month), month_part};
        case 'n':
            return {std::to_string(date.month), month_part};
        case 'd':
            return {fmt::format("{:02}", date.day), day_part};
        case 'e':
            return {std::to_string(date.day), day_part};
        case 'o':
            return {ordinal(date.day), day_part};
        case 'A':
            return {weekday, std::nullopt};
        default:
            return {weekday.substr(0, 3), std::nullopt};  // %a
    }
}

// The same dates for every seed: else a date could be learned in one run and asked in another one of the same weights.
bool is_held_out_date(const Date& date) {
    return splitmix64(date.year, 32 * date.month + date.day) % 10 == 0;
}

WrittenDate draw_date(bool held_out, Rng& rng) {
    Date date;
    do {
        date = {first_year + rng.below(years), 1 + rng.below(12), 1 + rng.below(31)};
    } while (!calendar_of(date).ok() || is_held_out_date(date) != held_out);
    return write_date(date, rng.below(forms.size()));
}

}  // namespace

std::span<const char* const> date_forms() { return forms; }

WrittenDate write_date(const Date& date, std::size_t form) {
    if (form >= forms.size())
        throw ValueError(fmt::format("write_date: there is no form {} of {}", form, forms.size()));
    WrittenDate written{date, form, "", fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day)};
    for (const char* at = forms[form]; *at != '\0'; ++at) {
        const Piece piece = *at == '%' ? piece_of(date, *++at) : Piece{std::string(1, *at), std::nullopt};
        if (piece.part)
            written.fields[*piece.part] = {written.text.size(), written.text.size() + piece.text.size()};
        written.text += piece.text;
    }
    return written;
}

DatePart part_of_digit(std::size_t i) { return i < 4 ? year_part : i < 7 ? month_part : day_part; }

Example example_of(const WrittenDate& date) {
    const ModelKind& kind = date_kind();
    const Ids source = kind.tokenizer.encode(date.text, kind.otherwise.max_len),
              answer = kind.tokenizer.encode(date.answer);
    Example example{{date_start}, {answer.begin(), answer.end()}, {source.begin(), source.end()}};
    example.input.insert(example.input.end(), answer.begin(), answer.end() - 1);
    return example;
}

WrittenDates written_dates(std::size_t training, std::size_t held_out, std::uint64_t seed) {
    Rng to_learn(splitmix64(seed, 0)),
        to_ask(splitmix64(seed, 1));  // neither number changes the other's dates
    WrittenDates all;
    for (std::size_t i = 0; i < training; ++i) all.training.push_back(draw_date(false, to_learn));
    for (std::size_t i = 0; i < held_out; ++i) all.held_out.push_back(draw_date(true, to_ask));
    return all;
}

}  // namespace tfs
