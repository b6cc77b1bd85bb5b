// tests/11_generation/allowed_text_test.cpp · step allowed_text: dates and their beginnings; lines of all lengths
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "chapters/11_generation/generation.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

using Strings = std::vector<std::string>;

// What a rule of the step says about each of `nexts` after each of these texts. A failure tells the first that is wrong.
testing::AssertionResult right_after(const MayFollow& rule, const MayFollow& right, const Strings& texts,
                                     const Strings& nexts) {
    Strings wrong;
    for (const std::string& written : texts)
        for (const std::string& next : nexts)
            if (const bool must = right(written, next); rule(written, next) != must)
                wrong.push_back(fmt::format("after {:?} {} must {}be allowed", written,
                                            next.empty() ? "the end" : fmt::format("{:?}", next),
                                            must ? "" : "not "));
    if (wrong.empty()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << fmt::format("{} ({} of {} answers are wrong)", wrong[0],
                                                      wrong.size(), texts.size() * nexts.size())
                                       << came(fmt::format("{}", fmt::join(wrong, "\n")));
}

// --- dates

// A text that begins a date is one when it is filled up with the end of one of these: behind a day's 3 comes 1 or 0.
bool reference_date(std::string_view written, std::string_view next) {
    const std::string text = std::string(written) + std::string(next);
    if (text.size() > 10 || (next.empty() && text.size() != 10)) return false;
    for (const std::string filler : {"1960-01-01", "2000-10-10"}) {
        const std::string whole = text + filler.substr(text.size());
        bool digits = true;
        for (std::size_t i = 0; i < 10; ++i)
            digits = digits && (i == 4 || i == 7 ? whole[i] == '-' : '0' <= whole[i] && whole[i] <= '9');
        if (!digits) return false;
        const int year = std::stoi(whole);
        const auto month = static_cast<unsigned>(std::stoul(whole.substr(5, 2))),
                   day = static_cast<unsigned>(std::stoul(whole.substr(8)));
        const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                               std::chrono::day(day)};
        if (date.ok() && 1950 <= year && year <= 2049) return true;
    }
    return false;
}

testing::AssertionResult dates_are_right(const Strings& texts, const Strings& nexts) {
    return right_after(date_may_go_on, reference_date, texts, nexts);
}

const Strings digits_dash_end{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "-", ""};

// These, and all that a date may begin with behind one of them.
Strings with_what_follows(Strings texts) {
    for (std::size_t i = 0; i < texts.size(); ++i)
        for (const std::string& next : digits_dash_end)
            if (!next.empty() && reference_date(texts[i], next)) texts.push_back(texts[i] + next);
    return texts;
}

Strings years_with(const std::string& behind, int first = 1950, int last = 2049) {
    Strings texts;
    for (int year = first; year <= last; ++year) texts.push_back(std::to_string(year) + behind);
    return texts;
}

// No year of 1950 … 2049 shows the rule of 100: 1900 and 2100 are none of them, and 2000 is a leap year.
TEST(allowed_text, the_29th_of_february_in_leap_years_only) {
    EXPECT_TRUE(dates_are_right(years_with("-02-2", 1950, 1961), {"9", "8"}));
    EXPECT_TRUE(dates_are_right(years_with("-02-2", 1995, 2006), {"9", "8"}));
    EXPECT_TRUE(dates_are_right(years_with("-02-2", 2040), {"9", "8"}));
    EXPECT_TRUE(dates_are_right({"1998-02-", "2000-02-", "1996-02-"}, {"3"}));
}

TEST(allowed_text, years_from_1950_to_2049) {
    EXPECT_TRUE(dates_are_right({"", "1", "2", "19", "20", "195", "199", "200", "204"}, digits_dash_end));
    EXPECT_TRUE(dates_are_right(years_with(""), {"-", "0", ""}));
}

TEST(allowed_text, months_and_days_that_there_are) {
    EXPECT_TRUE(dates_are_right(with_what_follows({"1999-"}), digits_dash_end));
}

TEST(allowed_text, a_date_ends_when_it_is_whole_and_then_nothing_else_follows) {
    EXPECT_TRUE(dates_are_right(
        {"", "2", "20", "202", "2024", "2024-", "2024-0", "2024-02", "2024-02-", "2024-02-2"}, {""}));
    EXPECT_TRUE(dates_are_right({"2024-02-29"}, {"", "0", "9", "-", " ", "T", "\n"}));
}

TEST(allowed_text, no_other_character_stands_in_a_date) {
    EXPECT_TRUE(dates_are_right({"", "1987", "1987-", "1987-1", "1987-11-", "1987-11-30"},
                                {" ", "\n", "+", "/", ".", ":", "a", "é", "１", "–", "٣"}));
}

// --- lines

// By the lines of the whole text: they are right, and the last one can still become so.
bool reference_line(std::string_view written, std::string_view next) {
    if (next.empty()) return true;
    const auto characters = [](std::string_view line) {  // by the bytes that begin one
        return std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    };
    std::string text = std::string(written) + std::string(next);
    for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
        const std::string line = text.substr(0, end);
        if (!line.ends_with(' ') || characters(line) > 40) return false;
    }
    return characters(text) < 40 || (characters(text) == 40 && text.ends_with(' '));
}

testing::AssertionResult lines_are_right(const Strings& texts, const Strings& nexts) {
    return right_after(line_may_go_on, reference_line, texts, nexts);
}

const Strings all_kinds{"a", " ", "\n", "é", "\t", ""};

// Behind `earlier` so many of this character, and the same with a space behind them.
Strings of_lengths(const std::vector<std::size_t>& lengths, const std::string& one,
                   const std::string& earlier = "") {
    Strings texts;
    for (const std::size_t length : lengths) {
        std::string text = earlier;
        for (std::size_t i = 0; i < length; ++i) text += one;
        texts.insert(texts.end(), {text, text + " "});
    }
    return texts;
}

TEST(allowed_text, a_line_has_40_characters_at_most_and_the_last_one_is_a_space) {
    EXPECT_TRUE(lines_are_right(of_lengths({0, 1, 2, 20, 36, 37, 38, 39}, "a"), all_kinds));
}

TEST(allowed_text, a_new_line_follows_a_space_only) {
    EXPECT_TRUE(lines_are_right(
        {"", "a", "a ", "a b", "a b ", " ", "  ", "-", "a \n", "a \n ", " \n \n", "a\t"}, {"\n"}));
}

TEST(allowed_text, each_line_is_counted_by_itself) {
    const std::string full = std::string(39, 'a') + " \n";
    for (const std::string& earlier : {full, full + "a \n", "a b \n \n" + full})
        EXPECT_TRUE(lines_are_right(of_lengths({0, 1, 20, 37, 38, 39}, "a", earlier), all_kinds));
}

// With 9, 12 and 19 of them a line has about 40 bytes.
TEST(allowed_text, a_character_of_several_bytes_is_one) {
    for (const std::string one : {"é", "€", "😀"})
        EXPECT_TRUE(lines_are_right(of_lengths({1, 9, 12, 19, 38, 39}, one, "é \n"), all_kinds));
    EXPECT_TRUE(lines_are_right(of_lengths({12, 13, 18, 19}, "aé"), all_kinds));
}

TEST(allowed_text, a_text_of_lines_may_end_anywhere) {
    EXPECT_TRUE(lines_are_right({"", "a", "a ", "a \n", "a \nb", "é", std::string(39, 'a')}, {""}));
}

}  // namespace
}  // namespace tfs::test
