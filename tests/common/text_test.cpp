// tests/common/text_test.cpp · widths, padding and words, in English and Korean
#include "common/text.hpp"
#include "tests/support/refusal.hpp"

namespace tfs {
namespace {

using test::refuses;
using Words = std::vector<std::string>;

TEST(display_width, counts_columns) {
    EXPECT_EQ(display_width(""), 0U);
    EXPECT_EQ(display_width("cat"), 3U);
    EXPECT_EQ(display_width("고양이"), 6U);
    EXPECT_EQ(display_width("漢字かな"), 8U);
    EXPECT_EQ(display_width("Ａ１"), 4U);                // fullwidth
    EXPECT_EQ(display_width("e\u0301"), 1U);             // e and a combining accent
    EXPECT_EQ(display_width("\u1112\u1161\u11ab"), 2U);  // 한, decomposed
    EXPECT_EQ(display_width("·…é"), 3U);
    EXPECT_EQ(display_width("🙂"), 2U);
    EXPECT_EQ(display_width("a\xff"), 2U);
}

TEST(pad, fills_by_display_width) {
    EXPECT_EQ(pad("고양", 6), "고양  ");
    EXPECT_EQ(pad("고양", 6, Align::right), "  고양");
    EXPECT_EQ(pad("longer", 3), "longer");
}

TEST(truncate, never_cuts_a_character) {
    EXPECT_EQ(truncate("because", 7), "because");
    EXPECT_EQ(truncate("because", 5), "beca…");
    EXPECT_EQ(truncate("고양이가", 6), "고양…");
    EXPECT_EQ(truncate("because", 5, "~"), "beca~");
    EXPECT_EQ(truncate("because", 0), "");
    for (std::size_t width = 0; width < 12; ++width) {
        EXPECT_LE(display_width(truncate("a고b양c이", width)), width);
        EXPECT_NO_THROW(require_utf8(truncate("a고b양c이", width)));
    }
}

TEST(wrap, breaks_at_spaces) {
    EXPECT_EQ(wrap("a bb ccc dddd", 6), (Words{"a bb", "ccc", "dddd"}));
    EXPECT_EQ(wrap("toolongword a", 4), (Words{"toolongword", "a"}));
    EXPECT_EQ(wrap("", 4), Words{""});
}

TEST(split_words, keeps_punctuation_apart) {
    EXPECT_EQ(split_words("The cat (it) sat."), (Words{"The", "cat", "(", "it", ")", "sat", "."}));
    EXPECT_EQ(split_words("\"why?\" it's well-known; 3.5!"),
              (Words{"\"", "why", "?", "\"", "it's", "well-known", ";", "3", ".", "5", "!"}));
    EXPECT_EQ(split_words("  a\tb\nc\u3000d\u00a0e "), (Words{"a", "b", "c", "d", "e"}));
}

TEST(split_words, splits_korean) {
    EXPECT_EQ(split_words("고양이가 매트 위에 앉았다, 피곤해서."),
              (Words{"고양이가", "매트", "위에", "앉았다", ",", "피곤해서", "."}));
}

TEST(split_words, refuses_text_without_words) {
    EXPECT_TRUE(refuses<ValueError>([] { split_words(""); }, {"empty"}));
    EXPECT_TRUE(refuses<ValueError>([] { split_words(" \n\t "); }, {"empty"}));
}

TEST(split_words, names_the_position_of_invalid_utf8) {
    EXPECT_TRUE(refuses<ValueError>([] { split_words("ab\xff"); }, {"byte 2", "0xFF"}));
    EXPECT_TRUE(refuses<ValueError>([] { split_words("\xea\xb3"); }, {"byte 0"}));          // cut short
    EXPECT_TRUE(refuses<ValueError>([] { split_words("a\xc0\xaf"); }, {"byte 1"}));         // overlong
    EXPECT_TRUE(refuses<ValueError>([] { split_words("\xed\xa0\x80"); }, {"byte 0"}));      // a surrogate
    EXPECT_TRUE(refuses<ValueError>([] { split_words("\xf4\x90\x80\x80"); }, {"byte 0"}));  // beyond Unicode
    EXPECT_TRUE(refuses<ValueError>([] { split_words("고\x80"); }, {"byte 3"}));
}

TEST(build_vocabulary, numbers_words_by_first_occurrence) {
    const Vocabulary vocabulary = build_vocabulary({"the", "cat", "the", "mat", "cat"});
    EXPECT_EQ(vocabulary.words, (Words{"the", "cat", "mat"}));
    ASSERT_EQ(vocabulary.ids.dimension(), 2U);
    EXPECT_EQ(vocabulary.ids.shape()[0], 1U);
    EXPECT_EQ(std::vector<std::int64_t>(vocabulary.ids.begin(), vocabulary.ids.end()),
              (std::vector<std::int64_t>{0, 1, 0, 2, 1}));
}

TEST(build_vocabulary, refuses_no_tokens) {
    EXPECT_TRUE(refuses<ValueError>([] { build_vocabulary({}); }, {"empty"}));
}

TEST(harmless, shows_what_a_terminal_would_obey) {
    EXPECT_EQ(harmless("\x1b[31mred\x07\x08 \x7f"), "\\x1b[31mred\\x07\\x08 \\x7f");
    EXPECT_EQ(harmless("a\nb\rc\td"), "a\\x0ab\\x0dc    d");
    EXPECT_EQ(harmless("\u009b2J"), "\\xc2\\x9b2J");  // control sequence introducer in one character
    EXPECT_EQ(harmless("\u202Etxt.exe"), "\\xe2\\x80\\xaetxt.exe");  // from right to left
    EXPECT_EQ(harmless("\u2066\u2069\u200f\u2028"),
              "\\xe2\\x81\\xa6\\xe2\\x81\\xa9\\xe2\\x80\\x8f\\xe2\\x80\\xa8");
    EXPECT_EQ(harmless(std::string("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(harmless("a\xff\xea\xb3"), "a\\xff\\xea\\xb3");
}

TEST(harmless, leaves_text_as_it_is) {
    for (const char* text : {"", "the cat \\x1b", "고양이 · 漢字 e\u0301 🙂", "\u200d\u00a0"})
        EXPECT_EQ(harmless(text), text);
}

TEST(to_ascii, leaves_nothing_beyond_ascii) {
    EXPECT_EQ(to_ascii("a · q kᵀ"), "a - q k^T");
    EXPECT_EQ(to_ascii("고양"), "????");  // as wide as before
    EXPECT_EQ(to_ascii("e\u0301 é"), "e ?");
    EXPECT_TRUE(is_ascii(to_ascii("é\xff한")));
}

}  // namespace
}  // namespace tfs
