// tests/10_training/corpus_test.cpp · the text of the character model: what is learned, held out, refused; and n-grams of it
#include "chapters/10_training/models/corpus.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "chapters/10_training/models/character_ngrams.hpp"
#include "common/io/atomic_file.hpp"
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

using Sequence = std::vector<std::int64_t>;

// A text in which what comes next depends on the two before it.
Sequence dependent_text(std::size_t length) {
    Rng rng(4);
    Sequence text = {0, 1};
    while (text.size() < length) {
        const auto sum = static_cast<std::size_t>(text.end()[-1] + 2 * text.end()[-2]);
        text.push_back(static_cast<std::int64_t>(rng.uniform() < 0.8 ? sum % 5 : rng.below(5)));
    }
    return text;
}

// The text 0 1 0 1 0 0. Pairs: 01 twice, 10 twice, 00 once, so D = 1 / (1 + 2 * 2). Before 0 stand two different ones, before 1
// one, so D = 1 / (1 + 2 * 1) for single ones.
TEST(character_ngrams, are_what_one_computes_by_hand) {
    const Sequence text = {0, 1, 0, 1, 0, 0};
    const CharacterNgrams pairs(text, 2, 2);
    const double p1 = (1.0 - 1.0 / 3 + 1.0 / 3 * 2 * 0.5) / 3, p0 = (2.0 - 1.0 / 3 + 1.0 / 3 * 2 * 0.5) / 3;
    EXPECT_NEAR(pairs.probability({}, 1), p1, 1e-12);
    EXPECT_NEAR(pairs.probability({}, 0), p0, 1e-12);
    EXPECT_NEAR(pairs.probability(Sequence{0}, 1), (2 - 0.2 + 0.2 * 2 * p1) / 3, 1e-12);
    EXPECT_NEAR(pairs.probability(Sequence{0}, 0), (1 - 0.2 + 0.2 * 2 * p0) / 3, 1e-12);
    EXPECT_NEAR(pairs.probability(Sequence{0, 1}, 0), (2 - 0.2 + 0.2 * 1 * p0) / 2, 1e-12);
    EXPECT_NEAR(pairs.probability(Sequence{1}, 1), 0.2 * 1 * p1 / 2, 1e-12);
    EXPECT_NEAR(
        bits_per_character(pairs, Sequence{0, 1, 1}, 1, 3),
        -(std::log2(pairs.probability(Sequence{0}, 1)) + std::log2(pairs.probability(Sequence{1}, 1))) / 2,
        1e-12);
}

TEST(character_ngrams, add_up_to_1_after_any_context) {
    const Sequence text = dependent_text(2000);
    for (std::size_t length = 1; length <= 5; ++length) {
        const CharacterNgrams model(text, 7, length);  // two ids never occur
        for (const Sequence& before : {Sequence{}, {0}, {5}, {1, 2, 3, 4, 0}, {6, 6, 6, 6}, {4, 5, 0, 1}}) {
            const std::vector<double> all = model.probabilities(before);
            ASSERT_EQ(all.size(), 7u);
            double sum = 0.0;
            for (std::size_t id = 0; id < 7; ++id) {
                EXPECT_EQ(all[id], model.probability(before, static_cast<std::int64_t>(id)));
                EXPECT_GT(all[id], 0.0);
                sum += all[id];
            }
            EXPECT_NEAR(sum, 1.0, 1e-12) << "length " << length;
        }
    }
}

TEST(character_ngrams, refuse_what_cant_be_counted) {
    const Sequence text = {0, 1, 0};
    EXPECT_TRUE(refuses<ValueError>([&] { CharacterNgrams(text, 2, 4); }, {"3 characters"}));
    EXPECT_TRUE(refuses<ValueError>([&] { CharacterNgrams(text, 1, 1); }, {"0 … 0"}));
    EXPECT_TRUE(refuses<ValueError>([&] { CharacterNgrams(text, 1000, 7); }, {"can't be numbered"}));
    EXPECT_TRUE(refuses<ValueError>([&] { CharacterNgrams(text, 2, 0); }, {"can't be numbered"}));
    const CharacterNgrams model(text, 2, 1);
    EXPECT_TRUE(refuses<ValueError>([&] { (void)bits_per_character(model, text, 3, 3); }, {"3 … 3"}));
}

}  // namespace
}  // namespace tfs::test
