// tests/08_encoder_decoder/encoder_decoder_block_test.cpp · step encoder_decoder_block: PyTorch, properties, diagnosis
#include "tests/08_encoder_decoder/checklist.hpp"
#include "tests/08_encoder_decoder/kept.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// As short_source, for the target.
const Padding short_target = Mask::from({2, 1, 1, 4}, {1, 1, 0, 1, 1, 0, 1, 1});

// Wrong answers to the block under the paddings of source and target. hides_later: there is a causal mask where there is no
// padding. Some need a source as long as the target.
std::vector<Suspect> block_suspects(const EncoderDecoderBlock& b, const Tensor& x, const Tensor& memory,
                                    const Padding& source, const Padding& target, bool hides_later) {
    const Mask causal = causal_mask(x.size(1));
    const auto self = [&b](const Tensor& t, const Padding& mask) { return b.self_attention(t, mask).output; };
    const auto cross = [&b, &memory](const Tensor& t, const Padding& mask) {
        return attended(b.cross, t, memory, mask);
    };
    const auto ff = [&b](const Tensor& t) { return b.feed_forward(t); };
    const Padding right = causal & *target;
    const Tensor back = self(x, right), across = cross(back, source), crossed = cross(x, source);
    const auto of = [](const Tensor& t) { return [t] { return t; }; };
    const auto shared = [&](const AttentionSublayer& s, const Norm& norm) {
        return of(ff(attended(s, norm, back, back, memory, memory, source)));
    };
    const auto by_self_attention = [&b, memory, back, source] {  // on the keys and values that `cross` made
        const AttentionSublayer& s = b.self_attention;
        const KeysValues kept = b.cross.keys_values(memory);
        const AttendingSublayer attend = [&](const Tensor& t) { return s.attend(t, kept, source); };
        return b.feed_forward(norm_and_add(s.position, s.norm, back, attend, 0.0, nullptr).output);
    };
    const std::string
        beside = "both attentions read x, and are added: cross-attention reads what self-attention gave",
        residual = "one residual connection too many: the sublayers have theirs",
        cross_weights = "cross-attention uses the weights of self-attention; it has its own: `cross`";
    std::vector<Suspect> suspects{
        {"cross-attention comes before self-attention", of(ff(self(crossed, right)))},
        {"cross-attention uses the norm of self-attention; each sublayer has its own",
         shared(b.cross, b.self_attention.norm)},
        {cross_weights, shared(b.self_attention, b.self_attention.norm)},
        {cross_weights, by_self_attention},
        {"self-attention uses the weights of cross-attention; it has its own: `self_attention`",
         of(ff(cross(b.cross(x, right).output, source)))},
        {"the target's padding is lost in self-attention", of(ff(cross(self(x, causal), source)))},
        {hides_later
             ? "the target's padding replaces the causal mask; both must hold"
             : "self-attention has no causal mask, only the target's padding: a position sees later ones",
         of(ff(cross(self(x, target), source)))},
        {"self-attention has no mask at all", of(ff(cross(self(x, std::nullopt), source)))},
        {"the source's padding is not passed to cross-attention", of(ff(cross(back, std::nullopt)))},
        {"cross-attention is fed from x, not from what self-attention gave", of(ff(crossed))},
        {"what cross-attention gives is not used: the network reads the output of self-attention",
         of(ff(back))},
        {beside, of(ff(back + crossed - x))},
        {beside, of(ff(back + crossed))},
        {"cross-attention makes keys and values of the target: it is given those of the memory",
         of(ff(attended(b.cross, back, back, std::nullopt)))},
        {"self-attention is done twice", of(ff(cross(self(back, right), source)))},
        {"cross-attention is done twice", of(ff(cross(across, source)))},
        {"the feed-forward network is done twice", of(ff(ff(across)))},
        {"the feed-forward network is left out", of(across)},
        {"the feed-forward network comes before cross-attention", of(cross(ff(back), source))},
        {residual, of(x + ff(across))},
        {residual, of(across + ff(across))},
        {residual, of(ff(x + across))},
        {residual, of(ff(back + across))},
        {residual, of(ff(cross(x + back, source)))}};
    if (x.size(1) != memory.size(1)) return suspects;
    suspects.push_back(
        {"source and target padding are exchanged", of(ff(cross(self(x, causal & *source), target)))});
    suspects.push_back({"cross-attention gets the target's padding; its keys are of the source",
                        of(ff(cross(back, target)))});
    suspects.push_back({"self-attention gets the source's padding; its keys are of the target",
                        of(ff(cross(self(x, causal & *source), source)))});
    return suspects;
}

