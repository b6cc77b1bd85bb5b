// tests/09_transformer/whole_model_kinds_test.cpp · the solution of step whole_model computes what Transformer does, for GPT-2 and LLaMA
#include "chapters/09_transformer/whole_model.hpp"

#include <algorithm>
#include <cmath>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "common/io/safetensors.hpp"
#include "common/program/weights.hpp"
#include "tests/09_transformer/checklist.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Of GPT-2's kind, and of LLaMA's.
TransformerConfig small_gpt() { return golden_config("gpt2"); }
TransformerConfig small_llama() { return golden_config("llama"); }

// No weight is that of a new model, which would hide a bias or a beta that is forgotten.
Transformer filled(const TransformerConfig& config) {
    Transformer model = undrawn(config);
    std::uint64_t seed = 1;
    for (NamedTensor& p : model.parameters())
        p.tensor.mutable_array() = normal(p.tensor.shape(), seed++, 0.1, 0.5).array();
    return model;
}

// What Transformer has computed at each stage.
std::vector<Stage> stages_of(const Transformer& model, const Ids& ids) {
    const TransformerOutput result = model(ids);
    Tensor x = model.embed(ids);
    std::vector<Stage> stages{{"embedding", x}};
    for (const TransformerBlock& block : std::get<Stack>(model.stack).blocks) {
        x = block(x, causal_mask(ids.shape()[1])).output;
        stages.push_back({"blocks." + std::to_string(stages.size() - 1), x});
    }
    stages.push_back({"final_norm", result.hidden});
    stages.push_back({"logits", result.logits});
    return stages;
}

// All stages to 1e-5 of their largest entry.
void expect_same_stages(const std::vector<Stage>& stages, const std::vector<Stage>& expected) {
    ASSERT_EQ(stages.size(), expected.size());
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const Tolerance tolerance{0.0, 1e-5 * largest_entry(expected[i].x)};
        EXPECT_EQ(stages[i].name, expected[i].name);
        EXPECT_TRUE(close_named(stages[i].name, stages[i].x, expected[i].x, tolerance));
    }
}

void expect_same_from_file(const TransformerConfig& config) {
    const ScratchFolder folder;
    const Transformer model = filled(config);
    save_weights(model, folder / "model");
    expect_same_stages(WholeModel(config, folder / "model")(three_rows), stages_of(model, three_rows));
}

TEST(whole_model_kinds, gives_the_stages_of_the_shipped_character_model) {
    const TrainedModel trained = load_trained_model(weights_file("characters"), character_kind());
    const auto network = load_network<TextTransformer>(weights_file("characters"), character_kind());
    const Ids ids =
        trained.tokenizer.encode("First Citizen:\nBefore we proceed any further, hear me speak.\n\nA");
    expect_same_stages(WholeModel(trained)(ids), stages_of(network.model, ids));
}

TEST(whole_model_kinds, gives_the_stages_of_a_gpt) { expect_same_from_file(small_gpt()); }

TEST(whole_model_kinds, gives_the_stages_of_a_llama_in_both_layouts_of_rotary_positions) {
    TransformerConfig config = small_llama();
    expect_same_from_file(config);
    config.block.positions = Rotary{.theta = 100.0, .layout = RotaryLayout::interleaved};
    expect_same_from_file(config);
}

TEST(whole_model_kinds, adds_the_biases_that_the_config_asks_for) {
    TransformerConfig config = small_llama();
    config.block.attention_bias = AttentionBias::qkv;
    expect_same_from_file(config);
    config = small_gpt();
    config.block.attention_bias = AttentionBias::none;
    config.block.feed_forward_bias = Bias::no;
    expect_same_from_file(config);
}

TEST(whole_model_kinds, mixes_the_parts_of_both) {
    TransformerConfig config = small_gpt();  // learned positions, biases, a tied output …
    config.block.norm = NormKind::rms_norm;
    config.block.feed_forward = FeedForwardKind::swiglu;
    expect_same_from_file(config);
    config = small_gpt();  // … and LayerNorm and GELU with rotary positions and an output of its own
    config.block.positions = Rotary{};
    config.block.activation = Activation::gelu;
    config.tied_output = false;
    expect_same_from_file(config);
}

