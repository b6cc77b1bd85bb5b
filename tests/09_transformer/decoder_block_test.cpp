// tests/09_transformer/decoder_block_test.cpp · step decoder_block: the stages of the trained decoder; its solution for GPT-2 and LLaMA
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "common/io/safetensors.hpp"
#include "common/io/weights.hpp"
#include "tests/09_transformer/checklist.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/runs.hpp"

namespace tfs::test {
namespace {

const Prepared prepared_stages("decoder_block", [] { (void)shipped(); });

// Up to the first that differs.
void expect_same_stages(const std::vector<Tensor>& stages, const std::vector<Tensor>& right) {
    for (std::size_t i = 0; i < right.size() && i < stages.size(); ++i) {
        const std::string name = i == 0                  ? "rows"
                                 : i + 1 == right.size() ? "logits"
                                                         : fmt::format("block {}", i - 1);
        ASSERT_TRUE(same_stage("stage " + name + ", the first that differs", stages[i], right[i]));
    }
    EXPECT_EQ(stages.size(), right.size()) << "stages: rows, each block, logits";
}

// Each block on what enters it in the right model.
TEST(decoder_block, each_block_adds_attention_and_network) {
    const NoGrad no_grad;
    const Shipped& given = shipped();
    const std::vector<Tensor> right = stages_of(given.network.model, given.ids);
    for (std::size_t i = 0; i < 4; ++i)
        ASSERT_TRUE(same_stage(fmt::format("block {}", i), given.gpt.block(i, right[i]), right[i + 1]));
}

TEST(decoder_block, a_block_reads_streams_of_any_length) {
    const NoGrad no_grad;
    const Shipped& given = shipped();
    const Tensor x = normal({3, 11, 128}, 5, 0.1);
    const TransformerBlock& block = std::get<Stack>(given.network.model.stack).blocks[1];
    for (const std::size_t seq : {11u, 1u}) {
        const Tensor part = slice(x, 1, 0, seq);
        EXPECT_TRUE(same_stage(fmt::format("block 1 of x (3, {}, 128)", seq), given.gpt.block(1, part),
                               block(part, causal_mask(seq)).output));
    }
}

TEST(decoder_block, the_whole_model_gives_each_stage) {
    const NoGrad no_grad;
    const Shipped& given = shipped();
    expect_same_stages(given.gpt(given.ids), stages_of(given.network.model, given.ids));
}

// --- the solution alone: other models, and what it refuses --------------------------------------------------------

const TransformerConfig small_gpt = golden_config("gpt2"), small_llama = golden_config("llama");

TEST(gpt_kinds, gives_the_stages_of_gpt_and_llama_and_of_mixtures) {
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
    for (const TransformerConfig& each : configs) {
        const Transformer model = filled(each);
        expect_same_stages(as_gpt(model)(three_rows), stages_of(model, three_rows));
    }
}

TEST(gpt_kinds, refuses_a_file_without_a_weight_that_the_config_asks_for) {
    const ScratchFolder folder;
    for (const TransformerConfig& config : {small_gpt, small_llama}) {
        const Parameters all = filled(config).parameters();
        for (const NamedTensor& missing : all) {
            Parameters others = all;
            std::erase_if(others, [&](const NamedTensor& p) { return p.name == missing.name; });
            save_safetensors(folder / "model", others);
            const Gpt model(config, folder / "model");
            EXPECT_TRUE(
                refuses<FileError>([&] { model(three_rows); }, {"model", missing.name, "is missing"}));
        }
    }
}

TEST(gpt_kinds, refuses_files_and_ids_that_do_not_fit) {
    const ScratchFolder folder;
    EXPECT_TRUE(refuses<FileError>([&] { Gpt(small_gpt, folder / "none"); }, {"none"}));
    EXPECT_TRUE(refuses<FileError>([] { (void)load_trained_model(weights_file("dates"), character_kind()); },
                                   {"not the weights of a character"}));
    EXPECT_TRUE(refuses<ValueError>([] { Gpt(load_trained_model(weights_file("dates"), date_kind())); },
                                    {"only Transformer computes"}));
    TransformerConfig wide = small_llama;
    wide.block.d_model = 16;
    save_weights(filled(wide), folder / "wide");
    EXPECT_TRUE(refuses<ShapeError>([&] { Gpt(small_llama, folder / "wide")(three_rows); }, {"16", "8"}));
    const Gpt model = as_gpt(filled(small_gpt));
    EXPECT_TRUE(refuses<ValueError>([&] { model(Ids{{3, 11}}); }, {"id 11", "10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { model(all_ones(1, 11)); }, {"11", "max_len = 10"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { model(all_ones(1, 0)); }, {"(1, 0)"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { model.logits(Tensor::zeros({1, 2, 9})); }, {"(1, 2, 9)"}));
}

TEST(gpt_kinds, refuses_configs_of_models_that_it_does_not_compute) {
    const auto refuse = [](const std::string& what, const TransformerConfig& config) {
        EXPECT_TRUE(refuses<ValueError>([&] { Gpt(config, "no file is opened"); },
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
