// tests/common/text_tokenizer_test.cpp · from text to the ids of a model's tokens, and back
#include "common/text/tokenizer.hpp"

#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const Tokenizer words(Cut::words, {"-", "the", "cat", "sat", "."}, {.padding = 0});
const Tokenizer letters(Cut::characters, {"?", " ", "a", "é", "고"}, {.start = 0});

std::vector<std::int64_t> list(const Ids& ids) { return {ids.begin(), ids.end()}; }

TEST(tokenizer, encodes_words_and_characters_as_one_sequence) {
    EXPECT_EQ(words.encode("the cat sat.").shape()[0], 1U);
    EXPECT_EQ(list(words.encode("the cat sat.")), (std::vector<std::int64_t>{1, 2, 3, 4}));
    EXPECT_EQ(list(words.encode(Tokens{"cat", "the"})), (std::vector<std::int64_t>{2, 1}));
    EXPECT_EQ(list(letters.encode("é a고")), (std::vector<std::int64_t>{3, 1, 2, 4}));
    EXPECT_EQ(words.size(), 5U);
}

TEST(tokenizer, decodes_what_it_encoded) {
    EXPECT_EQ(words.decode(words.encode("the cat sat.")), "the cat sat .");
    EXPECT_EQ(letters.decode(letters.encode("é a고")), "é a고");
    EXPECT_EQ(letters.decode(std::vector<std::int64_t>{0, 2}), "?a") << "a special token is written, too";
    EXPECT_EQ(letters.decode(std::vector<std::int64_t>{}), "");
    for (const std::int64_t id : {-1, 5})
        EXPECT_TRUE(refuses<ValueError>([&] { (void)letters.token(id); }, {std::to_string(id), "5 tokens"}));
}

TEST(tokenizer, reads_words_in_small_letters_where_it_does_not_know_them_as_they_are) {
    EXPECT_EQ(list(words.encode("The CAT")), (std::vector<std::int64_t>{1, 2}));
    const Tokenizer both(Cut::words, {"us", "US"});
    EXPECT_EQ(list(both.encode("US us Us")), (std::vector<std::int64_t>{1, 0, 0}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)letters.encode("A"); }, {"\"A\""})) << "characters differ";
}

TEST(tokenizer, names_what_it_does_not_know) {
    EXPECT_TRUE(refuses<ValueError>([] { (void)words.encode("the zebra sat"); },
                                    {"does not know the word \"zebra\" (it knows: the cat"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { (void)letters.encode("aä"); }, {"does not know the character \"ä\""}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)letters.encode("a\x1b"); }, {"\"\\x1b\""}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)letters.encode("a\xff"); }, {"byte 1", "UTF-8"}));
}

TEST(tokenizer, names_all_that_it_does_not_know_once_and_not_endlessly) {
    EXPECT_TRUE(refuses<ValueError>([] { (void)words.encode("my cat saw my dog"); },
                                    {"the words \"my\", \"saw\", \"dog\" (it knows: the cat sat .)"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { (void)letters.encode("xyza"); }, {"the characters \"x\", \"y\", \"z\""}));
    EXPECT_TRUE(
        refuses<ValueError>([] { (void)words.encode("a b c d e f g h i j k l m n o p"); }, {"\"l\", …"}));
}

TEST(tokenizer, has_special_tokens_that_no_text_has) {
    EXPECT_TRUE(refuses<ValueError>([] { (void)words.encode("-"); }, {"\"-\""}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)letters.encode("?"); }, {"\"?\""}));
    EXPECT_EQ(words.special().padding, 0);
    EXPECT_EQ(letters.special().padding, std::nullopt);
}

TEST(tokenizer, refuses_a_text_that_is_empty_or_longer_than_asked) {
    EXPECT_TRUE(refuses<ValueError>([] { (void)words.encode(" "); }, {"at least one word"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)words.encode(Tokens{}); }, {"at least one word"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)letters.encode(""); }, {"at least one character"}));
    EXPECT_EQ(letters.encode("aaaa", 4).size(), 4U);
    EXPECT_TRUE(refuses<ValueError>([] { (void)letters.encode("aaaaa", 4); }, {"1 to 4 characters, not 5"}));
}

}  // namespace
}  // namespace tfs::test
