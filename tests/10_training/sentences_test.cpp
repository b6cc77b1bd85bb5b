// tests/10_training/sentences_test.cpp · the sentences of the first two models, and ways to ask where an answer came from
#include "chapters/10_training/models/sentences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "chapters/10_training/models/it_explanations.hpp"
#include "common/io/weights.hpp"
#include "tests/support/refusal.hpp"

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

TEST(size_sentences, hold_out_sets_of_animals_that_training_never_has) {
    const SizeSentences all = size_sentences();
    std::set<std::vector<std::string>> learned;
    for (const SizeSentence& sentence : all.training) learned.insert(sentence.words);
    std::size_t of_the_lesson = 0;
    for (const SizeSentence& sentence : all.held_out) {
        EXPECT_FALSE(learned.contains(sentence.words));
        if (sentence.words != split_words(size_sentence)) continue;
        ++of_the_lesson;
        EXPECT_EQ(sentence.words[sentence.smallest], "mouse");
        EXPECT_EQ(sentence.words[sentence.largest], "horse");
    }
    EXPECT_EQ(of_the_lesson, 2U) << "asked for each animal";
}

// What the weight file and the lesson say of it.
TEST(size_finder, finds_each_animal_with_a_head_of_its_own) {
    const NounFinder model = trained_size_finder();
    const std::vector<SizeSentence> asked = size_sentences().held_out;
    const Metadata says = load_weight_file(weights_file("sizes")).metadata;
    const SizeScore both = score_of(model, asked), only_second = score_without_head(model, 0, asked),
                    only_first = score_without_head(model, 1, asked), again = score_of(model, asked);
    EXPECT_NEAR(both.named[0], std::stod(says.at("held_out_smallest_named")), 0.005);
    EXPECT_NEAR(both.named[1], std::stod(says.at("held_out_largest_named")), 0.005);
    EXPECT_GT(both.weights[0][1], 0.95) << "head 1 finds the largest";
    EXPECT_GT(both.weights[1][0], 0.95) << "head 2 finds the smallest";
    EXPECT_LT(only_second.named[1], 0.3);
    EXPECT_GT(only_second.named[0], 0.95);
    EXPECT_LT(only_first.named[0], 0.3);
    EXPECT_GT(only_first.named[1], 0.95);
    EXPECT_EQ(again.named, both.named) << "the model has its heads again";
}

std::set<std::string> animals_of(const ItSentence& sentence) {
    return {sentence.words[sentence.first], sentence.words[sentence.second]};
}

std::string answer_in(const std::string& text) {
    const ItSentence sentence = it_sentence(split_words(text));
    return sentence.words[sentence.noun()];
}

TEST(it_sentences, hold_out_pairs_of_animals_that_training_never_has) {
    const ItSentences all = it_sentences(3000, 400, 3);
    std::set<std::set<std::string>> learned;
    for (const ItSentence& sentence : all.training) learned.insert(animals_of(sentence));
    for (const ItSentence& sentence : all.held_out) EXPECT_FALSE(learned.contains(animals_of(sentence)));
}

TEST(it_sentences, are_decided_by_verb_voice_and_last_word_together) {
    EXPECT_EQ(answer_in("the dog chased the cat because it was hungry"), "dog");
    EXPECT_EQ(answer_in("the dog chased the cat because it was weak"), "cat");
    EXPECT_EQ(answer_in("the dog was chased by the cat because it was hungry"), "cat");
    EXPECT_EQ(answer_in("the dog was chased by the cat because it was weak"), "dog");
    EXPECT_EQ(answer_in("today the grey dog feared the cat because it was hungry"), "cat");
    EXPECT_EQ(answer_in("the dog was feared by the young brown cat again because it was weak"), "cat");
}

// With its nouns exchanged a sentence has the same words and the other answer: a bag of words can only guess.
TEST(it_sentences, have_the_other_answer_when_their_nouns_change_places) {
    for (const ItSentence& sentence : it_sentences(300, 1, 5).training) {
        std::vector<std::string> words = sentence.words;
        std::swap(words[sentence.first], words[sentence.second]);
        EXPECT_NE(answer_in(fmt::format("{}", fmt::join(words, " "))), sentence.words[sentence.noun()]);
    }
}

