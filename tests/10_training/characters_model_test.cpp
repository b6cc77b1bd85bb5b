// tests/10_training/characters_model_test.cpp · the shipped weights of the character model: as good as their file says
#include <gtest/gtest.h>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/10_training/models/character_ngrams.hpp"
#include "common/io/safetensors.hpp"
#include "common/io/weights.hpp"
#include "tests/10_training/shipped_text.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t part = 5'000;  // of the held-out characters: the whole takes too long

TextTransformer shipped_writer() {
    return load_network<TextTransformer>(weights_file("characters"), character_kind());
}

// Measured once: under the sanitizers it takes long.
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

TEST(character_model, the_shipped_weights_guess_better_than_a_trigram) {
    const Corpus& corpus = shakespeare();
    const std::span<const std::int64_t> ids(corpus.ids);
    const std::size_t begin = corpus.held_out_from;
    const CharacterNgrams trigram(ids.first(begin), corpus.tokenizer.size(), 3);
    EXPECT_LT(bits_of_shipped(), bits_per_character(trigram, ids, begin, begin + part) - 1.0);
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
    }
}

}  // namespace
}  // namespace tfs::test
