// tests/10_training/corpus_test.cpp · the text of the character model: what is learned, what is held out, what is refused
#include "chapters/10_training/models/corpus.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "common/io/atomic_file.hpp"
#include "tests/10_training/shipped_text.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t context = 8;

// "aébc…": letters of one, two and three bytes, `length` characters.
std::string text_of(std::size_t length) {
    const std::vector<std::string> letters = {"b", "é", "a", "→", "\n", "z", "é"};
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += letters[(i * i + i / 7) % letters.size()];
    return text;
}

TEST(corpus, has_the_characters_in_the_order_of_their_code_points) {
    const Corpus corpus = corpus_of(text_of(205), "text", context);
    EXPECT_EQ(corpus.tokenizer.tokens(), (std::vector<std::string>{"\n", "a", "b", "z", "é", "→"}));
    EXPECT_EQ(corpus.ids.size(), 205U);
    EXPECT_EQ(corpus.held_out_size(), 20U) << "a tenth";
    EXPECT_EQ(corpus.tokenizer.decode(corpus.ids), text_of(205));
}

TEST(corpus, windows_to_learn_from_end_before_the_held_out_part) {
    Corpus corpus = corpus_of(text_of(2050), "text", context);
    for (std::size_t i = 0; i < corpus.ids.size(); ++i) corpus.ids[i] = static_cast<std::int64_t>(i);
    std::set<std::int64_t> seen;
    for (const Example& window : training_windows(corpus, context)) {
        ASSERT_EQ(window.input.size(), context);
        EXPECT_TRUE(seen.insert(window.input.front()).second) << "a window twice";
        for (std::size_t i = 0; i < context; ++i) EXPECT_EQ(window.target[i], window.input[i] + 1);
        EXPECT_LT(window.target.back(), static_cast<std::int64_t>(corpus.held_out_from));
    }
    EXPECT_EQ(seen.size(), 115U) << "every 16 characters";
}

TEST(corpus, windows_while_training_are_spread_over_the_held_out_part) {
    Corpus corpus = corpus_of(text_of(2050), "text", context);
    for (std::size_t i = 0; i < corpus.ids.size(); ++i) corpus.ids[i] = static_cast<std::int64_t>(i);
    const std::vector<Example> windows = some_held_out_windows(corpus, context, 5);
    ASSERT_EQ(windows.size(), 5U);
    EXPECT_EQ(windows.front().input.front(), static_cast<std::int64_t>(corpus.held_out_from));
    EXPECT_GT(windows.back().target.back(), 1990);
    EXPECT_LT(windows.back().target.back(), 2050);
    EXPECT_EQ(some_held_out_windows(corpus, context, 9999).size(), corpus.held_out_size() - context);
}

TEST(corpus, every_held_out_character_is_asked_once_with_most_of_a_window_before_it) {
    for (const std::size_t length : {90U, 2050U, 2057U}) {
        Corpus corpus = corpus_of(text_of(length), "text", context);
        for (std::size_t i = 0; i < corpus.ids.size(); ++i) corpus.ids[i] = static_cast<std::int64_t>(i);
        auto next = static_cast<std::int64_t>(corpus.held_out_from);
        for (const Example& window : scoring_windows(corpus, context, 9999)) {
            ASSERT_EQ(window.input.size(), context);
            for (std::size_t i = 0; i < context; ++i) {
                if (window.target[i] == ignored) continue;
                EXPECT_EQ(window.target[i], next++) << "in order, none twice, none left out";
                EXPECT_EQ(window.input[i], window.target[i] - 1);
                EXPECT_GE(i, 3 * context / 4);
            }
        }
        EXPECT_EQ(next, static_cast<std::int64_t>(length)) << "to the end";
    }
}

TEST(corpus, refuses_texts_that_nothing_can_be_learned_from) {
    const auto refuse = [](const std::string& text, const std::vector<std::string>& sentence) {
        EXPECT_TRUE(refuses<ValueError>([&] { (void)corpus_of(text, "my.txt", context); }, sentence));
    };
    refuse("", {"my.txt is empty"});
    refuse(text_of(89), {"my.txt has 89 characters", "90"});
    refuse(text_of(200) + "\xff", {"my.txt: the text is not valid UTF-8", "0xFF"});
    refuse(std::string(500, 'x'), {"my.txt has 1 different character:", "2 to 1000"});
    std::string many;
    for (unsigned code = 0; code < 1001; ++code) {
        many += static_cast<char>(0xE4 + code / 4096);
        many += static_cast<char>(0x80 + code / 64 % 64);
        many += static_cast<char>(0x80 + code % 64);
    }
    refuse(many, {"my.txt has 1001 different characters"});
}

TEST(corpus, refuses_files_that_cant_be_read) {
    const ScratchFolder folder;
    const auto refuse = [&](const char* name, const std::string& sentence) {
        EXPECT_TRUE(refuses<Error>([&] { (void)read_corpus(folder / name, context); }, {name, sentence}));
    };
    refuse("missing.txt", "No such file");
    std::filesystem::create_directory(folder / "folder");
    refuse("folder", "is a folder");
    write_file_atomically(folder / "empty.txt", "");
    refuse("empty.txt", "is empty");
    write_file_atomically(folder / "large.txt", "x");
    std::filesystem::resize_file(folder / "large.txt", 60'000'000);
    refuse("large.txt", "at most 50 MB");
    write_file_atomically(folder / "good.txt", text_of(100));
    EXPECT_EQ(read_corpus(folder / "good.txt", context).ids.size(), 100U);
}

TEST(corpus, the_one_of_the_repository_is_tiny_shakespeare) {
    EXPECT_EQ(shakespeare().ids.size(), 1'115'394U);
    EXPECT_EQ(shakespeare().tokenizer.size(), 65U);
}

}  // namespace
}  // namespace tfs::test
