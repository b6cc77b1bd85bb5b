// tests/08_encoder_decoder/decoder_test.cpp · step decoder: PyTorch's values, properties, diagnosis
#include "tests/08_encoder_decoder/checklist.hpp"

#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

TEST(decoder, equals_pytorchs_encoder_under_a_causal_mask) {
    for (const std::string& form : forms) {
        Rng rng(1);
        const Decoder decoder(stack(form), rng);
        const Loaded part = load("encoder.", decoder.parameters());  // one set of weights serves both
        const Tensor x = leaf("source");
        const Padding real = padding("source_padding");
        const StackOutput result = decoder(x, real);
        ASSERT_EQ(result.weights.size(), 2u) << "the weights of every layer, one after the other";
        const auto layer = [&](std::size_t i, const Tensor& t) { return decoder.blocks[i](t, real).output; };
        const auto without = [&](std::size_t i, const Tensor& t) { return decoder.blocks[i](t).output; };
        std::vector<Suspect> suspects = stack_suspects(x, *decoder.final_norm, layer, without);
        suspects.push_back(
            {"the blocks inside are called without their causal mask: use the DecoderBlock itself", [&] {
                 const Layer bare = [&](std::size_t i, const Tensor& t) {
                     return decoder.blocks[i].block(t, real).output;
                 };
                 return (*decoder.final_norm)(twice(bare, x));
             }});
        expect_golden(form + ".decoder.", part, result.output, layers("encoder_weights", result.weights),
                      {{"source", x}}, 1e-4, suspects);
    }
}

TEST(decoder, no_position_sees_a_later_one) {
    Rng rng(2);
    const Decoder decoder(stack("pre"), rng);
    expect_causal([&](const Tensor& x) { return decoder(x).output; }, 5);
    expect_padding_without_effect([&](const Tensor& x, const Padding& p) { return decoder(x, p).output; });
}

TEST(decoder, works_without_a_final_norm_and_drops_in_training) {
    expect_training_without_a_final_norm<Decoder>();
}

TEST(decoder, refuses_a_config_that_does_not_fit_with_all_its_mistakes) {
    Rng rng(4);
    expect_config_refused([&](const StackConfig& c) { Decoder(c, rng)(golden()["source"]); }, true);
}

}  // namespace
}  // namespace tfs::test
