// tests/10_training/characters_model_test.cpp · the shipped weights of the character model: as good as their file says
#include <gtest/gtest.h>

#include "chapters/08_encoder_decoder/models/trained_networks.hpp"
#include "chapters/10_training/models/character_heads.hpp"
#include "chapters/10_training/models/character_ngrams.hpp"
#include "chapters/10_training/models/corpus.hpp"
#include "common/io/safetensors.hpp"
#include "common/program/weights.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t part = 5'000;  // of the held-out characters: the whole takes too long

TextTransformer shipped_writer() {
    return load_network<TextTransformer>(weights_file("characters"), character_kind());
}

// Read once, measured once: under the sanitizers both take long.
const Corpus& shakespeare() {
    static const Corpus corpus = read_corpus(shipped_corpus(), shipped_writer().config.max_len);
    return corpus;
}

double bits_of_shipped() {
    static const double bits = bits_per_character(shipped_writer(), shakespeare(), part);
    return bits;
}

TEST(character_model, the_shipped_weights_are_as_good_as_their_file_says) {
    const std::filesystem::path file = weights_file("characters");
    EXPECT_EQ(shipped_writer().tokenizer.tokens(), shakespeare().tokenizer.tokens());
    EXPECT_NEAR(bits_of_shipped(),
                std::stod(load_weight_file(file).metadata.at("held_out_bits_of_first_5000")), 0.003);
}

TEST(character_model, drops_in_training_alone) {
    Rng weights(3), rng(4);
    const TextTransformer model({Cut::characters, {"a", "b"}},
                                {.layers = 1,
                                 .d_model = 8,
                                 .heads = 2,
                                 .max_len = 4,
                                 .positions = PositionKind::learned,
                                 .dropout = 0.5},
                                weights);
    const Ids ids = model.tokenizer.encode("abba");
    const Tensor evaluated = model.model(ids).logits;
    EXPECT_TRUE(close(model.model(ids).logits, evaluated, {0, 0}));
    EXPECT_FALSE(close(model.model(ids, {.rng = &rng}).logits, evaluated, {1e-3, 1e-3}));
}

TEST(character_model, the_shipped_weights_guess_better_than_a_trigram) {
    const Corpus& corpus = shakespeare();
    const std::span<const std::int64_t> ids(corpus.ids);
    const std::size_t begin = corpus.held_out_from;
    const CharacterNgrams trigram(ids.first(begin), corpus.tokenizer.size(), 3);
    EXPECT_LT(bits_of_shipped(), bits_per_character(trigram, ids, begin, begin + part) - 1.0);
}

// "layer 2, head 1: 0.900" -> 0.9
double score_in(const std::string& known) { return std::stod(known.substr(known.find(':') + 1)); }

TEST(character_model, its_heads_look_where_its_file_says) {
    const std::filesystem::path file = weights_file("characters");
    const Metadata metadata = load_weight_file(file).metadata;
    const Batch windows =
        make_batch(some_held_out_windows(shakespeare(), shipped_writer().config.max_len, 128), 0);
    Rng rng(11);
    const CharacterHeads heads = score_heads(shipped_writer(), windows.inputs, 128, rng);
    const HeadScores& previous = heads.most_previous();
    EXPECT_EQ(
        "layer " + std::to_string(previous.layer + 1) + ", head " + std::to_string(previous.head + 1) + ":",
        metadata.at("previous_token").substr(0, 16));
    EXPECT_NEAR(previous.back[0], score_in(metadata.at("previous_token")), 0.005);
    // Which head has the largest one says nothing where all are near 0.
    EXPECT_NEAR(heads.most_induction().induction, score_in(metadata.at("induction")), 0.005);
}

TEST(character_model, its_file_alone_is_enough_to_write) {
    const TextTransformer model = shipped_writer();
    const Ids prompt = model.tokenizer.encode("ROMEO:\n");
    EXPECT_EQ(generate_greedy(model.model, prompt, 50).size(), prompt.size() + 50);
}

TEST(character_model, refuses_characters_that_it_does_not_know) {
    const TextTransformer model = shipped_writer();
    EXPECT_TRUE(refuses<ValueError>([&] { (void)model.tokenizer.encode("März"); }, {"\"ä\""}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)model.tokenizer.encode("a\xff"); }, {"UTF-8"}));
}

// The same logits from a file that says nothing of positions, which are learned, and from one that says they are rotary.
TEST(character_model, comes_back_from_its_file_with_its_positions) {
    const ScratchFolder folder;
    for (const PositionKind positions : {PositionKind::learned, PositionKind::rotary}) {
        Rng rng(1);
        const TextTransformer model(
            {Cut::characters, {"a", "b"}},
            {.layers = 1, .d_model = 8, .heads = 2, .max_len = 256, .positions = positions}, rng);
        save_network(model, character_kind(), folder / "model");
        const Metadata says = load_weight_file(folder / "model").metadata;
        EXPECT_EQ(says.contains("positions"), positions == PositionKind::rotary);
        EXPECT_EQ(says.at("context"), "256");
        const auto again = load_network<TextTransformer>(folder / "model", character_kind());
        EXPECT_EQ(again.model.config.block.uses<Rotary>(), positions == PositionKind::rotary);
        const Ids ids = model.tokenizer.encode("abbaabab");
        EXPECT_TRUE(close(again.model(ids).logits, model.model(ids).logits, {1e-2, 1e-3})) << "16 bits";
        const auto of_chapter_08 = load_network<CharacterDecoder>(folder / "model", character_kind());
        EXPECT_TRUE(
            close(writer_maps(of_chapter_08, "abbaabab")[0], again.model(ids, with_weights).self_weights[0]));
    }
}

TEST(character_model, refuses_files_that_are_not_its_weights) {
    const ScratchFolder folder;
    Rng rng(1);
    const TextTransformer model(
        {Cut::characters, {"a", "\n", "é"}},
        {.layers = 1, .d_model = 8, .heads = 2, .max_len = 4, .positions = PositionKind::learned}, rng);
    save_network(model, character_kind(), folder / "good", {{"made_by", "a test"}});
    const auto load = [&](const char* name) {
        return load_network<TextTransformer>(folder / name, character_kind());
    };
    const TextTransformer again = load("good");
    EXPECT_EQ(again.tokenizer.tokens(), model.tokenizer.tokens());
    EXPECT_EQ(again.config.max_len, 4U);
    const WeightFile good = load_weight_file(folder / "good");
    EXPECT_EQ(good.metadata.at("made_by"), "a test");
    const auto refuse = [&](const std::string& name, const std::string& value, const std::string& sentence) {
        Metadata metadata = good.metadata;
        metadata[name] = value;
        save_safetensors(folder / "other", good.tensors, metadata);
        EXPECT_TRUE(refuses<FileError>([&] { (void)load("other"); }, {sentence}));
    };
    refuse("heads", "3", "don't divide 8");
    refuse("layers", "0", "\"layers\"");
    refuse("layers", "2", "missing");
    refuse("characters", "", "\"characters\" is empty");
    refuse("characters", "a\n", "(2, 8)");
    refuse("context", "-4", "\"context\"");
    refuse("d_model", "123456789", "\"d_model\"");
    refuse("positions", "rotary", "unexpected (\"positions.embedding.weight\")");
    EXPECT_TRUE(refuses<FileError>(
        [] { (void)load_network<TextTransformer>(weights_file("nouns"), character_kind()); },
        {"character model"}));
}

}  // namespace
}  // namespace tfs::test
