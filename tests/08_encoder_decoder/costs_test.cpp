// tests/08_encoder_decoder/costs_test.cpp · what is given: the costs of a model against its parameters
#include "chapters/08_encoder_decoder/cost.hpp"
#include "tests/08_encoder_decoder/checklist.hpp"

namespace tfs::test {
namespace {

TEST(costs, count_the_parameters_that_a_model_has) {
    Rng rng(7);
    for (const bool final_norm : {true, false}) {
        for (BlockConfig block : {small("pre"), small("post"), llama_block(width, 3, 4 * width, 16)}) {
            const StackConfig config{block, 2, final_norm};
            EXPECT_EQ(total(encoder_decoder_costs(config, 5, 7, 6)).parameters,
                      count_parameters(EncoderDecoder(config, rng).parameters()));
            EXPECT_EQ(total(stack_costs(config, "", 5, 7)).parameters,
                      count_parameters(Stack(StackKind::decoder, config, rng).parameters()));
        }
    }
}

}  // namespace
}  // namespace tfs::test
