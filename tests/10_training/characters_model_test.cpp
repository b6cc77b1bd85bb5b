// tests/10_training/characters_model_test.cpp · the shipped weights of the character model: as good as their file says
#include <gtest/gtest.h>

#include "chapters/10_training/given/character_heads.hpp"
#include "chapters/10_training/given/character_ngrams.hpp"
#include "chapters/10_training/given/character_sampling.hpp"
#include "chapters/10_training/given/corpus.hpp"
#include "common/io/safetensors.hpp"
#include "common/program/weights.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t part = 5'000;  // of the held-out characters: the whole takes too long

// Read once, measured once: under the sanitizers both take long.
const Corpus& shakespeare() {
    static const Corpus corpus =
        read_corpus(repository_file("chapters/10_training/data/shakespeare.txt"), 64);
    return corpus;
}

double bits_of_shipped() {
    static const double bits =
        bits_per_character(load_character_model(weights_file("characters")), shakespeare(), part);
    return bits;
}

TEST(character_model, the_shipped_weights_are_as_good_as_their_file_says) {
    const std::filesystem::path file = weights_file("characters");
    EXPECT_EQ(load_character_model(file).characters, shakespeare().characters);
    EXPECT_NEAR(bits_of_shipped(),
                std::stod(load_weight_file(file).metadata.at("held_out_bits_of_first_5000")), 0.003);
}

TEST(character_model, drops_in_training_alone) {
    Rng weights(3), rng(4);
    const CharacterModel model(
        {"a", "b"}, {.layers = 1, .d_model = 8, .heads = 2, .context = 4, .dropout = 0.5}, weights);
    const Ids ids = model.ids_of("abba");
    const Tensor evaluated = model.model(ids).logits;
    EXPECT_TRUE(close(model.model(ids).logits, evaluated, {0, 0}));
    EXPECT_FALSE(close(model.model(ids, {.rng = &rng}).logits, evaluated, {1e-3, 1e-3}));
}

TEST(character_model, the_shipped_weights_guess_better_than_a_trigram) {
    const Corpus& corpus = shakespeare();
    const std::span<const std::int64_t> ids(corpus.ids);
    const std::size_t begin = corpus.held_out_from;
    const CharacterNgrams trigram(ids.first(begin), corpus.characters.size(), 3);
    EXPECT_LT(bits_of_shipped(), bits_per_character(trigram, ids, begin, begin + part) - 0.3);
}

// "layer 2, head 1: 0.900" -> 0.9
double score_in(const std::string& known) { return std::stod(known.substr(known.find(':') + 1)); }

TEST(character_model, its_heads_look_where_its_file_says) {
    const std::filesystem::path file = weights_file("characters");
    const Metadata metadata = load_weight_file(file).metadata;
    const Batch windows = make_batch(some_held_out_windows(shakespeare(), 64, 128), 0);
    Rng rng(11);
    const CharacterHeads heads = score_heads(load_character_model(file), windows.inputs, 128, rng);
    const HeadScores& previous = heads.most_previous();
    EXPECT_EQ(
        "layer " + std::to_string(previous.layer + 1) + ", head " + std::to_string(previous.head + 1) + ":",
        metadata.at("previous_token").substr(0, 16));
    EXPECT_NEAR(previous.back[0], score_in(metadata.at("previous_token")), 0.005);
    // Which head has the largest one says nothing where all are near 0.
    EXPECT_NEAR(heads.most_induction().induction, score_in(metadata.at("induction")), 0.005);
}

TEST(character_model, its_file_alone_is_enough_to_write) {
    const CharacterModel model = load_character_model(weights_file("characters"));
    Rng rng(1);
    EXPECT_EQ(characters_of(sample_text(model, "ROMEO:\n", 50, 0.8, rng)).size(), 50U);
}

TEST(character_model, refuses_characters_that_it_does_not_know) {
    const CharacterModel model = load_character_model(weights_file("characters"));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)model.ids_of("März"); }, {"\"ä\""}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)model.ids_of("a\xff"); }, {"UTF-8"}));
}

TEST(character_model, refuses_files_that_are_not_its_weights) {
    const ScratchFolder folder;
    Rng rng(1);
    const CharacterModel model({"a", "\n", "é"}, {.layers = 1, .d_model = 8, .heads = 2, .context = 4}, rng);
    save_character_model(model, folder / "good", {{"made_by", "a test"}});
    const CharacterModel again = load_character_model(folder / "good");
    EXPECT_EQ(again.characters, model.characters);
    EXPECT_EQ(again.context(), 4U);
    const WeightFile good = load_weight_file(folder / "good");
    EXPECT_EQ(good.metadata.at("made_by"), "a test");
    const auto refuse = [&](const std::string& name, const std::string& value, const std::string& sentence) {
        Metadata metadata = good.metadata;
        metadata[name] = value;
        save_safetensors(folder / "other", good.tensors, metadata);
        EXPECT_TRUE(refuses<FileError>([&] { (void)load_character_model(folder / "other"); }, {sentence}));
    };
    refuse("heads", "3", "don't divide 8");
    refuse("layers", "0", "\"layers\"");
    refuse("layers", "2", "missing");
    refuse("characters", "", "\"characters\" is empty");
    refuse("characters", "a\n", "(2, 8)");
    refuse("context", "-4", "\"context\"");
    refuse("d_model", "123456789", "\"d_model\"");
    EXPECT_TRUE(
        refuses<FileError>([] { (void)load_character_model(weights_file("nouns")); }, {"character model"}));
}

}  // namespace
}  // namespace tfs::test