TEST(whole_model_kinds, names_its_stages_and_ends_with_the_logits) {
    const ScratchFolder folder;
    save_weights(filled(small_llama()), folder / "model");
    std::vector<std::string> names;
    for (const Stage& stage : WholeModel(small_llama(), folder / "model")(three_rows)) {
        names.push_back(stage.name);
        EXPECT_EQ(stage.x.shape(), (Shape{3, 7, stage.name == "logits" ? 11U : 8U})) << stage.name;
    }
    EXPECT_EQ(names, (std::vector<std::string>{"embedding", "blocks.0", "blocks.1", "final_norm", "logits"}));
}

TEST(whole_model_kinds, refuses_a_file_without_a_weight_that_the_config_asks_for) {
    const ScratchFolder folder;
    for (const TransformerConfig& config : {small_gpt(), small_llama()}) {
        const Parameters all = filled(config).parameters();
        for (const NamedTensor& missing : all) {
            Parameters others = all;
            std::erase_if(others, [&](const NamedTensor& p) { return p.name == missing.name; });
            save_safetensors(folder / "model", others);
            const WholeModel model(config, folder / "model");
            EXPECT_TRUE(
                refuses<FileError>([&] { model(three_rows); }, {"model", missing.name, "is missing"}));
        }
    }
}

TEST(whole_model_kinds, refuses_files_that_are_no_weights_or_have_other_shapes) {
    const ScratchFolder folder;
    EXPECT_TRUE(refuses<FileError>([&] { WholeModel(small_gpt(), folder / "none"); }, {"none"}));
    EXPECT_TRUE(refuses<FileError>([] { (void)load_trained_model(weights_file("dates"), character_kind()); },
                                   {"not the weights of a character"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { WholeModel(load_trained_model(weights_file("dates"), date_kind())); },
                            {"only Transformer computes"}));
    TransformerConfig wide = small_llama();
    wide.block.d_model = 16;
    save_weights(filled(wide), folder / "wide");
    EXPECT_TRUE(refuses<ShapeError>([&] { WholeModel(small_llama(), folder / "wide")(three_rows); },
                                    {"width 8", "4"}));
}

TEST(whole_model_kinds, refuses_ids_that_the_model_does_not_know_and_too_many_of_them) {
    const ScratchFolder folder;
    save_weights(filled(small_gpt()), folder / "model");
    const WholeModel model(small_gpt(), folder / "model");
    EXPECT_TRUE(refuses<ValueError>([&] { model(Ids{{3, 11}}); }, {"id 11", "10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { model(Ids{{3, -1}}); }, {"id -1", "10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { model(all_ones(1, 11)); }, {"11", "max_len = 10"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { model(all_ones(1, 0)); }, {"(1, 0)"}));
}

TEST(whole_model_kinds, refuses_configs_of_models_that_it_does_not_compute) {
    const auto refuse = [](const std::string& what, const TransformerConfig& config) {
        EXPECT_TRUE(refuses<ValueError>([&] { WholeModel(config, "no file is opened"); },
                                        {what, "only Transformer computes"}));
    };
    TransformerConfig post = small_gpt(), grouped = small_llama();
    post.block.norm_position = NormPosition::post;
    grouped.block.num_kv_heads = 1;
    refuse("an encoder", golden_config("bert"));
    refuse("post-norm", post);
    refuse("grouped queries", grouped);
    const auto with = [](const PositionChoice& positions) {
        TransformerConfig config = small_gpt();
        config.block.positions = positions;
        return config;
    };
    refuse("a model without positions", with(NoPositions{}));
    refuse("sinusoids", with(Sinusoids{}));
    refuse("ALiBi", with(Alibi{}));
    TransformerConfig wrong = small_gpt();
    wrong.block.num_heads = 3;
    EXPECT_TRUE(refuses<ValueError>([&] { WholeModel(wrong, "no file is opened"); }, {"3 heads", "8"}));
}

}  // namespace
}  // namespace tfs::test
