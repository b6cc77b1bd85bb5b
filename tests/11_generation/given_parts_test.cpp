// tests/11_generation/given_parts_test.cpp · what is allowed as a rule for logits; what of a text may be shown
#include <gtest/gtest.h>

#include "chapters/11_generation/generation.hpp"
#include "chapters/11_generation/given/generation.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

// --- only_where

const Tokenizer letters(Cut::characters, {"a", "b", "é", "<end>"}, {.end = 3});

// No letter twice in a row; and no text of an odd length ends.
bool no_letter_twice(std::string_view written, std::string_view next) {
    if (next.empty()) return written.size() % 2 == 0;
    return !written.ends_with(next);
}

std::vector<float> left_by(const LogitsRule& rule, const TokenIds& text) {
    std::vector<float> logits{1, 2, 3, 4};
    rule(text, logits);
    return logits;
}

TEST(only_where, forbids_what_may_not_follow) {
    const LogitsRule rule = only_where(letters, no_letter_twice, 3, 0);
    EXPECT_EQ(left_by(rule, {}), (std::vector<float>{1, 2, 3, 4})) << "logits that may stay are not changed";
    EXPECT_EQ(left_by(rule, {0}), (std::vector<float>{-infinity, 2, 3, -infinity}));
    EXPECT_EQ(left_by(rule, {0, 1}), (std::vector<float>{1, -infinity, 3, 4}));
    EXPECT_EQ(left_by(rule, {1, 2}), (std::vector<float>{1, 2, -infinity, -infinity})) << "é has two bytes";
}

TEST(only_where, leaves_out_the_prompt) {
    const LogitsRule rule = only_where(letters, no_letter_twice, 3, 2);
    EXPECT_EQ(left_by(rule, {0, 0}), (std::vector<float>{1, 2, 3, 4})) << "nothing is written yet";
    EXPECT_EQ(left_by(rule, {0, 0, 1}), (std::vector<float>{1, -infinity, 3, -infinity}));
}

// Without end_id every token is asked as it is called.
TEST(only_where, takes_no_token_for_the_end_where_there_is_none) {
    std::vector<std::string> asked;
    const MayFollow note = [&](std::string_view, std::string_view next) {
        asked.emplace_back(next);
        return true;
    };
    (void)left_by(only_where(letters, note, std::nullopt, 0), {0});
    EXPECT_EQ(asked, (std::vector<std::string>{"a", "b", "é", "<end>"}));
    asked.clear();
    (void)left_by(only_where(letters, note, 3, 0), {0});
    EXPECT_EQ(asked, (std::vector<std::string>{"a", "b", "é", ""}));
}

TEST(only_where, keeps_what_others_have_forbidden) {
    std::vector<float> logits{-infinity, 2, 3, 4};
    only_where(
        letters, [](auto, auto) { return true; }, 3, 0)(TokenIds{0}, logits);
    EXPECT_EQ(logits, (std::vector<float>{-infinity, 2, 3, 4}));
}

// --- whole characters, and nothing of a stop text

// What is shown of these pieces, one after the other, with | between them.
std::string shown(const std::vector<std::string>& pieces, const std::string& stop = {}) {
    TextStream stream(stop);
    std::string all;
    for (const std::string& piece : pieces) all += stream.add(piece) + "|";
    return all + (stream.stopped() ? "stopped" : stream.rest());
}

TEST(text_stream, shows_whole_characters) {
    EXPECT_EQ(shown({"a", "\xc3", "\xa9", "b"}), "a||é|b|");
    EXPECT_EQ(shown({"\xf0\x9f", "\x98", "\x80!"}), "||😀!|");
    EXPECT_EQ(shown({"x\xe2\x82"}), "x|\xe2\x82") << "what is never completed comes at the end";
    EXPECT_EQ(shown({"a", "b"}), "a|b|");
}

TEST(text_stream, ends_at_the_stop_text_however_it_is_cut) {
    EXPECT_EQ(shown({"one. ", "two"}, ". "), "one||stopped");
    EXPECT_EQ(shown({"one.", " two"}, ". "), "one||stopped");
    EXPECT_EQ(shown({"a", "b", "c", "d"}, "bc"), "a||||stopped");
    EXPECT_EQ(shown({"ab", "ac"}, "abc"), "|abac|") << "what did not become the stop text is shown";
    EXPECT_EQ(shown({"aaab"}, "aab"), "a|stopped");
    EXPECT_EQ(shown({"ab"}, "abc"), "|ab") << "the text ends before";
    EXPECT_EQ(shown({"x", "y", "z"}, "y"), "x|||stopped") << "nothing is shown after it";
}

}  // namespace
}  // namespace tfs::test
