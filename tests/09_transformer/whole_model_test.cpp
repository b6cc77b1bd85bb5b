// tests/09_transformer/whole_model_test.cpp · step whole_model: the stages of the shipped decoder; its solution for GPT-2 and LLaMA
#include "chapters/09_transformer/whole_model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "common/io/safetensors.hpp"
#include "common/io/weights.hpp"
#include "tests/09_transformer/checklist.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/runs.hpp"

namespace tfs::test {
namespace {

// What Transformer has computed at each stage.
std::vector<Stage> stages_of(const Transformer& model, const Ids& ids) {
    const NoGrad no_grad;
    Tensor x = model.embed(ids);
    std::vector<Stage> stages{{"embedding", x}};
    for (const TransformerBlock& block : std::get<Stack>(model.stack).blocks) {
        x = block(x, causal_mask(ids.shape()[1])).output;
        stages.push_back({fmt::format("blocks.{}", stages.size() - 1), x});
    }
    const TransformerOutput result = model(ids);
    stages.push_back({"final_norm", result.hidden});
    stages.push_back({"logits", result.logits});
    return stages;
}

std::vector<std::string> names_of(const std::vector<Stage>& stages) {
    std::vector<std::string> names;
    for (const Stage& stage : stages) names.push_back(stage.name);
    return names;
}

// The same to a share of its largest entry. GELU's tanh form changes blocks.0 by 2e-4 of it, another eps by 6e-4; another order
// of sums by 1e-6.
testing::AssertionResult same_stage(const std::string& what, const Tensor& got, const Tensor& right) {
    float largest = 0.0f;
    for (const float value : right.values()) largest = std::max(largest, std::abs(value));
    return close_named(what, got, right, {0.0, 2e-5 * static_cast<double>(largest)});
}

// Up to the first that differs, as far as they have the right names.
void expect_same_stages(const std::vector<Stage>& stages, const std::vector<Stage>& right) {
    for (std::size_t i = 0; i < right.size() && i < stages.size() && stages[i].name == right[i].name; ++i)
        ASSERT_TRUE(same_stage(fmt::format("stage {}{}, at (window, position, column)", right[i].name,
                                           i == 0 ? "" : ", the first that differs"),
                               stages[i].x, right[i].x));
}

// The decoder, the same as a Transformer, and the beginning of what chapter 10 recorded of it.
struct Shipped {
    TrainedModel trained = load_trained_model(weights_file("characters"), character_kind());
    WholeModel model{trained};
    TextTransformer network = load_network<TextTransformer>(weights_file("characters"), character_kind());
    Ids ids = recorded_windows(trained.tokenizer, 4);  // (4, 30)

