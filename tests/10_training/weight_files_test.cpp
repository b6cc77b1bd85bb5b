// tests/10_training/weight_files_test.cpp · a weight file that its network can't be made of is refused
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "chapters/01_attention/models/noun_finder.hpp"
#include "chapters/07_block/models/it_reader.hpp"
#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/09_transformer/models/text_transformer.hpp"
#include "common/io/weights.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Loads the shipped weights of this name again, with each change of what they say: a field, its value, and the parts of the
// sentence that refuses it; none where it is taken.
struct Change {
    std::string field, value;
    std::vector<std::string> named = {};
};

template <class Network>
void expect_changes(const std::string& name, const ModelKind& kind, const std::vector<Change>& changes) {
    const ScratchFolder folder;
    const WeightFile shipped = load_weight_file(weights_file(name));
    for (const auto& [field, value, named] : changes) {
        Metadata metadata = shipped.metadata;
        metadata[field] = value;
        save_safetensors(folder / "changed", shipped.tensors, metadata);
        const auto load = [&] { (void)load_network<Network>(folder / "changed", kind); };
        const std::string what = name + ", " + field + " = " + value;
        if (named.empty()) {
            EXPECT_NO_THROW(load()) << what;
            continue;
        }
        std::vector<std::string> all = named;
        all.push_back("changed");
        EXPECT_TRUE(refuses<FileError>(load, all, what));
    }
}

std::vector<Change> only(const std::string& of_the_network, const std::string& kind) {
    std::vector<Change> changes;
    for (const std::string positions : {"none", "sinusoidal", "learned", "rotary", "alibi", "spiral", ""})
        changes.push_back(
            {"positions", positions,
             positions == of_the_network
                 ? std::vector<std::string>{}
                 : std::vector<std::string>{"not the weights of " + kind, "\"positions\" is not \""}});
    return changes;
}

TEST(weight_files, have_the_positions_that_their_network_computes) {
    expect_changes<NounFinder>("nouns", noun_finder_kind(), only("none", noun_finder_kind().name));
    expect_changes<ItReader>("it", it_reader_kind(), only("sinusoidal", it_reader_kind().name));
    expect_changes<DateTranslator>("dates", date_kind(), only("sinusoidal", date_kind().name));
    expect_changes<TextTransformer>("dates", date_kind(), only("sinusoidal", date_kind().name));
}

// Those of the shipped model are rotary. It has no table of learned ones: a file that says "learned" lacks a tensor.
TEST(weight_files, of_a_character_model_have_learned_or_rotary_positions) {
    std::vector<Change> changes{{"positions", "learned", {"missing (\"positions.embedding.weight\")"}}};
    for (const char* positions : {"none", "sinusoidal", "alibi", "spiral"})
        changes.push_back({"positions", positions, {"\"positions\" is not \"learned\" or \"rotary\""}});
    expect_changes<TextTransformer>("characters", character_kind(), changes);
}

TEST(weight_files, have_the_sizes_of_their_tensors) {
    expect_changes<NounFinder>("nouns", noun_finder_kind(), {{"words", "the cat", {"of another shape"}}});
    expect_changes<ItReader>("it", it_reader_kind(),
                             {{"layers", "3", {"missing"}}, {"layers", "two", {"no small whole number"}}});
    expect_changes<TextTransformer>("dates", date_kind(),
                                    {{"heads", "-1", {"\"heads\""}},
                                     {"heads", "3", {"don't divide"}},
                                     {"layers", "0", {"\"layers\""}},
                                     {"layers", "1", {"unexpected"}}});
    expect_changes<TextTransformer>("characters", character_kind(),
                                    {{"characters", "", {"\"characters\" is empty"}},
                                     {"context", "-4", {"\"context\""}},
                                     {"d_model", "123456789", {"\"d_model\""}}});
    const auto refuse = [](const auto& load, const std::string& named) {
        EXPECT_TRUE(refuses<FileError>(load, {"nouns.safetensors", named}));
    };
    const std::filesystem::path nouns = weights_file("nouns");
    refuse([&] { (void)load_network<ItReader>(nouns, it_reader_kind()); }, "\"d_ff\"");
    refuse([&] { (void)load_network<TextTransformer>(nouns, date_kind()); }, "date reader");
    refuse([&] { (void)load_network<TextTransformer>(nouns, character_kind()); }, "character model");
}

// The constructor of the network says what is wrong with the sizes, and the error names the file.
TEST(weight_files, whose_positions_do_not_fit_the_sizes_are_refused) {
    expect_changes<TextTransformer>(
        "characters", character_kind(),
        {{"heads", "128", {"= 1 is odd", "not the weights of a character model"}}});
    const ScratchFolder folder;
    save_safetensors(folder / "sinusoids", {{"table", Tensor::zeros({1})}},
                     {{"layers", "1"}, {"d_ff", "8"}, {"words", "a b"}, {"d_model", "7"}, {"heads", "1"}});
    EXPECT_TRUE(
        refuses<FileError>([&] { (void)load_network<ItReader>(folder / "sinusoids", it_reader_kind()); },
                           {"sinusoids: not the weights of an encoder", "d_model = 7 is odd"}));
}

}  // namespace
}  // namespace tfs::test
