// tests/09_transformer/given_test.cpp · what is given: configs, costs, saved weights, looking into a model
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chapters/09_transformer/cost.hpp"
#include "chapters/09_transformer/models/text_transformer.hpp"
#include "common/io/safetensors.hpp"
#include "common/io/weights.hpp"
#include "tests/09_transformer/checklist.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(config, a_config_tells_all_that_does_not_fit_at_once) {
    TransformerConfig c = small_config();
    c.vocab_size = 0;
    c.pooler = true;
    c.block.num_heads = 3;
    c.block.dropout = 1.5;
    EXPECT_TRUE(refuses<ValueError>([&] { made(c); }, {"vocab_size is 0", "pooler", "3 heads", "16", "1.5"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)transformer_parameters(c); }, {"vocab_size is 0", "1.5"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)preset("gpt5"); }, {"gpt5", "gpt2", "tiny-llama"}));
    for (const std::string& name : preset_names()) EXPECT_TRUE(problems(preset(name)).empty()) << name;
    c.num_layers = c.block.max_len = 0;
    EXPECT_TRUE(refuses<ValueError>([&] { made(c); }, {"num_layers is 0", "max_len is 0"}));
}

TEST(config, a_config_of_more_weights_than_can_be_counted_says_so) {
    TransformerConfig c = small_config();
    c.vocab_size = 1ull << 60;
    EXPECT_TRUE(refuses<ValueError>([&] { made(c); }, {"vocab_size = 1152921504606846976", "be counted"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)transformer_parameters(c); }, {"1152921504606846976"}));
}

TEST(costs, pooler_and_costs_refuse_shapes_that_make_no_sense) {
    const Transformer m = golden_model("bert");
    EXPECT_TRUE(refuses<ShapeError>([&] { m.pooled(Tensor::zeros({2, 8})); }, {"(2, 8)", "d_model = 8"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { (void)transformer_costs(preset("gpt2"), 1, 5000); }, {"5000", "1024"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { (void)transformer_costs(preset("original"), 1, 30); }, {"target = 0"}));
}

// But for the copies that `reshape` makes where heads are split and merged: four for each attention (block_activations,
// chapter 07).
TEST(costs, the_summary_counts_parameters_and_the_bytes_that_the_tape_keeps) {
    for (const std::string name : {"gpt2", "bert", "llama", "original"}) {
        const Transformer m = golden_model(name);
        const bool both = name == "original";
        const TransformerOutput result = both ? m(source_rows, target_rows) : m(three_rows);
        const std::size_t row = sizeof(float) * 3 * 8;
        const auto copies = [&](std::size_t query, std::size_t key) {  // in two layers
            return 2 * copies_of_reshape(m.config.block, 3, query, key);
        };
        std::size_t expected = both ? total(transformer_costs(m.config, 3, 6, 7)).bytes + copies(6, 6) +
                                          copies(7, 7) + copies(7, 6)
                                    : total(transformer_costs(m.config, 3, 7)).bytes + copies(7, 7);
        if (m.pooler) expected -= 3 * row;  // it hangs on `hidden`, not on the logits
        EXPECT_EQ(tape_bytes(result.logits), expected) << name;
        EXPECT_EQ(total(transformer_costs(m.config, 3, 6, 5)).parameters, count_parameters(m.parameters()))
            << name;
    }
}

TEST(saved_weights, saved_weights_give_the_same_logits_to_the_bit) {
    const ScratchFolder folder;
    const auto path = folder / "model.safetensors";
    const Transformer m = golden_model("bert");
    Transformer other = undrawn(m.config);
    save_weights(m, path);
    ASSERT_FALSE(close(other(three_rows).logits, m(three_rows).logits));
    load_weights(other, path);
    EXPECT_TRUE(close(other(three_rows).logits, m(three_rows).logits, {0, 0}));
}

TEST(saved_weights, a_file_that_does_not_fit_is_refused_as_a_whole) {
    const ScratchFolder folder;
    const auto path = folder / "model.safetensors";
    Transformer m = golden_model("gpt2");
    save_weights(golden_model("bert"), path);
    const Array before = m.embedding.weight.array();
    EXPECT_TRUE(refuses<FileError>([&] { load_weights(m, path); },
                                   {"final_norm.gamma", "final_norm.beta", "segments.weight"}));
    TransformerConfig wide = m.config;
    wide.block.d_ff = 16;
    save_weights(undrawn(wide), path);
    EXPECT_TRUE(refuses<FileError>(
        [&] { load_weights(m, path); },
        {"blocks.0.feed_forward.up.weight", "blocks.0.feed_forward.down.weight", "(16, 8)", "(12, 8)"}));
    EXPECT_TRUE(
        refuses<FileError>([&] { load_weights(m, folder / "none.safetensors"); }, {"none.safetensors"}));
    EXPECT_TRUE(close(m.embedding.weight.array(), before, {0, 0}))
        << "nothing may be changed by a file that does not fit";
}

TEST(induction_model, the_induction_model_refuses_other_shapes_and_texts) {
    InductionModel model;
    EXPECT_EQ(run_induction(model, Ids{{0, 3, 15}}).logits.shape(), (Shape{1, 3, 16}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)run_induction(model, Ids{{0, 16}}); }, {"16", "15"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)run_induction(model, all_ones(1, 65)); }, {"65", "64"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)run_induction(model, three_rows); }, {"(3, 7)"}));
    model.second.w_k = Tensor::zeros({16, 64}).array();
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)run_induction(model, Ids{{0, 3}}); }, {"w_k", "(16, 64)"}));
}