    std::vector<Stage> right(const Ids& of) const { return stages_of(network.model, of); }
};
const Shipped& shipped() {
    static const Shipped once;
    return once;
}
const Prepared prepared("whole_model", [] { (void)shipped(); });

TEST(whole_model, returns_a_stage_for_each_part) {
    const Shipped& given = shipped();
    EXPECT_EQ(names_of(given.model(given.ids)),
              (std::vector<std::string>{"embedding", "blocks.0", "blocks.1", "blocks.2", "blocks.3",
                                        "final_norm", "logits"}));
}

TEST(whole_model, computes_each_stage_of_the_shipped_decoder) {
    const Shipped& given = shipped();
    expect_same_stages(given.model(given.ids), given.right(given.ids));
}

TEST(whole_model, reads_texts_of_any_length) {
    const Shipped& given = shipped();
    for (const auto& [batch, seq] : {std::pair<std::size_t, std::size_t>(1, 1), {3, 11}}) {
        Ids ids = Ids::from_shape({batch, seq});
        std::copy_n(given.ids.begin(), ids.size(), ids.begin());
        const std::vector<Stage> stages = given.model(ids);
        ASSERT_GT(stages.size(), 0u) << "stages";
        EXPECT_TRUE(same_stage(fmt::format("logits of ids ({}, {})", batch, seq), stages.back().x,
                               given.right(ids).back().x));
    }
}

// --- the solution alone: other models, and what it refuses --------------------------------------------------------

const TransformerConfig small_gpt = golden_config("gpt2"), small_llama = golden_config("llama");

TEST(whole_model_kinds, gives_the_stages_of_gpt_and_llama_and_of_mixtures) {
    std::vector<TransformerConfig> configs{small_gpt, small_llama};
    TransformerConfig config = small_llama;
    config.block.positions = Rotary{.theta = 100.0, .layout = RotaryLayout::interleaved};
    config.block.attention_bias = AttentionBias::qkv;
    configs.push_back(config);
    config = small_gpt;
    config.block.attention_bias = AttentionBias::none;
    config.block.feed_forward_bias = Bias::no;
    configs.push_back(config);
    config = small_gpt;  // learned positions, biases, a tied output …
    config.block.norm = NormKind::rms_norm;
    config.block.feed_forward = FeedForwardKind::swiglu;
    configs.push_back(config);
    config = small_gpt;  // … and LayerNorm and GELU with rotary positions and an output of its own
    config.block.positions = Rotary{};
    config.block.activation = Activation::gelu;
    config.tied_output = false;
    configs.push_back(config);
    const ScratchFolder folder;
    for (const TransformerConfig& each : configs) {
        const Transformer model = filled(each);
        save_weights(model, folder / "model");
        const std::vector<Stage> stages = WholeModel(each, folder / "model")(three_rows);
        EXPECT_EQ(names_of(stages), names_of(stages_of(model, three_rows)));
        expect_same_stages(stages, stages_of(model, three_rows));
    }
}

TEST(whole_model_kinds, refuses_a_file_without_a_weight_that_the_config_asks_for) {
    const ScratchFolder folder;
    for (const TransformerConfig& config : {small_gpt, small_llama}) {
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

TEST(whole_model_kinds, refuses_files_and_ids_that_do_not_fit) {
    const ScratchFolder folder;
    EXPECT_TRUE(refuses<FileError>([&] { WholeModel(small_gpt, folder / "none"); }, {"none"}));
    EXPECT_TRUE(refuses<FileError>([] { (void)load_trained_model(weights_file("dates"), character_kind()); },
                                   {"not the weights of a character"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { WholeModel(load_trained_model(weights_file("dates"), date_kind())); },
                            {"only Transformer computes"}));
    TransformerConfig wide = small_llama;
    wide.block.d_model = 16;
    save_weights(filled(wide), folder / "wide");
    EXPECT_TRUE(refuses<ShapeError>([&] { WholeModel(small_llama, folder / "wide")(three_rows); },
                                    {"width = 4", "8 in x"}));
    save_weights(filled(small_gpt), folder / "model");
    const WholeModel model(small_gpt, folder / "model");
    EXPECT_TRUE(refuses<ValueError>([&] { model(Ids{{3, 11}}); }, {"id 11", "10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { model(all_ones(1, 11)); }, {"11", "max_len = 10"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { model(all_ones(1, 0)); }, {"(1, 0)"}));
}

TEST(whole_model_kinds, refuses_configs_of_models_that_it_does_not_compute) {
    const auto refuse = [](const std::string& what, const TransformerConfig& config) {
        EXPECT_TRUE(refuses<ValueError>([&] { WholeModel(config, "no file is opened"); },
                                        {what, "only Transformer computes"}));
    };
    TransformerConfig post = small_gpt, sinusoids = small_gpt;
    post.block.norm_position = NormPosition::post;
    sinusoids.block.positions = Sinusoids{};
    refuse("an encoder", golden_config("bert"));
    refuse("post-norm", post);
    refuse("sinusoids", sinusoids);
}

}  // namespace
}  // namespace tfs::test
