// tests/07_block/transformer_block_test.cpp · step transformer_block: PyTorch's values, properties, diagnosis
#include "tests/07_block/block_suspects.hpp"
#include "tests/07_block/checklist.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/memory.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

struct BlockCase {
    std::string name;
    BlockConfig config;
    OptionalMask mask;
};
// Every place of the norm, activation and mask of torch.nn.TransformerEncoderLayer.
std::vector<BlockCase> encoder_layers() {
    std::vector<BlockCase> cases;
    for (const NormPosition position : both_positions) {
        for (const Activation activation : {Activation::relu, Activation::gelu}) {
            BlockConfig config = small(position);
            config.activation = activation;
            for (const auto& [name, mask] : masks())
                cases.push_back(
                    {name_of(position) + (activation == Activation::relu ? ".relu." : ".gelu.") + name,
                     config, mask});
        }
    }
    return cases;
}

TEST(transformer_block, equals_the_encoder_layer_of_pytorch) {
    const Tensor x = golden()["x"];
    for (const BlockCase& c : encoder_layers()) {
        const TransformerBlock block = golden_block(c.config);
        const AttentionOutput result = block(x, c.mask);
        EXPECT_TRUE(close_named(c.name, result.output, golden()[c.name + ".output"], {},
                                block_suspects(block, x, c.mask)));
        const Tensor weights = golden()[c.name + ".weights"];
        EXPECT_TRUE(close_named(c.name + ", weights", result.weights, weights, {}, weights_suspects(weights)))
            << likely_if(result.weights.rank() == 0, "the weights of attention are not returned");
    }
}

TEST(transformer_block, sends_the_gradients_of_the_encoder_layer) {
    for (const BlockCase& c : encoder_layers()) {
        const TransformerBlock block = golden_block(c.config);
        const Tensor x = leaf("x");
        expect_gradients(c.name + ".", block(x, c.mask).output, x, block.parameters());
        if (HasFailure()) break;  // one case tells it
    }
}

TEST(transformer_block, equals_a_block_of_llama) {
    const TransformerBlock block = golden_block(small_llama());
    const Tensor x = leaf("x");
    const AttentionOutput result = block(x, causal_mask(5));
    EXPECT_TRUE(close_named("RMSNorm, SwiGLU, rotary positions", result.output, golden()["llama.output"], {},
                            block_suspects(block, x, causal_mask(5))));
    EXPECT_TRUE(close_named("weights", result.weights, golden()["llama.weights"]));
    if (HasFailure()) return;  // what is wrong with the output tells more
    expect_gradients("llama.", result.output, x, block.parameters());
}

TEST(transformer_block, equals_pytorch_in_training) {
    for (const NormPosition position : both_positions) {
        BlockConfig config = small(position);
        config.dropout = 0.25;
        const TransformerBlock block = golden_block(config);
        const Tensor x = leaf("x");
        const std::uint64_t seed = position == NormPosition::pre ? 72 : 73;
        Rng rng(seed);
        const auto [y, weights] = block(x, causal_mask(5), &rng);
        const auto with = [&](bool first, bool second, bool between = false, bool at_the_end = false) {
            return [=] {
                Rng other(seed);
                const auto dropped = [&](const Tensor& t, bool here) {
                    return dropout(t, here ? 0.25 : 0, &other);
                };
                const Tensor attended = block.attention(x, causal_mask(5), first ? &other : nullptr).output;
                const Tensor fed = block.feed_forward(dropped(attended, between), second ? &other : nullptr);
                return dropped(fed, at_the_end);
            };
        };
        const std::string prefix = name_of(position) + ".dropped.";
        const auto right = close_named(
            name_of(position), y, golden()[prefix + "output"], {},
            {{"nothing is dropped although there is an Rng", with(false, false)},
             {"dropout in one half only: rng is not passed on to the feed-forward half", with(true, false)},
             {"dropout in one half only: rng is not passed on to attention", with(false, true)},
             {"dropout falls between the halves: they drop what they add themselves", with(true, true, true)},
             {"dropout falls on the result: the halves drop what they add themselves",
              with(true, true, false, true)}});
        EXPECT_TRUE(right);
        const auto evaluated =
            close_named("in evaluation", block(x, causal_mask(5)).output, with(false, false)(), {},
                        {{"the mask is not passed on in evaluation",
                          [&] { return block.feed_forward(block.attention(x).output); }}});
        EXPECT_TRUE(evaluated) << likely_if(right && !has_cause(evaluated), dropped_in_evaluation);
        if (HasFailure()) break;  // one case tells it
        Rng same(seed);
        const Tensor used = block.attention(x, causal_mask(5), &same).weights;
        std::vector<Suspect> others = weights_suspects(used);
        const std::string other_call =
            "the weights come from a second call: attention ran twice, and these were not used";
        others.push_back({other_call, [&] { return block.attention(x, causal_mask(5)).weights; }});
        others.push_back({other_call, [&] {
                              Rng again(seed);
                              (void)block(x, causal_mask(5), &again);
                              return block.attention(x, causal_mask(5), &again).weights;
                          }});
        EXPECT_TRUE(close_named(name_of(position) + ", weights", weights, used, {}, others));
        if (HasFailure()) break;  // one case tells it
        expect_gradients(prefix, y, x, block.parameters());
    }
}

