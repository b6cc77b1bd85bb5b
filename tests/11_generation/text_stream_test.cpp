// tests/11_generation/text_stream_test.cpp · what of a text may be shown: whole characters, and nothing of a stop text
#include "chapters/11_generation/given/text_stream.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tfs::test {
namespace {

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
