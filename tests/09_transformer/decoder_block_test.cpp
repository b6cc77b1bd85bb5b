// tests/09_transformer/decoder_block_test.cpp · step decoder_block: the stages of the trained decoder
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include "common/base/parallel.hpp"
#include "tests/09_transformer/checklist.hpp"
#include "tests/support/runs.hpp"

namespace tfs::test {
namespace {

const Prepared prepared_stages("decoder_block", [] { (void)shipped(); });

// Each block on what enters it in the right model.
TEST(decoder_block, each_block_adds_attention_and_network) {
    const NoGrad no_grad;
    const Threads one(1);  // so little is not worth sharing
    const Shipped& given = shipped();
    for (std::size_t i = 0; i < 4; ++i)
        ASSERT_TRUE(
            same_stage(fmt::format("block {}", i), given.gpt.block(i, given.right[i]), given.right[i + 1]));
}

TEST(decoder_block, a_block_reads_streams_of_any_length) {
    const NoGrad no_grad;
    const Threads one(1);
    const Shipped& given = shipped();
    const Tensor x = normal({3, 11, 128}, 5, 0.1);
    const TransformerBlock& block = std::get<Stack>(given.network.model.stack).blocks[1];
    for (const std::size_t seq : {11u, 1u}) {
        const Tensor part = slice(x, 1, 0, seq);
        EXPECT_TRUE(same_stage(fmt::format("block 1 of x (3, {}, 128)", seq), given.gpt.block(1, part),
                               block(part, causal_mask(seq)).output));
    }
}

// The trained decoder has theta 10,000 and the exact GELU.
TEST(decoder_block, a_block_asks_the_config_for_theta_layout_and_activation) {
    const NoGrad no_grad;
    TransformerConfig config = golden_config("gpt2");
    config.block.positions = Rotary{.theta = 50.0};
    const Transformer model = filled(config);
    const Tensor x = normal({2, 9, 8}, 6, 0.1);
    EXPECT_TRUE(same_stage("block 0 of a small decoder with theta 50 and GELU in its tanh form",
                           as_gpt(model).block(0, x),
                           std::get<Stack>(model.stack).blocks[0](x, causal_mask(9)).output));
}

TEST(decoder_block, the_whole_model_gives_each_stage) {
    const NoGrad no_grad;
    const Threads one(1);
    const Shipped& given = shipped();
    expect_same_stages(given.gpt(given.ids), given.right);
}

}  // namespace
}  // namespace tfs::test
