// tests/common/text_test.cpp · widths, padding, words and tokens, in English and Korean; what the terminal can show
#include "common/text.hpp"

#include "common/terminal/terminal.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

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
    EXPECT_EQ(truncate("be cause", 4), "be…") << "no space before the dots";
    EXPECT_EQ(truncate("because", 0), "");
    for (std::size_t width = 0; width < 12; ++width) {
        EXPECT_LE(display_width(truncate("a고b양c이", width)), width);
        EXPECT_NO_THROW(require_utf8(truncate("a고b양c이", width)));
    }
}

TEST(wrap, breaks_at_spaces) {
    EXPECT_EQ(wrap("a bb ccc dddd", 6), (Tokens{"a bb", "ccc", "dddd"}));
    EXPECT_EQ(wrap("toolongword a", 4), (Tokens{"toolongword", "a"}));
    EXPECT_EQ(wrap("", 4), Tokens{""});
}

TEST(split_words, keeps_punctuation_apart) {
    EXPECT_EQ(split_words("The cat (it) sat."), (Tokens{"The", "cat", "(", "it", ")", "sat", "."}));
    EXPECT_EQ(split_words("\"why?\" it's well-known; 3.5!"),
              (Tokens{"\"", "why", "?", "\"", "it's", "well-known", ";", "3", ".", "5", "!"}));
    EXPECT_EQ(split_words("  a\tb\nc\u3000d\u00a0e "), (Tokens{"a", "b", "c", "d", "e"}));
    EXPECT_EQ(split_words("고양이가 매트 위에 앉았다, 피곤해서."),
              (Tokens{"고양이가", "매트", "위에", "앉았다", ",", "피곤해서", "."}));
}

TEST(split_words, refuses_text_without_words_and_names_the_position_of_invalid_utf8) {
    expect_refused<ValueError>({{[] { split_words(""); }, {"empty"}},
                                {[] { split_words(" \n\t "); }, {"empty"}},
                                {[] { build_vocabulary({}); }, {"empty"}},
                                {[] { split_words("ab\xff"); }, {"byte 2", "0xFF"}},
                                {[] { split_words("\xea\xb3"); }, {"byte 0"}},          // cut short
                                {[] { split_words("a\xc0\xaf"); }, {"byte 1"}},         // overlong
                                {[] { split_words("\xed\xa0\x80"); }, {"byte 0"}},      // a surrogate
                                {[] { split_words("\xf4\x90\x80\x80"); }, {"byte 0"}},  // beyond Unicode
                                {[] { split_words("고\x80"); }, {"byte 3"}}});
}

