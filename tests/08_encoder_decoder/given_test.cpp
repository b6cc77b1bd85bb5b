// tests/08_encoder_decoder/given_test.cpp · what is given: the mask of self-attention, costs, and what the parts refuse
#include <gtest/gtest.h>

#include "chapters/08_encoder_decoder/cost.hpp"
#include "tests/08_encoder_decoder/checklist.hpp"
#include "tests/support/earlier.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(given_self_attention_mask, makes_an_encoder_or_a_decoder_of_the_block_as_in_pytorch) {
    for (const auto& [name, kind] :
         {std::pair("encoder", StackKind::encoder), std::pair("decoder", StackKind::decoder)})
        for (const std::string& form : forms) {
            Rng rng(1);
            const TransformerBlock block(small(form), rng);
            const Tensor x = leaf("source");
            const Parameters leaves = load("encoder.blocks.0.", block.parameters(), {{"source", x}});
            const AttentionOutput result =
                block(x, self_attention_mask(kind, x.size(1), padding("source_padding")), with_weights);
            expect_golden(form + "." + name + "_block.", result.output,
                          {{"encoder_weights", {result.weights}}}, leaves, 1e-5);
        }
}

// Alone, a sequence that begins later counts its own keys; behind two positions, the last three rows of the mask for all five.
TEST(given_self_attention_mask, of_queries_that_begin_later_than_the_keys) {
    const Tensor two_positions = Tensor::zeros({1, 1, 2, 1});
    SameEarlier earlier(KeysValues{two_positions, two_positions});
    const Pass late{.offset = 2, .earlier = &earlier};
    const Padding none, real = Mask::from({1, 1, 1, 5}, {1, 0, 1, 1, 1});
    const Padding of_two = Mask::from({2, 1, 1, 5}, {1, 0, 1, 1, 1, 1, 1, 0, 1, 1});
    const Mask causal = causal_mask(3, 5, 2);
    const auto decoder = [](const Padding& p, const Pass& pass) {
        return self_attention_mask(StackKind::decoder, 3, p, pass)->array();
    };
    EXPECT_EQ(decoder(none, {.offset = 2}), causal_mask(3).array());
    EXPECT_EQ(decoder(none, late), causal.array());
    for (const Padding& p : {real, of_two}) EXPECT_EQ(decoder(p, late), (causal & *p).array());
    EXPECT_EQ(self_attention_mask(StackKind::encoder, 3, real, late)->array(), real->array());
    EXPECT_FALSE(self_attention_mask(StackKind::encoder, 5).has_value());
}

TEST(costs, count_the_parameters_that_a_model_has) {
    Rng rng(7);
    for (const bool final_norm : {true, false})
        for (const BlockConfig& block : {small("pre"), small("post"), llama_block(width, 3, 4 * width, 16)}) {
            const StackConfig config{block, 2, final_norm};
            EXPECT_EQ(total(encoder_decoder_costs(config, 5, 7, 6)).parameters,
                      count_parameters(EncoderDecoder(config, rng).parameters()));
            EXPECT_EQ(total(stack_costs(config, "", 5, 7)).parameters,
                      count_parameters(Stack(StackKind::decoder, config, rng).parameters()));
        }
}

// Takes x (5, seq, d_model), and a padding called `name` for 5 sequences of `keys` positions: (5, 1, 1, keys) or (1, 1, 1, keys). No
// other shape.
void expect_shapes_refused(const std::string& name, std::size_t seq, std::size_t keys,
                           const std::function<void(const Tensor&, const Padding&)>& call) {
    const auto of = [](const Shape& shape) {
        return Mask::from(shape, std::vector<int>(element_count(shape), 1));
    };
    const Tensor x = normal({5, seq, width}, 8);
    for (const Padding& p : {Padding(), Padding(of({5, 1, 1, keys})), Padding(of({1, 1, 1, keys}))})
        call(x, p);
    for (const Shape& shape : {Shape{5, 1, 1, keys - 1}, Shape{4, 1, 1, keys}, Shape{keys, keys},
                               Shape{5, keys}, Shape{1, 1, keys, keys}})
        EXPECT_TRUE(refuses<ShapeError>([&] { call(x, of(shape)); },
                                        {name, to_string(Shape{5, 1, 1, keys}), to_string(shape)},
                                        "a padding of another shape"));
    for (const Shape& shape : {Shape{5, seq, width - 2}, Shape{seq, width}, Shape{width}})
        EXPECT_TRUE(refuses<ShapeError>([&] { call(normal(shape, 8), {}); },
                                        {"x", to_string(shape), std::to_string(width)}, "another shape"));
}

TEST(given_checks, refuse_shapes_that_do_not_fit) {
    Rng rng(4);
    for (const StackKind kind : {StackKind::encoder, StackKind::decoder}) {
        const Stack stacked(kind, stack("pre"), rng);
        expect_shapes_refused("padding", 7, 7, [&](const Tensor& x, const Padding& p) { stacked(x, p); });
    }
    const EncoderDecoderBlock block(small("pre"), rng);
    const Tensor x = golden()["target"];
    const KeysValues memory = block.cross.keys_values(golden()["memory"]);
    expect_shapes_refused("source_padding", 6, 7, [&](const Tensor& t, const Padding& p) {
        cross_attention(block.cross, t, memory, p);
    });
    expect_shapes_refused("source_padding", 6, 7,
                          [&](const Tensor& t, const Padding& p) { block(t, memory, p); });
    expect_shapes_refused("target_padding", 6, 6,
                          [&](const Tensor& t, const Padding& p) { block(t, memory, {}, p); });
}

TEST(given_checks, refuse_other_numbers_of_sequences_and_layers) {
    Rng rng(6);
    const EncoderDecoder model(stack("pre"), rng);
    const EncoderDecoderBlock& block = model.blocks[0];
    const Tensor target = golden()["target"];
    for (const std::size_t batch : {1u, 4u}) {
        const std::string number = std::to_string(batch);
        const Tensor source = normal({batch, 7, width}, 15);
        const KeysValues memory = block.cross.keys_values(source);
        EXPECT_TRUE(refuses<ShapeError>([&] { cross_attention(block.cross, target, memory); },
                                        {"x", "memory", "5", number}, "another batch"));
        EXPECT_TRUE(refuses<ShapeError>([&] { block(target, memory); }, {"5", number}, "another batch"));
        EXPECT_TRUE(refuses<ShapeError>([&] { model(source, target); },
                                        {"EncoderDecoder", "source", "target", "5", number},
                                        "sources and targets of different number"));
    }
    EXPECT_TRUE(refuses<ValueError>([&] { model.decode(target, Memory{golden()["memory"]}); }, {"0", "2"},
                                    "a memory without keys and values"));
}

TEST(given_checks, refuse_a_config_with_three_mistakes_and_name_all) {
    Rng rng(5);
    StackConfig config = stack("pre");
    config.block.num_heads = 5;
    config.block.dropout = 1.5;
    config.num_layers = 0;
    const std::vector<std::string> of_block{"5", "12", "1.5"}, all{"5", "12", "1.5", "0"};
    for (const StackKind kind : {StackKind::encoder, StackKind::decoder})
        EXPECT_TRUE(refuses<ValueError>([&] { Stack(kind, config, rng); }, all));
    EXPECT_TRUE(refuses<ValueError>([&] { EncoderDecoderBlock(config.block, rng); }, of_block));
    EXPECT_TRUE(refuses<ValueError>([&] { EncoderDecoder(config, rng); }, all));
}

}  // namespace
}  // namespace tfs::test
