// tests/07_block/published_models_test.cpp · what is given: configs of grouped queries, and the published models
#include "chapters/07_block/models/published_models.hpp"
#include "tests/07_block/grouped_heads.hpp"
#include "tests/support/counts.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(published_models, configs_of_grouped_queries_fit_or_say_why) {
    EXPECT_TRUE(problems(grouped_config(2)).empty());
    BlockConfig same = small();
    same.num_kv_heads = same.num_heads;
    EXPECT_TRUE(problems(same).empty()) << "as many heads need no rotary positions";
    BlockConfig added = grouped_config(2);
    added.positions = NoPositions{};
    for (const auto& [config, said] : {std::pair{grouped_config(0), std::vector<std::string>{"is 0"}},
                                       {grouped_config(4), {"4", "don't divide 6 heads"}},
                                       {added, {"2", "6", "rotary positions only"}}}) {
        EXPECT_EQ(problems(config).size(), 1U);
        EXPECT_TRUE(refuses<ValueError>([&config = config] { (void)require_valid("block", config); }, said));
    }
}

TEST(published_models, projections_of_grouped_queries_are_narrow) {
    Rng rng(1);
    const Projections attention = Projections(grouped_config(2), rng);
    EXPECT_EQ(attention.w_q.weight.shape(), (Shape{24, 24}));
    EXPECT_EQ(attention.w_k.weight.shape(), (Shape{8, 24}));
    EXPECT_EQ(attention.w_v.weight.shape(), (Shape{8, 24}));
    EXPECT_EQ(attention.w_o.weight.shape(), (Shape{24, 24}));
}

TEST(published_models, published_models_have_their_published_parameters) {
    Counts counts;
    for (const PublishedModel& model : published_models())
        counts.add(model.name, total_parameters(model), model.published);
    EXPECT_TRUE(counts.right());
    EXPECT_EQ(published_model("tinyllama-1.1b").block.kv_heads(), 4U);
    EXPECT_TRUE(refuses<ValueError>([] { (void)published_model("gpt5"); }, {"gpt5", "llama3-8b"}));
}

}  // namespace
}  // namespace tfs::test
