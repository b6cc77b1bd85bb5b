// tests/common/io_trained_model_test.cpp · a trained model as one file, and back
#include "common/io/trained_model.hpp"

#include <gtest/gtest.h>

#include "tests/common/scratch_folder.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const ModelKind kind{.name = "a small model",
                     .entries = {"layers", "heads", "d_model", "d_ff", "context", "words"},
                     .otherwise = {.positions = PositionKind::learned},
                     .tokenizer = {Cut::words, {}, {.padding = 0}},
                     .other_positions = {PositionKind::rotary}};

TrainedModel small() {
    return {{.layers = 2, .d_model = 8, .heads = 4, .max_len = 16, .positions = PositionKind::rotary},
            {Cut::words, {"-", "the", "cat"}, {.padding = 0}},
            {{"table", Tensor::full({3, 8}, 0.5f)}},
            {{"made_by", "a test"}}};
}

TEST(trained_model, comes_back_from_its_file) {
    const ScratchFolder folder;
    save_trained_model(small(), kind, folder / "model");
    const TrainedModel again = load_trained_model(folder / "model", kind);
    EXPECT_EQ(again.config.layers, 2U);
    EXPECT_EQ(again.config.d_model, 8U);
    EXPECT_EQ(again.config.heads, 4U);
    EXPECT_EQ(again.config.d_ff, 32U) << "4 d_model, as nothing else was said";
    EXPECT_EQ(again.config.max_len, 16U);
    EXPECT_EQ(again.config.positions, PositionKind::rotary);
    EXPECT_EQ(again.tokenizer.tokens(), small().tokenizer.tokens());
    EXPECT_EQ(again.tokenizer.special().padding, 0);
    EXPECT_EQ(again.says, (Metadata{{"made_by", "a test"}}))
        << "what stands in config and tokenizer is not said again";
    EXPECT_EQ(again.file, folder / "model");
    Tensor table = Tensor::zeros({3, 8}).set_requires_grad(true);
    again.copy_into({{"table", table}});
    EXPECT_TRUE(close(table, small().weights[0].tensor, {0, 0}));
}

TEST(trained_model, has_the_positions_of_its_kind_where_the_file_says_none) {
    const ScratchFolder folder;
    save_trained_model(small(), kind, folder / "rotary");
    TrainedModel model = load_trained_model(folder / "rotary", kind);
    model.config.positions = PositionKind::learned;
    save_trained_model(model, kind, folder / "model");
    EXPECT_FALSE(load_weight_file(folder / "model").metadata.contains("positions"));
    EXPECT_EQ(load_trained_model(folder / "model", kind).config.positions, PositionKind::learned);
}

TEST(trained_model, takes_from_its_kind_what_the_file_does_not_say) {
    const ScratchFolder folder;
    const ModelKind other{.name = "a model without sizes",
                          .otherwise = {.layers = 3, .d_model = 4, .heads = 2},
                          .tokenizer = {Cut::characters, {"a", "b"}}};
    TrainedModel model = small();
    model.config.positions = PositionKind::none;
    save_trained_model(model, other, folder / "model");
    const TrainedModel again = load_trained_model(folder / "model", other);
    EXPECT_EQ(again.config.layers, 3U);
    EXPECT_EQ(again.config.d_model, 4U);
    EXPECT_EQ(again.tokenizer.tokens(), (Tokens{"a", "b"}));
}

TEST(trained_model, refuses_files_of_other_kinds_and_entries_that_make_no_sense) {
    const ScratchFolder folder;
    save_trained_model(small(), kind, folder / "good");
    const WeightFile good = load_weight_file(folder / "good");
    const auto refuse = [&](const std::string& name, const std::string& value, const std::string& sentence) {
        Metadata metadata = good.metadata;
        metadata[name] = value;
        if (value.empty()) metadata.erase(name);
        save_safetensors(folder / "other", good.tensors, metadata);
        EXPECT_TRUE(refuses<FileError>([&] { (void)load_trained_model(folder / "other", kind); },
                                       {"other", "not the weights of a small model", sentence}));
    };
    refuse("layers", "", "\"layers\"");
    refuse("layers", "0", "\"layers\" is no small whole number");
    refuse("context", "-1", "\"context\"");
    refuse("heads", "3", "3 heads don't divide 8");
    refuse("positions", "spiral", "\"positions\" is not \"learned\" or \"rotary\"");
    refuse("positions", "alibi", "\"positions\" is not \"learned\" or \"rotary\"");
    refuse("words", "", "\"words\"");
    refuse("words", " ", "\"words\": the text is empty");
    EXPECT_TRUE(refuses<FileError>([&] { (void)load_trained_model(folder / "none", kind); }, {"none"}));
    EXPECT_TRUE(refuses<FileError>(
        [&] {
            load_trained_model(folder / "good", kind).copy_into({{"chair", Tensor::zeros({1})}});
        },
        {"good", "missing (\"chair\")", "unexpected (\"table\")"}));
}

TEST(trained_model, is_not_saved_with_positions_that_its_kind_does_not_have) {
    const ScratchFolder folder;
    TrainedModel model = small();
    model.config.positions = PositionKind::alibi;
    EXPECT_TRUE(refuses<ValueError>([&] { save_trained_model(model, kind, folder / "model"); },
                                    {"model", "a small model", "alibi"}));
    EXPECT_FALSE(std::filesystem::exists(folder / "model"));
}

// What a chapter makes of it.
struct Table {
    ModelConfig config;
    Tokenizer tokenizer;
    Tensor table;

    Table(const Tokenizer& words, const ModelConfig& sizes, Rng& rng)
        : config(sizes),
          tokenizer(words),
          table(Tensor(rng.normal_array({words.size(), sizes.d_model})).set_requires_grad(true)) {}
    [[nodiscard]] Parameters parameters() const { return {{"table", table}}; }
};

TEST(trained_model, fills_a_network_and_is_made_of_one) {
    const ScratchFolder folder;
    Rng rng(1);
    const Table network(small().tokenizer, small().config, rng);
    save_network(network, kind, folder / "model", {{"made_by", "a test"}});
    const auto again = load_network<Table>(folder / "model", kind);
    EXPECT_TRUE(close(again.table, network.table, {1e-3, 1e-3})) << "16 bits";
    EXPECT_EQ(load_weight_file(folder / "model").metadata.at("made_by"), "a test");
}

// What a chapter makes of it, if its sizes suit.
struct EvenTable : Table {
    EvenTable(const Tokenizer& words, const ModelConfig& sizes, Rng& rng) : Table(words, sizes, rng) {
        if (sizes.layers % 2 == 1) throw ValueError("3 layers are odd");
    }
};

TEST(trained_model, of_which_no_network_can_be_made_is_refused_with_the_name_of_its_file) {
    const ScratchFolder folder;
    TrainedModel model = small();
    save_trained_model(model, kind, folder / "even");
    EXPECT_NO_THROW((void)load_network<EvenTable>(folder / "even", kind));
    model.config.layers = 3;
    save_trained_model(model, kind, folder / "odd");
    EXPECT_TRUE(refuses<FileError>([&] { (void)load_network<EvenTable>(folder / "odd", kind); },
                                   {"odd: not the weights of a small model: 3 layers are odd"}));
}

}  // namespace
}  // namespace tfs::test