// Whether the first position of a target without padding is kept from seeing the second one.
bool hides_later(const CrossBlockOutput& without_padding) {
    const Tensor& weights = without_padding.self_weights;
    return weights.rank() == 4 && weights.size(-1) > 1 && weights.values()[1] == 0.0f;
}

// As block(…), but for an error of a mask for 4 target positions of as many keys as the source has.
std::optional<CrossBlockOutput> output_or_cause(const EncoderDecoderBlock& block, const Tensor& x,
                                                const KeysValues& memory, const Padding& source,
                                                const Padding& target) {
    return result_or_failure(
        [&] { return block(x, memory, source, target); },
        [](const ShapeError& error) {
            return cause_of_shape(
                error, "(1, 1, 4, 5)",
                "the causal mask has as many keys as the source: the keys of self-attention are those "
                "of the target");
        });
}

TEST(encoder_decoder_block, equals_a_layer_of_pytorchs_decoder) {
    for (const std::string& form : forms) {
        Rng none = Rng::zeros();
        EncoderDecoderBlock block(small(form), none);
        const Loaded part = load("decoder.blocks.0.", block.parameters());
        const Tensor x = leaf("target"), memory = leaf("memory");
        const Padding source = padding("source_padding"), target = padding("target_padding");
        const KeysValues kept = block.cross.keys_values(memory);
        const std::optional<CrossBlockOutput> given = output_or_cause(block, x, kept, source, target);
        if (!given) return;
        const CrossBlockOutput& result = *given;
        const Parameters weights{{"self_weights.0", result.self_weights},
                                 {"cross_weights.0", result.cross_weights}};
        expect_golden(form + ".encoder_decoder_block.", part, result.output, weights,
                      {{"target", x}, {"memory", memory}}, 1e-5,
                      block_suspects(block, x, memory, source, target, hides_later(block(x, kept))));
        if (HasFailure()) return;  // one form tells it
    }
}

TEST(encoder_decoder_block, sends_a_gradient_through_both_weights_as_well) {
    Rng rng(8);
    const EncoderDecoderBlock block(small("pre"), rng);
    const Tensor memory = normal({1, 4, width}, 20);
    const auto run = [&](const Tensor& x) { return block(x, block.cross.keys_values(memory)); };
    expect_gradient_through_weights("the weights of self-attention", normal({1, 3, width}, 19),
                                    [&](const Tensor& x) { return run(x).self_weights; });
    expect_gradient_through_weights("the weights of cross-attention", normal({1, 3, width}, 19),
                                    [&](const Tensor& x) { return run(x).cross_weights; });
}

TEST(encoder_decoder_block, three_sublayers_in_their_order) {
    for (const std::string& form : forms) {
        Rng rng(2);
        EncoderDecoderBlock block(small(form), rng);
        Array gamma = rng.normal_array({width}, 1.0, 0.5);  // else all norms would be equal
        block.cross.norm.parameters()[0].tensor.mutable_array() = gamma;
        const Tensor x = normal({2, 4, width}, 9), memory = normal({2, 4, width}, 10);
        const Tensor back = block.self_attention(x, causal_mask(4) & *short_target).output;
        EXPECT_TRUE(
            close_named(form, block(x, block.cross.keys_values(memory), short_source, short_target).output,
                        block.feed_forward(attended(block.cross, back, memory, short_source)), {1e-5, 2e-6},
                        block_suspects(block, x, memory, short_source, short_target,
                                       hides_later(block(x, block.cross.keys_values(memory))))));
    }
}

TEST(encoder_decoder_block, the_target_is_causal_and_the_source_is_not) {
    Rng rng(3);
    const EncoderDecoderBlock block(small("post"), rng);
    const Tensor memory = normal({1, 5, width}, 11), x = normal({1, 4, width}, 12);
    expect_causal([&](const Tensor& target) { return block(target, block.cross.keys_values(memory)).output; },
                  4);
    expect_all_seen([&](const Tensor& source) { return block(x, block.cross.keys_values(source)).output; },
                    memory, 4, causal_across, not_asked);
}

