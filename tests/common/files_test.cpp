// tests/common/files_test.cpp · files written completely or not at all; what weight files say of their model
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>

#include "common/io/atomic_file.hpp"
#include "common/io/trained_model.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(atomic_file, writes_all_bytes_replaces_an_older_file_and_leaves_nothing_else) {
    const ScratchFolder folder;
    const std::string bytes("a\0b\r\n\xff", 6);
    for (const std::string& text : {std::string("old and longer"), bytes}) {
        write_file_atomically(folder / "file", text);
        EXPECT_EQ(read_file(folder / "file"), text);
    }
    EXPECT_EQ(folder.file_count(), 1U);
}

TEST(atomic_file, keeps_links_and_replaces_what_they_lead_to) {
    const ScratchFolder folder;
    write_file_atomically(folder / "file", "old");
    std::filesystem::create_symlink("file", folder / "link");
    std::filesystem::create_symlink("link", folder / "link to the link");
    std::filesystem::create_symlink("nowhere yet", folder / "dangling");
    write_file_atomically(folder / "link to the link", "new");
    write_file_atomically(folder / "dangling", "first");
    EXPECT_EQ(read_file(folder / "file"), "new");
    EXPECT_EQ(read_file(folder / "nowhere yet"), "first");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link to the link"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "dangling"));
    EXPECT_EQ(folder.file_count(), 5U);
}

unsigned permissions_of(const std::filesystem::path& path) {
    return static_cast<unsigned>(std::filesystem::status(path).permissions());
}

TEST(atomic_file, keeps_the_permissions_of_an_older_file) {
    const ScratchFolder folder;
    for (const unsigned mode : {0600U, 0644U, 0660U, 0755U}) {
        write_file_atomically(folder / "file", "old");
        std::filesystem::permissions(folder / "file", static_cast<std::filesystem::perms>(mode));
        write_file_atomically(folder / "file", "new");
        EXPECT_EQ(permissions_of(folder / "file"), mode);
    }
    std::filesystem::permissions(folder / "file", static_cast<std::filesystem::perms>(0600));
    std::filesystem::create_symlink("file", folder / "link");
    write_file_atomically(folder / "link", "new");
    EXPECT_EQ(permissions_of(folder / "file"), 0600U);
}

TEST(atomic_file, gives_a_new_file_the_permissions_of_the_process) {
    const ScratchFolder folder;
    const mode_t before = umask(0027);
    write_file_atomically(folder / "file", "bytes");
    umask(before);
    EXPECT_EQ(permissions_of(folder / "file"), 0640U);
}

TEST(atomic_file, refuses_what_is_no_ordinary_file_and_leaves_it) {
    const ScratchFolder folder;
    std::filesystem::create_symlink("there", folder / "here");
    std::filesystem::create_symlink("here", folder / "there");
    std::filesystem::create_directories(folder / "taken/inner");
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    write_file_atomically(folder / "plain", "");
    const auto write_to = [&](const char* name) {
        return [&, name] { write_file_atomically(folder / name, "bytes"); };
    };
    expect_refused<FileError>({{write_to("here"), {"here: can't be written", "symbolic links"}},
                               {write_to("taken"), {"taken", "is a folder"}},
                               {write_to("pipe"), {"pipe", "no ordinary file"}},
                               {write_to("plain/below"), {"below", "Not a directory"}},
                               {write_to("no/such"), {"such", "No such file"}},
                               {[&] { read_file(folder.path()); }, {"is a folder"}},
                               {[&] { read_file(folder / "missing"); }, {"missing", "No such file"}}});
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "here"));
    EXPECT_TRUE(std::filesystem::exists(folder / "taken/inner"));
    EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
    EXPECT_EQ(folder.file_count(), 5U) << "a file beside them was left behind";
}

// ---- metadata, read with distrust -----------------------------------------------------------------------------

MetadataReader reader_of(const Metadata& metadata) { return {{{}, metadata}, "a file", "not a cat"}; }

TEST(metadata, reads_texts_counts_and_numbers) {
    const MetadataReader reader =
        reader_of({{"name", "Tom"}, {"lives", "9"}, {"none", "0"}, {"weight", "4.5e0"}, {"loss", "inf"}});
    EXPECT_EQ(reader.text("name"), "Tom");
    EXPECT_EQ(reader.count("lives", 1, 9), 9U);
    EXPECT_EQ(reader.count("none"), 0U);
    EXPECT_EQ(reader.real("weight"), 4.5);
    EXPECT_EQ(reader.real("loss"), INFINITY);
}

