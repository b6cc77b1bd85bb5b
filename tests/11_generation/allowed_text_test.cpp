// tests/11_generation/allowed_text_test.cpp · step allowed_text: every date and every beginning of one; lines of all lengths; walks
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/11_generation/checklist.hpp"
#include "tests/11_generation/text_rules.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

// --- dates

const std::vector<std::string> digits_dash_end{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "-", ""};

// The rule is right about all of these after this text.
testing::AssertionResult date_is_right_after(const std::string& written,
                                             const std::vector<std::string>& nexts = digits_dash_end) {
    static const MayFollow rule = date_may_go_on, right = date_goes_on;
    const std::string wrong = wrong_after(rule, right, written, nexts);
    if (wrong.empty()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << wrong << cause_of_dates(date_may_go_on);
}

// No year of 1950 … 2049 shows the rule of 100: 1900 and 2100 are none of them, and 2000 is a leap year.
TEST(allowed_text, the_29th_of_february_in_leap_years_only) {
    for (int year = 1950; year < 2050; ++year)
        ASSERT_TRUE(date_is_right_after(fmt::format("{}-02-2", year), {"8", "9"}));
    for (const std::string year : {"1998", "2000", "1996"})
        ASSERT_TRUE(date_is_right_after(year + "-02-", {"3"}));
}

TEST(allowed_text, years_from_1950_to_2049) {
    for (const std::string written : {"", "1", "2", "19", "20", "195", "199", "200", "204"})
        ASSERT_TRUE(date_is_right_after(written));
}

TEST(allowed_text, a_date_ends_when_it_is_whole_and_then_nothing_else_follows) {
    const std::string date = "2024-02-29";
    for (std::size_t length = 0; length <= date.size(); ++length)
        ASSERT_TRUE(date_is_right_after(date.substr(0, length), {""}));
    ASSERT_TRUE(date_is_right_after(date, {"", "0", "9", "-", " ", "T", "\n"}));
}

TEST(allowed_text, no_other_character_stands_in_a_date) {
    const std::string date = "1987-11-30";
    for (std::size_t length = 0; length <= date.size(); ++length)
        for (int code = 1; code < 128; ++code)
            ASSERT_TRUE(
                date_is_right_after(date.substr(0, length), {std::string(1, static_cast<char>(code))}));
    for (const std::string other : {"é", "１", "–", "٣"}) ASSERT_TRUE(date_is_right_after("1987-", {other}));
}

TEST(allowed_text, random_dates_never_get_stuck) {
    Rng rng(7);
    for (int i = 0; i < 300; ++i) {
        const Walk walk = random_walk(date_may_go_on, digits_dash_end, 20, rng);
        ASSERT_FALSE(walk.stuck) << "after " << quoted(walk.text) << " nothing may follow, and no end"
                                 << cause_of_dates(date_may_go_on);
        ASSERT_TRUE(walk.ended && date_goes_on(walk.text, ""))
            << quoted(walk.text) << " is no date from 1950 to 2049" << cause_of_dates(date_may_go_on);
    }
}

// 36,525 dates and some 10,000 beginnings: all that a rule without dead ends lets come.
TEST(allowed_text, what_may_follow_each_beginning_of_a_date) {
    // One assertion: each is kept in a record.
    testing::AssertionResult all = testing::AssertionSuccess();
    for (const std::string& written : beginnings_by_calendar())
        if (all)
            all = written.size() < 10 ? date_is_right_after(written)
                                      : date_is_right_after(written, {"", "0", "-"});
    EXPECT_TRUE(all);
}

// --- lines

const std::vector<std::string> small_alphabet{"a", " ", "\n", "é"},
    all_kinds{"a", " ", "\n", "é", "€", "-", "\t", ""};

std::string repeated(const std::string& pattern, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += pattern;
    return text;
}

testing::AssertionResult line_is_right_after(const std::string& written,
                                             const std::vector<std::string>& nexts = all_kinds) {
    static const MayFollow rule = line_may_go_on, right = line_goes_on;
    const std::string wrong = wrong_after(rule, right, written, nexts);
    if (wrong.empty()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << wrong << cause_of_lines(line_may_go_on);
}

TEST(allowed_text, a_line_has_40_characters_at_most_and_the_last_one_is_a_space) {
    for (std::size_t length = 0; length < 40; ++length)
        ASSERT_TRUE(line_is_right_after(std::string(length, 'a'))) << length << " letters";
    for (std::size_t length = 1; length <= 40; ++length)
        ASSERT_TRUE(line_is_right_after(std::string(length - 1, 'a') + " "))
            << length - 1 << " letters and a space";
}

TEST(allowed_text, a_new_line_follows_a_space_only) {
    for (const std::string written :
         {"", "a", "a ", "a b", "a b ", " ", "  ", "-", "a \n", "a \n ", " \n \n", "a\t"})
        ASSERT_TRUE(line_is_right_after(written, {"\n"}));
}

TEST(allowed_text, each_line_is_counted_by_itself) {
    const std::string full = std::string(39, 'a') + " \n";
    for (const std::string& earlier :
         {std::string("a \n"), full, full + full, std::string("a b \n \n"), full + "a \n"})
        for (std::size_t length = 0; length < 40; ++length) {
            const std::string most(length, 'a');
            ASSERT_TRUE(line_is_right_after(earlier + most));
            ASSERT_TRUE(line_is_right_after(earlier + most + " "));
        }
}

TEST(allowed_text, a_character_of_several_bytes_is_one) {
    for (const std::string one : {"é", "€", "😀", "aé"})
        for (std::size_t length = 0; length < (one == "aé" ? 20 : 40); ++length) {
            ASSERT_TRUE(line_is_right_after(repeated(one, length)));
            ASSERT_TRUE(line_is_right_after("é \n" + repeated(one, length)));
        }
    for (const std::string earlier : {"", "é \n"})
        ASSERT_TRUE(line_is_right_after(earlier + repeated("é", 39) + " "));
}

TEST(allowed_text, a_text_of_lines_may_end_anywhere) {
    for (const std::string written : {"", "a", "a ", "a \n", "a \nb", "é", "a \n \n"})
        ASSERT_TRUE(line_is_right_after(written, {""}));
    ASSERT_TRUE(line_is_right_after(std::string(39, 'a'), {""}));
    ASSERT_TRUE(line_is_right_after(std::string(39, 'a') + " ", {""}));
}

TEST(allowed_text, random_lines_never_get_stuck) {
    Rng rng(8);
    // In the second one spaces are rare, so that long lines come.
    const std::vector<std::vector<std::string>> alphabets{small_alphabet,
                                                          {"a", "b", "c", "d", "e", "f", "é", " ", "\n"}};
    for (const auto& alphabet : alphabets)
        for (int i = 0; i < 8; ++i) {
            const Walk walk = random_walk(line_may_go_on, alphabet, 130, rng);
            ASSERT_FALSE(walk.stuck) << "after " << quoted(walk.text) << " nothing may follow"
                                     << cause_of_lines(line_may_go_on);
            ASSERT_TRUE(line_goes_on("", walk.text))
                << quoted(walk.text) << ": a line is longer than 40 characters, or does not end with a space"
                << cause_of_lines(line_may_go_on);
        }
}

// --- as a rule for a model

TEST(allowed_text, as_a_rule_it_leaves_only_the_digits_that_may_come) {
    std::vector<std::string> tokens = digits_dash_end;
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