TEST(build_vocabulary, numbers_words_by_first_occurrence) {
    const Vocabulary vocabulary = build_vocabulary({"the", "cat", "the", "mat", "cat"});
    EXPECT_EQ(vocabulary.words, (Tokens{"the", "cat", "mat"}));
    EXPECT_EQ(vocabulary.ids, (Ids{{0, 1, 0, 2, 1}}));
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

TEST(units, are_the_next_one_where_rounding_would_show_a_whole_one) {
    EXPECT_EQ(with_separators(999), "999");
    EXPECT_EQ(with_separators(109482240), "109,482,240");
    EXPECT_EQ(in_flops(999.4), "999");
    EXPECT_EQ(in_flops(999.6), "1.00 k");
    EXPECT_EQ(in_flops(999'996.0), "1.00 M") << "not 1000.00 k";
    EXPECT_EQ(in_bytes(1023.0), "1023 B");
    EXPECT_EQ(in_bytes(1024.0 * 1024 * 1024 - 1), "1.00 GiB");
}

// ---- tokenizer -----------------------------------------------------------------------------------------------

const Tokenizer words(Cut::words, {"-", "the", "cat", "sat", "."}, {.padding = 0});
const Tokenizer letters(Cut::characters, {"?", " ", "a", "é", "고"}, {.start = 0});

TEST(tokenizer, encodes_words_and_characters_as_one_sequence_and_decodes_them) {
    EXPECT_EQ(words.encode("the cat sat."), (Ids{{1, 2, 3, 4}}));
    EXPECT_EQ(words.encode(Tokens{"cat", "the"}), (Ids{{2, 1}}));
    EXPECT_EQ(letters.encode("é a고"), (Ids{{3, 1, 2, 4}}));
    EXPECT_EQ(words.decode(words.encode("the cat sat.")), "the cat sat .");
    EXPECT_EQ(letters.decode(letters.encode("é a고")), "é a고");
    EXPECT_EQ(letters.decode(std::vector<std::int64_t>{0, 2}), "?a") << "a special token is written, too";
    EXPECT_EQ(letters.decode(std::vector<std::int64_t>{}), "");
    EXPECT_EQ(letters.encode("aaaa", 4).size(), 4U);
    EXPECT_EQ(words.special().padding, 0);
    EXPECT_EQ(letters.special().padding, std::nullopt);
}

TEST(tokenizer, reads_words_in_small_letters_where_it_does_not_know_them_as_they_are) {
    const Tokenizer both(Cut::words, {"us", "US"});
    EXPECT_EQ(words.encode("The CAT"), (Ids{{1, 2}}));
    EXPECT_EQ(both.encode("US us Us"), (Ids{{1, 0, 0}}));
}

TEST(tokenizer, names_all_that_it_does_not_know_once_and_not_endlessly) {
    expect_refused<ValueError>(
        {{[] { (void)words.encode("the zebra sat"); },
          {"does not know the word \"zebra\" (it knows: the cat"}},
         {[] { (void)words.encode("my cat saw my dog"); },
          {"the words \"my\", \"saw\", \"dog\" (it knows: the cat sat .)"}},
         {[] { (void)words.encode("a b c d e f g h i j k l m n o p"); }, {"\"l\", …"}},
         {[] { (void)words.encode("-"); }, {"\"-\""}},  // special: no text has it
         {[] { (void)words.encode(" "); }, {"at least one word"}},
         {[] { (void)words.encode(Tokens{}); }, {"at least one word"}},
         {[] { (void)letters.encode("?"); }, {"\"?\""}},
         {[] { (void)letters.encode("A"); }, {"\"A\""}},  // characters differ
         {[] { (void)letters.encode("aä"); }, {"does not know the character \"ä\""}},
         {[] { (void)letters.encode("xyza"); }, {"the characters \"x\", \"y\", \"z\""}},
         {[] { (void)letters.encode("a\x1b"); }, {"\"\\x1b\""}},
         {[] { (void)letters.encode("a\xff"); }, {"byte 1", "UTF-8"}},
         {[] { (void)letters.encode(""); }, {"at least one character"}},
         {[] { (void)letters.encode("aaaaa", 4); }, {"1 to 4 characters, not 5"}},
         {[] { (void)letters.token(-1); }, {"-1", "5 tokens"}},
         {[] { (void)letters.token(5); }, {"5", "5 tokens"}}});
}

// ---- what the terminal can show -------------------------------------------------------------------------------

TEST(this_terminal, is_ascii_by_flag_on_a_dumb_terminal_and_in_a_locale_without_utf8) {
    const Variable term("TERM", "xterm-256color"), all("LC_ALL", ""), type("LC_CTYPE", "");
    const Variable korean("LANG", "ko_KR.UTF-8");
    EXPECT_TRUE(this_terminal(true).ascii);
    EXPECT_FALSE(this_terminal(false).ascii);
    {
        const Variable stronger("LC_ALL", "C");
        EXPECT_TRUE(this_terminal(false).ascii);
    }
    {
        const Variable utf8("LC_ALL", "en_US.utf8");
        EXPECT_FALSE(this_terminal(false).ascii);
    }
    const Variable dumb("TERM", "dumb");
    EXPECT_TRUE(this_terminal(false).ascii);
}

TEST(this_terminal, has_no_colour_where_output_is_no_terminal) {
    const Variable term("TERM", "xterm-256color");
    testing::internal::CaptureStdout();  // a file
    const Terminal style = this_terminal(false);
    testing::internal::GetCapturedStdout();
    EXPECT_FALSE(style.colour);
}

}  // namespace
}  // namespace tfs::test