TEST(it_sentences, no_single_word_and_no_position_gives_the_answer_away) {
    const std::vector<ItSentence> sentences = it_sentences(1, 8000, 3).held_out;
    std::map<std::string, std::pair<double, double>> of_word;      // first noun, and all
    std::map<std::size_t, std::pair<double, double>> of_position;  // the noun there is the answer, and all
    for (const ItSentence& sentence : sentences) {
        for (const std::string& word : std::set<std::string>(sentence.words.begin(), sentence.words.end())) {
            of_word[word].first += sentence.is_first ? 1.0 : 0.0;
            ++of_word[word].second;
        }
        for (const std::size_t noun : {sentence.first, sentence.second}) {
            of_position[noun].first += noun == sentence.noun() ? 1.0 : 0.0;
            ++of_position[noun].second;
        }
    }
    for (const auto& [word, counts] : of_word) EXPECT_NEAR(counts.first / counts.second, 0.5, 0.07) << word;
    std::erase_if(of_position, [](const auto& one) { return one.second.second < 500; });
    for (const auto& [position, counts] : of_position)
        EXPECT_NEAR(counts.first / counts.second, 0.5, 0.07) << position;
    EXPECT_GE(of_position.size(), 10U) << "the nouns move about";
}

TEST(it_sentences, become_examples_that_ask_at_it_alone) {
    const ItSentences all = it_sentences(50, 1, 1);
    for (const ItSentence& sentence : all.training) {
        const Example example = example_of(sentence, all.vocabulary);
        ASSERT_LE(sentence.words.size(), it_longest);
        EXPECT_EQ(sentence.words[sentence.it], "it");
        EXPECT_EQ(static_cast<std::size_t>(std::count(example.target.begin(), example.target.end(), ignored)),
                  sentence.words.size() - 1);
        EXPECT_EQ(all.vocabulary.token(example.target[sentence.it]), sentence.words[sentence.noun()]);
        EXPECT_EQ(std::count(example.input.begin(), example.input.end(), it_padding), 0);
    }
}

TEST(it_sentences, refuse_other_text) {
    for (const char* text :
         {"the cat sat", "the dog chased the cat", "chased the dog the cat because it was weak"})
        EXPECT_TRUE(
            refuses<ValueError>([&] { (void)it_sentence(split_words(text)); }, {"no sentence about two"}));
}

ItReader shipped_it_reader() { return load_network<ItReader>(weights_file("it"), it_reader_kind()); }

TEST(it_reader, does_not_see_the_padding) {
    const ItReader model = shipped_it_reader();
    const ItSentence sentence = it_sentence(split_words("the dog chased the cat because it was weak"));
    const Ids alone = model.encode(sentence.words);
    Ids padded = Ids::from_shape({1, 14});
    padded.fill(it_padding);
    std::copy(alone.begin(), alone.end(), padded.begin());
    const Tensor a = model.logits(alone), b = model.logits(padded);
    for (std::size_t word = 0; word < model.tokenizer.size(); ++word)
        EXPECT_NEAR(a.at({0, sentence.it, word}), b.at({0, sentence.it, word}), 1e-4);
}

TEST(it_explanations, give_shares_that_sum_to_one) {
    const ItReader model = shipped_it_reader();
    for (const ItSentence& sentence : it_sentences(1, 20, 9).held_out) {
        const std::vector<NamedShares> all = all_shares(model, sentence);
        ASSERT_EQ(all.size(), 5U);
        for (const auto& [name, shares] : all) {
            ASSERT_EQ(shares.size(), sentence.words.size());
            EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1.0, 1e-4) << name;
            EXPECT_GE(*std::min_element(shares.begin(), shares.end()), 0.0f) << name;
        }
    }
}

// Two layers, by hand: a quarter of "it" comes by no map, a quarter by each map alone, and a quarter by both.
TEST(it_explanations, roll_attention_out_as_the_paper_says) {
    const ItReader model = shipped_it_reader();
    const ItSentence sentence = it_sentence(split_words("the dog chased the cat because it was weak"));
    const NoGrad no_grad;
    const auto weights =
        model.read(model.embed(model.encode(sentence.words)), std::nullopt, with_weights).weights;
    const std::size_t n = sentence.words.size(), it = sentence.it;
    const auto cell = [&](std::size_t layer, std::size_t i, std::size_t j) {
        double sum = 0.0;
        for (std::size_t head = 0; head < weights[layer].size(1); ++head)
            sum += weights[layer].at({0, head, i, j}) / static_cast<double>(weights[layer].size(1));
        return sum;
    };
    const Shares shares = rollout_shares(model, sentence);
    for (std::size_t j = 0; j < n; ++j) {
        double expected = (it == j ? 1.0 : 0.0) + cell(0, it, j) + cell(1, it, j);
        for (std::size_t i = 0; i < n; ++i) expected += cell(1, it, i) * cell(0, i, j);
        EXPECT_NEAR(shares[j], expected / 4.0, 1e-5) << sentence.words[j];
    }
}

}  // namespace
}  // namespace tfs::test
