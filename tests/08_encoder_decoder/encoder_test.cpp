// tests/08_encoder_decoder/encoder_test.cpp · step encoder: PyTorch's values, properties, diagnosis
#include "tests/08_encoder_decoder/checklist.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

TEST(encoder, equals_pytorchs_encoder) {
    for (const std::string& form : forms) {
        Rng rng(1);
        const Encoder encoder(stack(form), rng);
        const Loaded part = load("encoder.", encoder.parameters());
        const Tensor x = leaf("source");
        const Padding real = padding("source_padding");
        const StackOutput result = encoder(x, real);
        ASSERT_EQ(result.weights.size(), 2u) << "the weights of every layer, one after the other";
        const auto layer = [&](std::size_t i, const Tensor& t) { return encoder.blocks[i](t, real).output; };
        const auto without = [&](std::size_t i, const Tensor& t) { return encoder.blocks[i](t).output; };
        expect_golden(form + ".encoder.", part, result.output, layers("encoder_weights", result.weights),
                      {{"source", x}}, 1e-4, stack_suspects(x, *encoder.final_norm, layer, without));
    }
}

TEST(encoder, every_position_sees_every_other_but_the_padding) {
    Rng rng(2);
    const Encoder encoder(stack("pre"), rng);
    expect_all_seen([&](const Tensor& x) { return encoder(x).output; }, normal({1, 4, width}, 6), 4,
                    causal_encoder, "no block is asked");
    expect_padding_without_effect([&](const Tensor& x, const Padding& p) { return encoder(x, p).output; });
}

TEST(encoder, works_without_a_final_norm_and_drops_in_training) {
    expect_training_without_a_final_norm<Encoder>();
}

TEST(encoder, refuses_a_config_that_does_not_fit_with_all_its_mistakes) {
    Rng rng(4);
    expect_config_refused([&](const StackConfig& c) { Encoder(c, rng)(golden()["source"]); }, true);
}

}  // namespace
}  // namespace tfs::test