// Decoders of every kind, and an encoder in post-norm, without a final norm.
TEST(reading, ends_where_the_model_ends) {
    const NoGrad no_grad;
    std::vector<Transformer> models = decoders();
    models.push_back(golden_model("bert"));
    for (const Transformer& model : models) {
        const TransformerOutput output = model(three_rows, with_weights);
        const Reading reading = read_through(model, three_rows);
        ASSERT_EQ(reading.streams.size(), model.config.num_layers + 1);
        ASSERT_EQ(reading.weights.size(), model.config.num_layers);
        for (std::size_t i = 0; i < reading.weights.size(); ++i)
            EXPECT_TRUE(close(reading.weights[i], output.self_weights[i], Tolerance{0.0, 1e-6}));
        EXPECT_TRUE(close(lens(model, reading.streams.back()), output.logits, Tolerance{0.0, 1e-5}));
        EXPECT_TRUE(close(reading.streams.front(), model.embed(three_rows), Tolerance{0.0, 1e-6}));
    }
}

TEST(reading, refuses_what_is_not_there) {
    EXPECT_THROW((void)read_through(golden_model("original"), three_rows), ValueError);
    EXPECT_THROW((void)read_through(golden_model("gpt2"), Ids{{4, 30}}), ValueError) << "no token";
}

// --- the blank page of the solution: other models, and what it refuses; a learner's computes the trained decoder ------

const TransformerConfig small_gpt = golden_config("gpt2");

TEST(gpt_kinds, gives_the_stages_of_gpt_2_and_of_one_with_rotary_positions) {
    TransformerConfig rotary = small_gpt;
    rotary.block.positions = Rotary{.theta = 100.0, .layout = RotaryLayout::interleaved};
    for (const TransformerConfig& each : {small_gpt, rotary}) {
        const Transformer model = filled(each);
        expect_same_stages(as_gpt(model)(three_rows), stages_of(model, three_rows));
    }
}

TEST(gpt_kinds, refuses_a_file_without_a_weight_that_the_config_asks_for) {
    const ScratchFolder folder;
    const Parameters all = filled(small_gpt).parameters();
    for (const NamedTensor& missing : all) {
        Parameters others = all;
        std::erase_if(others, [&](const NamedTensor& p) { return p.name == missing.name; });
        save_safetensors(folder / "model", others);
        const Gpt model(small_gpt, folder / "model");
        EXPECT_TRUE(refuses<FileError>([&] { model(three_rows); }, {"model", missing.name, "is missing"}));
    }
}

TEST(gpt_kinds, refuses_files_and_ids_that_do_not_fit) {
    const ScratchFolder folder;
    EXPECT_TRUE(refuses<FileError>([&] { Gpt(small_gpt, folder / "none"); }, {"none"}));
    EXPECT_TRUE(refuses<FileError>([] { (void)load_trained_model(weights_file("dates"), character_kind()); },
                                   {"not the weights of a character"}));
    EXPECT_TRUE(refuses<ValueError>([] { Gpt(load_trained_model(weights_file("dates"), date_kind())); },
                                    {"only Transformer computes"}));
    TransformerConfig wide = small_gpt;
    wide.block.d_model = 16;
    save_weights(filled(wide), folder / "wide");
    EXPECT_TRUE(refuses<ShapeError>([&] { Gpt(small_gpt, folder / "wide")(three_rows); }, {"16", "8"}));
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
    refuse("RMSNorm", golden_config("llama"));
    refuse("post-norm", post);
    refuse("sinusoids", sinusoids);
}

}  // namespace
}  // namespace tfs::test