TEST(transformer_block, sends_a_gradient_through_the_weights_as_well) {
    const TransformerBlock block = golden_block(small());
    expect_gradient_through_weights("the weights", normal({2, 3, 8}, 12),
                                    [&](const Tensor& x) { return block(x).weights; });
}

TEST(transformer_block, agrees_with_finite_differences) {
    const TransformerBlock block = golden_block(small_llama());
    EXPECT_TRUE(gradients_match([&](const std::vector<Tensor>& in) { return block(in[0]).output; },
                                {normal({1, 3, 8}, 6)}));
}

TEST(transformer_block, under_a_causal_mask_nothing_depends_on_the_future) {
    for (const BlockConfig& config : {small(), small(NormPosition::post), small_llama()}) {
        const TransformerBlock block = golden_block(config);
        const Tensor x = normal({1, 6, 8}, 7);
        const Tensor other =
            concat({slice(x, 1, 0, 3), normal({1, 3, 8}, 8)}, 1);  // another future from 3 on
        const Tensor y = block(x, causal_mask(6)).output, z = block(other, causal_mask(6)).output;
        EXPECT_TRUE(close(slice(z, 1, 0, 3), slice(y, 1, 0, 3)))
            << likely_if(bool(close(y, block(x).output)), "the mask is not passed on");
    }
}

TEST(transformer_block, without_positions_permuted_tokens_give_permuted_outputs) {
    const TransformerBlock block = golden_block(small());
    const Tensor x = normal({1, 4, 8}, 9);
    const auto turned = [](const Tensor& t) { return concat({slice(t, 1, 2, 4), slice(t, 1, 0, 2)}, 1); };
    EXPECT_TRUE(close(block(turned(x)).output, turned(block(x).output)));
}

const std::string mask_forgotten =
    "the mask is not passed on where x begins later, or keys came before: it is handed on as it is";

TEST(transformer_block, asks_for_earlier_keys_and_values_once) {
    const TransformerBlock block = golden_block(small());
    Pass pass;
    std::vector<std::size_t> layers;
    pass.with_earlier = [&](std::size_t layer, const KeysValues& own) {
        layers.push_back(layer);
        return own;
    };
    const Tensor x = normal({1, 4, 8}, 10);
    const Tensor y = block(x, causal_mask(4), pass.in_layer(7)).output;
    EXPECT_EQ(layers, std::vector<std::size_t>{7})
        << likely_if(layers.empty(), "the pass is not passed on to attention as it is: with_earlier is lost")
        << likely_if(layers.size() == 1, "pass.layer is lost: attention gets the pass as it is")
        << likely_if(layers.size() > 1,
                     "attention is called more than once: one call gives output and weights");
    if (HasFailure()) return;
    EXPECT_TRUE(close_named("with no keys before x", y, block(x, causal_mask(4)).output, {},
                            {{mask_forgotten, [&] { return block(x).output; }}}));
}

