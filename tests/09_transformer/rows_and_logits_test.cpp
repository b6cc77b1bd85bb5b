// tests/09_transformer/rows_and_logits_test.cpp · step rows_and_logits: the two ends of the trained decoder, and of a small GPT-2
#include <gtest/gtest.h>

#include "tests/09_transformer/checklist.hpp"
#include "tests/support/runs.hpp"

namespace tfs::test {
namespace {

const Prepared prepared_ends("rows_and_logits", [] { (void)shipped(); });

TEST(rows_and_logits, rows_are_those_of_the_ids_in_the_table) {
    const Shipped& given = shipped();
    EXPECT_TRUE(same_stage("rows of the trained decoder", given.gpt.rows(given.ids), given.right.front()));
}

TEST(rows_and_logits, rows_add_learned_positions_where_the_config_has_them) {
    const Transformer gpt2 = filled(golden_config("gpt2"));
    const Gpt gpt = as_gpt(gpt2);
    for (const std::size_t seq : {7u, 1u}) {
        const Ids ids = part_of(three_rows, 0, seq);
        EXPECT_TRUE(same_stage("rows of a small GPT-2", gpt.rows(ids), embedded(gpt2, ids)));
    }
}

TEST(rows_and_logits, logits_are_products_of_the_normed_stream_with_the_table) {
    const Shipped& given = shipped();
    const std::vector<Tensor>& stages = given.right;
    EXPECT_TRUE(same_stage("logits of what leaves the last block", given.gpt.logits(stages[4]), stages[5]));
    EXPECT_TRUE(same_stage("logits without blocks", given.gpt.logits(stages[0]),
                           lens(given.network.model, stages[0])));
}

TEST(rows_and_logits, logits_of_streams_of_any_length) {
    const Shipped& given = shipped();
    const Tensor x = normal({3, 1, 128}, 5, 0.5, 2.0);
    EXPECT_TRUE(same_stage("logits of x (3, 1, 128)", given.gpt.logits(x), lens(given.network.model, x)));
}

}  // namespace
}  // namespace tfs::test
