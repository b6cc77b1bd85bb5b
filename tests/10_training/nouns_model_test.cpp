// tests/10_training/nouns_model_test.cpp · the first model: its sentences, and the weights that ship, measured again
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "chapters/01_attention/models/noun_finder.hpp"
#include "chapters/10_training/models/noun_sentences.hpp"
#include "common/io/safetensors.hpp"
#include "common/io/weights.hpp"

namespace tfs::test {
namespace {

TEST(noun_sentences, hold_out_pairs_of_nouns_that_training_never_has) {
    const NounSentences all = noun_sentences(2000, 400, 3);
    const auto pair_of = [](const NounSentence& sentence) {
        return std::set<std::string>{sentence.words[1], sentence.words[5]};
    };
    std::set<std::set<std::string>> learned;
    for (const NounSentence& sentence : all.training) learned.insert(pair_of(sentence));
    for (const NounSentence& sentence : all.held_out) EXPECT_FALSE(learned.contains(pair_of(sentence)));
}

TEST(noun_sentences, no_position_and_no_noun_gives_the_answer_away) {
    const NounSentences all = noun_sentences(4000, 1, 3);
    std::map<std::string, std::set<std::size_t>> answers_of_last_word;
    double first = 0.0;
    for (const NounSentence& sentence : all.training) {
        first += sentence.noun == 1 ? 1.0 : 0.0;
        answers_of_last_word[sentence.words.back()].insert(sentence.noun);
    }
    EXPECT_NEAR(first / 4000, 0.5, 0.03);
    for (const auto& [word, positions] : answers_of_last_word) EXPECT_EQ(positions.size(), 2U) << word;
}

TEST(noun_finder, the_shipped_weights_are_as_good_as_their_file_says) {
    const std::filesystem::path file = weights_file("nouns");
    const auto model = load_network<NounFinder>(file, noun_finder_kind());
    const NounSentences sentences =
        noun_sentences(1, 500, 7);  // other held-out sentences than those of the training run
    double right = 0.0, weight = 0.0;
    for (const NounSentence& sentence : sentences.held_out) {
        const NounGuess guess = guess_noun(model, sentence.words);
        right += guess.noun == sentence.words[sentence.noun] ? 1.0 : 0.0;
        weight += guess.weights[sentence.noun];
    }
    const Metadata metadata = load_weight_file(file).metadata;
    EXPECT_NEAR(right / 500, std::stod(metadata.at("held_out_accuracy")), 0.01);
    EXPECT_NEAR(weight / 500, std::stod(metadata.at("held_out_mean_weight")), 0.02);
    EXPECT_GE(right / 500, 0.99);
    const auto row =
        guess_noun(model, {"The", "cat", "sat", "on", "the", "mat", "because", "it", "was", "tired"}).weights;
    EXPECT_GT(row[1], 0.9f);
}

}  // namespace
}  // namespace tfs::test
