// tests/11_generation/allowed_text_test.cpp · step allowed_text: dates and their beginnings; lines of all lengths; walks
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "chapters/11_generation/generation.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

using Strings = std::vector<std::string>;

// A text in quotes, with \n for a new line.
std::string in_quotes(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += c == '\n' ? std::string("\\n") : std::string(1, c);
    return result + '"';
}

// A rule of the step, and what it must say.
struct RuleOfTexts {
    MayFollow rule, right;
};

// What it says about each of `nexts` after each of these texts. A failure tells the first that is wrong.
testing::AssertionResult right_after(const RuleOfTexts& of, const Strings& texts, const Strings& nexts) {
    constexpr std::size_t most = 40;
    Strings wrong;
    std::size_t count = 0;
    for (const std::string& written : texts)
        for (const std::string& next : nexts) {
            const bool allowed = of.rule(written, next);
            if (allowed == of.right(written, next) || ++count > most) continue;
            wrong.push_back(fmt::format("after {} {} is {}, and must {}be", in_quotes(written),
                                        next.empty() ? "the end" : in_quotes(next),
                                        allowed ? "allowed" : "not allowed", allowed ? "not " : ""));
        }
    if (wrong.empty()) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << wrong[0] << fmt::format(" ({} of {} answers are wrong)", count, texts.size() * nexts.size())
           << came(fmt::format("{}: {}", count, fmt::join(wrong, "; ")));
}

// A text of at most `length` characters, each drawn from those of `nexts` that the rule allows. Behind it stands "<end>" where that
// was drawn, and "<stuck>" where nothing may follow.
std::string random_walk(const MayFollow& rule, const Strings& nexts, std::size_t length, Rng& rng) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) {
        Strings allowed;
        std::copy_if(nexts.begin(), nexts.end(), std::back_inserter(allowed),
                     [&](const std::string& next) { return rule(text, next); });
        if (allowed.empty()) return text + "<stuck>";
        const std::string& next = allowed[rng.below(allowed.size())];
        if (next.empty()) return text + "<end>";
        text += next;
    }
    return text;
}

// --- dates

// Every date of these years, and everything that one begins with, in order: by the calendar of the standard library, day by day.
Strings beginnings_by_calendar(const std::vector<int>& years) {
    using namespace std::chrono;
    Strings found{""};
    std::string before;
    for (const int one : years)
        for (sys_days day = year(one) / January / 1; day < sys_days(year(one + 1) / January / 1);
             day += days(1)) {
            const year_month_day date(day);
            const std::string text = fmt::format("{}-{:02}-{:02}", one, static_cast<unsigned>(date.month()),
                                                 static_cast<unsigned>(date.day()));
            // Those that the day before has as well are there already.
            for (std::size_t length = 1; length <= text.size(); ++length)
                if (text.compare(0, length, before, 0, length) != 0) found.push_back(text.substr(0, length));
            before = text;
        }
    return found;
}

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

const RuleOfTexts rule_of_dates{date_may_go_on, reference_date};
const Strings digits_dash_end{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "-", ""};

Strings all_beginnings(const std::string& text) {
    Strings found;
    for (std::size_t length = 0; length <= text.size(); ++length) found.push_back(text.substr(0, length));
    return found;
}

// No year of 1950 … 2049 shows the rule of 100: 1900 and 2100 are none of them, and 2000 is a leap year.
TEST(allowed_text, the_29th_of_february_in_leap_years_only) {
    Strings februaries;
    for (int year = 1950; year < 2050; ++year) februaries.push_back(fmt::format("{}-02-2", year));
    EXPECT_TRUE(right_after(rule_of_dates, februaries, {"8", "9"}));
    EXPECT_TRUE(right_after(rule_of_dates, {"1998-02-", "2000-02-", "1996-02-"}, {"3"}));
}

TEST(allowed_text, years_from_1950_to_2049) {
    EXPECT_TRUE(
        right_after(rule_of_dates, {"", "1", "2", "19", "20", "195", "199", "200", "204"}, digits_dash_end));
    Strings years;
    for (int year = 1950; year < 2050; ++year) years.push_back(fmt::format("{}", year));
    EXPECT_TRUE(right_after(rule_of_dates, years, {"-", "0", ""}));
}

TEST(allowed_text, a_date_ends_when_it_is_whole_and_then_nothing_else_follows) {
    EXPECT_TRUE(right_after(rule_of_dates, all_beginnings("2024-02-29"), {""}));
    EXPECT_TRUE(right_after(rule_of_dates, {"2024-02-29"}, {"", "0", "9", "-", " ", "T", "\n"}));
}

TEST(allowed_text, no_other_character_stands_in_a_date) {
    Strings ascii;
    for (int code = 1; code < 128; ++code) ascii.emplace_back(1, static_cast<char>(code));
    EXPECT_TRUE(right_after(rule_of_dates, {"", "1987", "1987-1", "1987-11-30"}, ascii));
    EXPECT_TRUE(right_after(rule_of_dates, all_beginnings("1987-11-30"), {" ", "\n", "+", "/", ":", "a"}));
    EXPECT_TRUE(right_after(rule_of_dates, {"1987-"}, {"é", "１", "–", "٣"}));
}

TEST(allowed_text, random_dates_never_get_stuck) {
    Rng rng(7);
    Strings no_dates;
    for (int i = 0; i < 8; ++i) {
        const std::string text = random_walk(date_may_go_on, digits_dash_end, 20, rng);
        if (!text.ends_with("<end>") || !reference_date(text.substr(0, text.size() - 5), ""))
            no_dates.push_back(text);
    }
    EXPECT_EQ(no_dates, Strings{}) << "each text must be a date from 1950 to 2049, and end then";
}

