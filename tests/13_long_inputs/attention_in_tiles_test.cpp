// tests/13_long_inputs/attention_in_tiles_test.cpp · step attention_in_tiles: PyTorch's numbers, and no more tiles or memory than needed
#include <fmt/format.h>

#include "chapters/13_long_inputs/models/long_attention.hpp"
#include "common/measure.hpp"
#include "tests/13_long_inputs/checklist.hpp"

namespace tfs::test {
namespace {

void expect_block(const std::string& what, const BlockOutput& block, const BlockOutput& expected,
                  Tolerance tolerance = {}) {
    EXPECT_TRUE(
        close_named(what + ": output", tensor_of(block.output), tensor_of(expected.output), tolerance));
    EXPECT_TRUE(
        close_named(what + ": log_sums", tensor_of(block.log_sums), tensor_of(expected.log_sums), tolerance));
}

TEST(attention_in_tiles, one_tile_is_plain_attention) {
    const Head head = random_head(5, 7, 4, 3);
    const Visible visible = sees_all(5, 7);
    expect_block("5 queries, 7 keys", attention_in_tiles(head, {0, 5}, visible),
                 attention_in_loops(head, {0, 5}, visible));
}

TEST(attention_in_tiles, equals_pytorch_under_every_mask) {
    for (const std::string& name : golden_cases) {
        const GoldenCase one(name);
        const Tensor output = golden()[name + ".output"], log_sums = golden()[name + ".log_sums"];
        for (const Range queries : pieces_of(one.head.q.rows, block_queries)) {
            const BlockOutput block = attention_in_tiles(one.head, queries, one.visible);
            const std::string what =
                fmt::format("{}, queries {} to {}", name, queries.begin, queries.end - 1);
            EXPECT_TRUE(close_named(what + ": output", tensor_of(block.output),
                                    slice(output, 0, queries.begin, queries.end)));
            EXPECT_TRUE(close_named(what + ": log_sums", tensor_of(block.log_sums),
                                    slice(log_sums, 0, queries.begin, queries.end)));
        }
    }
}

TEST(attention_in_tiles, any_number_of_queries_and_keys_will_do) {
    struct Size {
        std::size_t queries, keys, d_k, d_v;
    };
    for (const auto& [queries, keys, d_k, d_v] : {Size{1, 1, 1, 1},
                                                  {1, 300, 8, 8},
                                                  {40, 1, 3, 5},
                                                  {7, 128, 4, 4},
                                                  {7, 129, 4, 6},
                                                  {96, 384, 16, 2}}) {
        const Head head = random_head(queries, keys, d_k, d_v);
        const Visible visible = sees_all(queries, keys);
        expect_block(fmt::format("{} queries, {} keys, widths {} and {}", queries, keys, d_k, d_v),
                     attention_in_tiles(head, {0, queries}, visible),
                     attention_in_loops(head, {0, queries}, visible));
    }
}

TEST(attention_in_tiles, a_block_may_begin_anywhere) {
    const Head head = random_head(200, 200, 8, 8);
    const Visible visible = sees_earlier(200);
    for (const Range queries : {Range{50, 60}, {130, 200}, {199, 200}})
        expect_block(fmt::format("queries {} to {}", queries.begin, queries.end - 1),
                     attention_in_tiles(head, queries, visible), attention_in_loops(head, queries, visible));
}

// A tile may be seen by some queries of the block, and not at all by others: their first tile, or their last.
TEST(attention_in_tiles, a_query_may_see_nothing_of_a_tile_that_others_see) {
    const Head head = random_head(40, 400, 8, 8);
    Visible visible(40);
    for (std::size_t i = 0; i < 40; ++i) visible[i] = {i * 9, i * 9 + 20};
    expect_block("a band", attention_in_tiles(head, {0, 40}, visible),
                 attention_in_loops(head, {0, 40}, visible));
}

TEST(attention_in_tiles, a_query_that_sees_nothing_gets_zeros) {
    const Head head = random_head(20, 300, 8, 8);
    Visible visible = sees_all(20, 300);
    for (std::size_t i = 3; i < 20; i += 4) visible[i] = {0, 0};
    expect_block("every fourth sees nothing", attention_in_tiles(head, {0, 20}, visible),
                 attention_in_loops(head, {0, 20}, visible));
    const Visible nothing(20);
    expect_block("no query sees anything", attention_in_tiles(head, {0, 20}, nothing),
                 attention_in_loops(head, {0, 20}, nothing));
}

TEST(attention_in_tiles, scores_may_be_large) {
    Head head = random_head(30, 300, 8, 8);
    for (float& number : head.q.numbers) number *= 300.0f;
    const Visible visible = sees_all(30, 300);
    // Scores of a thousand are rounded to 6e-5, and so are their exponents.
    expect_block("scores of a thousand", attention_in_tiles(head, {0, 30}, visible),
                 attention_in_loops(head, {0, 30}, visible), {1e-3, 1e-3});
}

TEST(attention_in_tiles, computes_each_tile_that_is_seen_once_and_no_other) {
    const Head head = random_head(500, 500, 4, 4);
    for (const auto& [name, visible] : {std::pair<std::string, Visible>{"nothing hidden", sees_all(500, 500)},
                                        {"causal", sees_earlier(500)},
                                        {"window of 60", sees_window(500, 60)},
                                        {"documents", sees_documents({100, 200, 200})}})
        for (const Range queries : pieces_of(500, block_queries)) {
            (void)tiles_computed();
            (void)attention_in_tiles(head, queries, visible);
            EXPECT_EQ(tiles_computed(), tiles_seen(queries, 500, visible))
                << "tiles computed: " << name << ", queries " << queries.begin << " to " << queries.end - 1;
        }
}

TEST(attention_in_tiles, keeps_one_tile_and_not_all) {
    constexpr std::size_t keys = 100'000, queries = 64;  // all scores: 25.6 MB
    const Head head = random_head(queries, keys, 4, 4);
    const Visible visible = sees_all(queries, keys);
    (void)attention_in_tiles(head, {0, 1}, visible);
    const auto memory = peak_memory([&] { (void)attention_in_tiles(head, {0, queries}, visible); });
    EXPECT_LT(memory.value_or(0.0), 8e6)
        << "bytes, at most, beside q, k and v of 100,000 keys: more than 8 MB";
}

}  // namespace
}  // namespace tfs::test