TEST(transformer_block, passes_the_position_of_x_on) {
    const TransformerBlock block = golden_block(small_llama());
    const Tensor x = normal({1, 4, 8}, 10);
    const Pass late(nullptr, 3);
    const Tensor expected = block.feed_forward(block.attention(x, causal_mask(4), late).output);
    // Rotary positions depend on distances alone, so a pass that gets lost is seen where the table ends.
    EXPECT_TRUE(close(block(x, causal_mask(4), late).output, expected, {},
                      {{mask_forgotten,
                        [&] { return block.feed_forward(block.attention(x, std::nullopt, late).output); }}}));
    EXPECT_TRUE(refuses<ValueError>([&] { block(x, causal_mask(4), Pass(nullptr, 14)); }, {"16"},
                                    "positions 14 to 17 of a table of 16",
                                    "the pass is not passed on to attention, or only its rng is"));
}

TEST(transformer_block, names_its_parameters) {
    BlockConfig config = small_llama();
    config.attention_bias = AttentionBias::qkv;
    Rng rng(1);
    const TransformerBlock block(config, rng);
    ASSERT_NO_THROW(block(normal({1, 2, 8}, 1)));
    std::string names;
    for (const NamedTensor& p : block.parameters()) names += p.name + " ";
    EXPECT_EQ(
        names,
        "attention.w_q.weight attention.w_q.bias attention.w_k.weight attention.w_k.bias "
        "attention.w_v.weight attention.w_v.bias attention.w_o.weight attention.norm.gamma "
        "feed_forward.gate.weight feed_forward.up.weight feed_forward.down.weight feed_forward.norm.gamma ");
}

TEST(transformer_block, a_thousand_training_steps_keep_the_resident_size_flat) {
    BlockConfig config = small_llama();
    config.dropout = 0.1;
    Rng rng(1);
    TransformerBlock block(config, rng);
    const Parameters parameters = block.parameters();
    std::vector<Tensor> inputs;  // of several lengths, so that arrays of several sizes come and go
    for (std::size_t seq = 4; seq <= 12; ++seq) inputs.emplace_back(rng.normal_array({2, seq, 8}));
    const auto step = [&](std::size_t i) {
        const Tensor& x = inputs[i % inputs.size()];
        const Tensor y = block(x, causal_mask(x.size(1)), &rng).output;
        gradient_step(mean(y * y), parameters, 0.01f);
    };
    EXPECT_TRUE(resident_size_stays_flat(step, 200, 1000));
}

TEST(transformer_block, refuses_what_does_not_fit) {
    Rng rng(1);
    const TransformerBlock block(small(), rng);
    ASSERT_NO_THROW(block(normal({2, 5, 8}, 1), causal_mask(5)));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            block(normal({2, 5, 12}, 1));
        },
        {"(2, 5, 12)", "8"}, "x of width 12"));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            block(normal({2, 5, 8}, 1), Mask::from({3, 1, 1, 5}, std::vector(15, 1)));
        },
        {"(3, 1, 1, 5)", "(2, 2, 5, 5)"}, "a mask for 3 sequences, where x has 2",
        "the mask is not passed on to attention"));
}

TEST(transformer_block, refuses_a_config_with_all_its_problems_in_one_sentence) {
    Rng rng(1);
    ASSERT_NO_THROW(TransformerBlock(small(), rng)(normal({1, 2, 8}, 1)));
    BlockConfig config = small_llama();
    config.num_heads = 3;
    config.d_ff = 0;
    config.dropout = 1.5;
    config.norm_eps = -0.5f;
    config.rotary->max_len = 0;
    EXPECT_EQ(problems(config).size(), 5u);
    EXPECT_TRUE(
        refuses<ValueError>([&] { TransformerBlock(config, rng); },
                            {"3 heads don't divide d_model = 8", "d_ff is 0", "1.5", "-0.5", "max_len is 0"},
                            "a config with five problems"));
    config = small_llama();
    config.d_model = 6;
    EXPECT_TRUE(refuses<ValueError>([&] { TransformerBlock(config, rng); }, {"6 / 2 = 3"},
                                    "rotary pairs of d_k = 3"));
    EXPECT_EQ(problems(small_llama()).size() + problems(bert_block()).size() + problems(qwen_block()).size(),
              0u);
}

}  // namespace
}  // namespace tfs::test