// In a leap year and another. A rule may look through all 36,525 dates for each answer, so few are asked for.
TEST(allowed_text, what_may_follow_each_beginning_of_a_date) {
    Strings begun, whole;
    for (const std::string& written : beginnings_by_calendar({1999, 2000}))
        if (written.size() < 10)
            begun.push_back(written);
        else if (written.ends_with("01") || written.substr(8) > "27")
            whole.push_back(written);
    EXPECT_TRUE(right_after(rule_of_dates, begun, digits_dash_end));
    EXPECT_TRUE(right_after(rule_of_dates, whole, {"", "0", "-"}));
}

// --- lines

// By the lines of the whole text: they are right, and the last one can still become so.
bool reference_line(std::string_view written, std::string_view next) {
    if (next.empty()) return true;
    // Bytes that begin a character.
    const auto characters = [](std::string_view line) {
        return std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    };
    std::string text = std::string(written) + std::string(next);
    for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
        const std::string line = text.substr(0, end);
        if (!line.ends_with(' ') || characters(line) > 40) return false;
    }
    return characters(text) < 40 || (characters(text) == 40 && text.ends_with(' '));
}

const RuleOfTexts rule_of_lines{line_may_go_on, reference_line};
const Strings all_kinds{"a", " ", "\n", "é", "€", "-", "\t", ""};

// Behind `earlier` so many of these characters, and the same with a space behind them.
Strings of_lengths(const std::vector<std::size_t>& lengths, const std::string& pattern,
                   const Strings& earlier) {
    Strings texts;
    for (const std::string& before : earlier)
        for (const std::size_t length : lengths) {
            std::string text = before;
            for (std::size_t i = 0; i < length; ++i) text += pattern;
            texts.push_back(text);
            texts.push_back(text + " ");
        }
    return texts;
}

TEST(allowed_text, a_line_has_40_characters_at_most_and_the_last_one_is_a_space) {
    std::vector<std::size_t> all(40);
    std::iota(all.begin(), all.end(), std::size_t{0});
    EXPECT_TRUE(right_after(rule_of_lines, of_lengths(all, "a", {""}), all_kinds));
}

TEST(allowed_text, a_new_line_follows_a_space_only) {
    EXPECT_TRUE(right_after(rule_of_lines,
                            {"", "a", "a ", "a b", "a b ", " ", "  ", "-", "a \n", "a \n ", " \n \n", "a\t"},
                            {"\n"}));
}

TEST(allowed_text, each_line_is_counted_by_itself) {
    const std::string full = std::string(39, 'a') + " \n";
    const Strings earlier{"a \n", full, full + full, "a b \n \n", full + "a \n"};
    EXPECT_TRUE(
        right_after(rule_of_lines, of_lengths({0, 1, 2, 20, 36, 37, 38, 39}, "a", earlier), all_kinds));
}

TEST(allowed_text, a_character_of_several_bytes_is_one) {
    // With 9, 10, 12, 13, 19 and 20 of them a line has about 40 bytes, with the others about 40 characters.
    const std::vector<std::size_t> lengths{0, 1, 9, 10, 12, 13, 19, 20, 37, 38, 39};
    for (const std::string one : {"é", "€", "😀"})
        EXPECT_TRUE(right_after(rule_of_lines, of_lengths(lengths, one, {"", "é \n"}), all_kinds));
    EXPECT_TRUE(
        right_after(rule_of_lines, of_lengths({0, 1, 12, 13, 18, 19}, "aé", {"", "é \n"}), all_kinds));
}

TEST(allowed_text, a_text_of_lines_may_end_anywhere) {
    const std::string most(39, 'a');
    EXPECT_TRUE(
        right_after(rule_of_lines, {"", "a", "a ", "a \n", "a \nb", "é", "a \n \n", most, most + " "}, {""}));
}

TEST(allowed_text, random_lines_never_get_stuck) {
    Rng rng(8);
    Strings no_lines;
    // In the second one spaces are rare, so that long lines come.
    for (const Strings& alphabet :
         {Strings{"a", " ", "\n", "é"}, Strings{"a", "b", "c", "d", "e", "f", "é", " ", "\n"}})
        for (int i = 0; i < 3; ++i) {
            const std::string text = random_walk(line_may_go_on, alphabet, 90, rng);
            if (text.ends_with("<stuck>") || !reference_line("", text)) no_lines.push_back(in_quotes(text));
        }
    EXPECT_EQ(no_lines.size(), 0u) << "each line must have 40 characters at most, the last one a space: "
                                   << fmt::format("{}", fmt::join(no_lines, "; "));
}

// --- as a rule for a model

TEST(allowed_text, as_a_rule_it_leaves_only_the_digits_that_may_come) {
    Strings tokens = digits_dash_end;
    tokens.back() = "<end>";
    const Tokenizer tokenizer(Cut::characters, tokens, {.end = 11});
    const LogitsRule rule = only_where(tokenizer, date_may_go_on, 11, 2);
    const auto left = [&](const TokenIds& text) {
        std::vector<float> logits(12, 1.0f);
        rule(text, logits);
        std::string kept;
        for (std::size_t i = 0; i < 12; ++i)
            if (logits[i] != -infinity) kept += tokens[i];
        return kept;
    };
    EXPECT_EQ(left({3, 10}), "12") << "the prompt does not count";
    EXPECT_EQ(left({3, 10, 1, 9, 9, 8, 10, 1}), "012");
    EXPECT_EQ(left({3, 10, 1, 9, 9, 8, 10, 0, 2, 10}), "012");
    EXPECT_EQ(left({3, 10, 1, 9, 9, 8, 10, 0, 2, 10, 2, 8}), "<end>");
}

}  // namespace
}  // namespace tfs::test
