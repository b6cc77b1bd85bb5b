// tests/10_training/file_positions_test.cpp · a weight file can't ask for positions that its network does not compute
#include <gtest/gtest.h>

#include <algorithm>

#include "chapters/01_attention/models/noun_finder.hpp"
#include "chapters/07_block/models/it_reader.hpp"
#include "chapters/08_encoder_decoder/models/trained_networks.hpp"
#include "chapters/09_transformer/models/text_transformer.hpp"
#include "common/program/weights.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Loads the shipped weights of this name again, with each "positions" that there is: those `of_the_network` are taken, others
// are refused.
template <class Network>
void expect_only(const std::vector<std::string>& of_the_network, const std::string& name,
                 const ModelKind& kind) {
    const ScratchFolder folder;
    const WeightFile shipped = load_weight_file(weights_file(name));
    for (const std::string positions : {"none", "sinusoidal", "learned", "rotary", "alibi", "spiral", ""}) {
        Metadata metadata = shipped.metadata;
        metadata["positions"] = positions;
        save_safetensors(folder / "changed", shipped.tensors, metadata);
        const auto load = [&] { (void)load_network<Network>(folder / "changed", kind); };
        if (std::ranges::find(of_the_network, positions) != of_the_network.end()) {
            EXPECT_NO_THROW(load()) << name << ", " << positions;
        } else {
            EXPECT_TRUE(refuses<FileError>(
                load, {"changed: not the weights of " + kind.name, "\"positions\" is not \""}))
                << name << ", " << positions;
        }
    }
}

TEST(file_positions, are_those_that_the_network_of_the_file_computes) {
    expect_only<NounFinder>({"none"}, "nouns", noun_finder_kind());
    expect_only<ItReader>({"sinusoidal"}, "it", it_reader_kind());
    expect_only<DateTranslator>({"sinusoidal"}, "dates", date_kind());
    expect_only<TextTransformer>({"sinusoidal"}, "dates", date_kind());
}

// Those of the shipped model are rotary. It has no table of learned ones: a file that says "learned" lacks a tensor.
TEST(file_positions, of_a_character_model_are_learned_or_rotary) {
    const ScratchFolder folder;
    const WeightFile shipped = load_weight_file(weights_file("characters"));
    const auto refuse = [&](const std::string& positions, const std::vector<std::string>& named) {
        Metadata metadata = shipped.metadata;
        metadata["positions"] = positions;
        save_safetensors(folder / "changed", shipped.tensors, metadata);
        EXPECT_TRUE(refuses<FileError>(
            [&] { (void)load_network<TextTransformer>(folder / "changed", character_kind()); }, named));
        EXPECT_TRUE(refuses<FileError>(
            [&] { (void)load_network<CharacterDecoder>(folder / "changed", character_kind()); }, named));
    };
    for (const char* positions : {"none", "sinusoidal", "alibi", "spiral"})
        refuse(positions, {"changed", "\"positions\" is not \"learned\" or \"rotary\""});
    refuse("learned", {"changed", "missing (\"positions.embedding.weight\")"});
}

// Such sizes are small whole numbers. The constructor of the network says what is wrong with them, and the error names the file.
TEST(file_positions, that_do_not_fit_the_sizes_are_refused_with_the_name_of_the_file) {
    const ScratchFolder folder;
    const auto save = [&](const std::string& name, Metadata metadata) {
        metadata.insert(
            {{"layers", "1"}, {"d_ff", "8"}, {"context", "4"}, {"characters", "ab"}, {"words", "a b"}});
        save_safetensors(folder / name, {{"table", Tensor::zeros({1})}}, metadata);
    };
    save("rotary", {{"d_model", "6"}, {"heads", "2"}, {"positions", "rotary"}});
    const std::vector<std::string> named = {"rotary: not the weights of a character model",
                                            "d_k = 6 / 2 = 3 is odd"};
    EXPECT_TRUE(refuses<FileError>(
        [&] { (void)load_network<TextTransformer>(folder / "rotary", character_kind()); }, named));
    EXPECT_TRUE(refuses<FileError>(
        [&] { (void)load_network<CharacterDecoder>(folder / "rotary", character_kind()); }, named));
    save("sinusoids", {{"d_model", "7"}, {"heads", "1"}});
    EXPECT_TRUE(
        refuses<FileError>([&] { (void)load_network<ItReader>(folder / "sinusoids", it_reader_kind()); },
                           {"sinusoids: not the weights of an encoder", "d_model = 7 is odd"}));
}

}  // namespace
}  // namespace tfs::test