TEST(metadata, names_the_file_and_the_entry_that_is_missing_or_malformed) {
    EXPECT_TRUE(refuses<FileError>([] { (void)reader_of({}).text("name"); },
                                   {"a file: not a cat, whose metadata has \"name\""}));
    for (const char* text :
         {"", "0", "-1", "+1", " 1", "1 ", "01", "1.0", "1e1", "x", "99999999999999999999", "10"}) {
        const MetadataReader reader = reader_of({{"lives", text}});
        EXPECT_TRUE(refuses<FileError>([&] { (void)reader.count("lives", 1, 9); },
                                       {"a file: not a cat: \"lives\" is no small whole number"}))
            << text;
    }
    for (const char* text : {"", "low", "1.5 kg", " 1"}) {
        const MetadataReader reader = reader_of({{"weight", text}});
        EXPECT_TRUE(refuses<FileError>([&] { (void)reader.real("weight"); }, {"\"weight\" is no number"}))
            << text;
    }
}

// ---- trained models ------------------------------------------------------------------------------------------

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
    EXPECT_EQ((std::vector{again.config.layers, again.config.d_model, again.config.heads}),
              (std::vector<std::size_t>{2, 8, 4}));
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
    TrainedModel large = small();
    large.config.layers = 99;
    large.config.d_model = 9996;
    save_trained_model(large, kind, folder / "large");
    EXPECT_TRUE(refuses<FileError>([&] { (void)load_trained_model(folder / "large", kind); },
                                   {"99 layers of width 9996 have more weights than this file"}));
    EXPECT_TRUE(refuses<FileError>([&] { (void)load_trained_model(folder / "none", kind); }, {"none"}));
    const Parameters chair{{"chair", Tensor::zeros({1})}};
    EXPECT_TRUE(refuses<FileError>([&] { load_trained_model(folder / "good", kind).copy_into(chair); },
                                   {"good", "missing (\"chair\")", "unexpected (\"table\")"}));
}

TEST(trained_model, is_not_saved_where_its_kind_could_not_read_it_again) {
    const ScratchFolder folder;
    TrainedModel model = small();
    model.config.positions = PositionKind::alibi;
    EXPECT_TRUE(refuses<ValueError>([&] { save_trained_model(model, kind, folder / "model"); },
                                    {"model", "a small model", "alibi"}));
    model = small();
    model.tokenizer = Tokenizer(Cut::words, {"-", "the cat"}, {.padding = 0});
    EXPECT_TRUE(refuses<ValueError>([&] { save_trained_model(model, kind, folder / "model"); },
                                    {"the token \"the cat\"", "one word"}));
    model.tokenizer = Tokenizer(Cut::words, {"-", ""}, {.padding = 0});
    EXPECT_TRUE(refuses<ValueError>([&] { save_trained_model(model, kind, folder / "model"); }, {"\"\""}));
    EXPECT_FALSE(std::filesystem::exists(folder / "model"));
}

// What a chapter makes of it, if its sizes suit.
struct TableModel {
    ModelConfig config;
    Tokenizer tokenizer;
    Tensor table;

    TableModel(const Tokenizer& words, const ModelConfig& sizes, Rng& rng)
        : config(sizes),
          tokenizer(words),
          table(Tensor(rng.normal_array({words.size(), sizes.d_model})).set_requires_grad(true)) {
        if (sizes.layers % 2 == 1) throw ValueError("3 layers are odd");
    }
    [[nodiscard]] Parameters parameters() const { return {{"table", table}}; }
};

TEST(trained_model, fills_a_network_and_is_made_of_one_and_refused_where_none_can_be_made) {
    const ScratchFolder folder;
    Rng rng(1);
    TableModel network(small().tokenizer, small().config, rng);
    save_network(network, kind, folder / "model", {{"made_by", "a test"}});
    const auto again = load_network<TableModel>(folder / "model", kind);
    EXPECT_TRUE(close(again.table, network.table, {1e-3, 1e-3})) << "16 bits";
    EXPECT_EQ(load_weight_file(folder / "model").metadata.at("made_by"), "a test");
    network.config.layers = 3;
    save_network(network, kind, folder / "odd");
    EXPECT_TRUE(refuses<FileError>([&] { (void)load_network<TableModel>(folder / "odd", kind); },
                                   {"odd: not the weights of a small model: 3 layers are odd"}));
}

}  // namespace
}  // namespace tfs::test
