// tests/07_block/block_parameters_test.cpp · step block_parameters: counting, published blocks
#include <fmt/format.h>

#include <string>
#include <vector>

#include "chapters/07_block/cost.hpp"
#include "common/text/units.hpp"
#include "tests/07_block/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Of a block of its own, so that the count needs no formula.
TEST(block_parameters, equals_counting_in_every_configuration) {
    Counts attention, feed_forward, norm;
    std::string parts[3];
    for (const BlockConfig& c : all_configs()) {
        Rng none = Rng::zeros();
        const TransformerBlock block(c, none);
        const BlockParameters count = block_parameters(c);
        attention.add(described(c) + ": attention", count.attention,
                      count_parameters(block.attention.attention.parameters()));
        feed_forward.add(described(c) + ": feed_forward", count.feed_forward,
                         count_parameters(block.feed_forward.network.parameters()));
        norm.add(described(c) + ": norm", count.norm, count_parameters(block.attention.norm.parameters()));
        parts[0] += fmt::format("{} ", count.attention);
        parts[1] += fmt::format("{} ", count.feed_forward);
        parts[2] += fmt::format("{} ", count.norm);
    }
    EXPECT_TRUE(attention.right()) << came(parts[0]);
    EXPECT_TRUE(feed_forward.right()) << came(parts[1]);
    EXPECT_TRUE(norm.right()) << came(parts[2]);
}

TEST(block_parameters, gives_the_published_blocks_and_one_that_no_memory_holds) {
    const std::size_t d = 20000003, d_ff = 60000001;  // odd: the low 32 bits of a wrong formula differ, too
    struct Published {
        std::string name;
        BlockConfig config;
        std::size_t total;
    };
    for (const auto& [name, config, total] :
         std::vector<Published>{{"d_model 20,000,003, d_ff 60,000,001",
                                 {.d_model = d, .num_heads = 1, .d_ff = d_ff},
                                 4 * d * d + 4 * d + 2 * d * d_ff + d_ff + d + 4 * d},
                                {"BERT-base", bert_block(), 7087872},
                                {"GPT-2", gpt2_block(), 7087872},
                                {"LLaMA-7B", llama_block(), 202383360},
                                {"Qwen-7B", qwen_block(), 202395648},
                                {"Llama 3 8B", llama3_block(), 218112000},
                                {"TinyLlama-1.1B", tinyllama_block(), 44044288},
                                {"Vaswani et al. (biases in the network alone)", original_block(),
                                 4 * 512 * 512 + 2 * 512 * 2048 + 2048 + 512 + 4 * 512}}) {
        const BlockParameters count = block_parameters(config);
        EXPECT_EQ(with_separators(count.total()), with_separators(total))
            << fmt::format("{}: attention {}, feed_forward {}, norm {}, and that once more", name,
                           with_separators(count.attention), with_separators(count.feed_forward),
                           with_separators(count.norm));
    }
}

TEST(block_parameters, refuses_a_config_that_does_not_fit) {
    (void)block_parameters(small());
    BlockConfig config = small();
    config.num_heads = 3;
    EXPECT_TRUE(refuses<ValueError>([&] { (void)block_parameters(config); }, {"3", "8"}, "3 heads of 8"));
}

}  // namespace
}  // namespace tfs::test