TEST(encoder_decoder_block, rotary_positions_are_for_self_attention_alone) {
    BlockConfig config = small("pre");
    config.rotary = RotaryConfig{.max_len = 4};
    Rng rng(6);
    const EncoderDecoderBlock block(config, rng);
    const Tensor x = normal({1, 4, width}, 15), memory = normal({1, 6, width}, 16);  // longer than the table
    const Tensor back = block.self_attention(x, causal_mask(4)).output;
    EXPECT_TRUE(close(block(x, block.cross.keys_values(memory)).output,
                      block.feed_forward(attended(block.cross, back, memory, std::nullopt)), {1e-5, 2e-6}));
}

TEST(encoder_decoder_block, drops_in_training_in_every_sublayer) {
    Rng rng(4);
    const EncoderDecoderBlock block(small("pre", 0.3), rng);
    const Tensor x = golden()["target"], memory = golden()["memory"];
    const auto run = [&](Rng* self, Rng* cross, Rng* feed_forward) {
        const Tensor back = block.self_attention(x, causal_mask(4), self).output;
        return block.feed_forward(attended(block.cross, back, memory, std::nullopt, cross), feed_forward);
    };
    expect_training(
        [&](Rng* r) {
            return block(x, block.cross.keys_values(memory), std::nullopt, std::nullopt, r).output;
        },
        [&](Rng* r) { return run(r, r, r); },
        {{"rng does not reach self-attention", [&](Rng* r) { return run(nullptr, r, r); }},
         {"rng does not reach cross-attention", [&](Rng* r) { return run(r, nullptr, r); }},
         {"rng does not reach the feed-forward network", [&](Rng* r) { return run(r, r, nullptr); }}});
}

TEST(encoder_decoder_block, passes_the_position_of_x_on_to_self_attention_alone) {
    BlockConfig config = small("pre");
    config.rotary = RotaryConfig{.max_len = 5};
    Rng rng(7);
    const EncoderDecoderBlock block(config, rng);
    const Tensor x = normal({1, 5, width}, 17);
    const KeysValues memory = block.cross.keys_values(normal({1, 6, width}, 18));
    for (const auto& [source, real] :
         {std::pair<Padding, Padding>{},
          {Mask::from({1, 1, 1, 6}, {1, 1, 1, 1, 0, 0}), Mask::from({1, 1, 1, 5}, {1, 0, 1, 1, 1})}}) {
        expect_parts_give_the_whole(
            [&, &source = source, &real = real](std::size_t begin, std::size_t end, const Pass& pass) {
                const Padding target = of_keys(real, begin, end, pass);
                return block(slice(x, 1, begin, end), memory, source, target, pass).output;
            },
            block(x, memory, source, real).output, 3, {1e-5, 2e-6}, "",
            real ? "a padding is lost where the pass keeps keys" : "");
        if (HasFailure()) return;
    }
}

TEST(encoder_decoder_block, asks_for_earlier_keys_and_values_once) {
    Rng rng(9);
    const EncoderDecoderBlock block(small("pre"), rng);
    const KeysValues memory = block.cross.keys_values(normal({1, 4, width}, 21));
    Pass pass;
    std::vector<std::size_t> asked;
    pass.with_earlier = [&](std::size_t layer, const KeysValues& own) {
        asked.push_back(layer);
        return own;
    };
    (void)block(normal({1, 3, width}, 22), memory, {}, {}, pass.in_layer(7));
    EXPECT_EQ(asked, std::vector<std::size_t>{7})
        << "the layer number for which earlier keys are requested"
        << likely_if(asked.empty(), "self-attention does not get the pass as it is")
        << likely_if(asked.size() == 1, "pass.layer is lost: self-attention gets the pass as it is")
        << likely_if(asked.size() > 1, "self-attention is called more than once in one pass");
}

TEST(encoder_decoder_block, refuses_what_does_not_fit) {
    Rng rng(5);
    const EncoderDecoderBlock block(small("pre"), rng);
    const Tensor x = golden()["target"], output = golden()["memory"];
    const KeysValues memory = block.cross.keys_values(output);
    expect_shapes_refused("x", {2, 4, width}, [&](const Tensor& t) { block(t, memory); });
    expect_paddings_refused("source_padding", 5, [&](const Padding& p) { block(x, memory, p); });
    expect_paddings_refused("target_padding", 4, [&](const Padding& p) { block(x, memory, {}, p); });
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            block(x, block.cross.keys_values(normal({3, 5, width}, 13)));
        },
        {"2", "3"}, "another batch"));
    expect_config_refused(
        [&](const StackConfig& c) {
            const EncoderDecoderBlock made(c.block, rng);
            made(x, made.cross.keys_values(output));
        },
        false);
}

}  // namespace
}  // namespace tfs::test
