// tests/03_positional_encoding/learned_positional_embedding_test.cpp · the step: PyTorch's values, properties, diagnosis
#include "tests/03_positional_encoding/checklist.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

LearnedPositionalEmbedding golden_learned() {
    Rng none = Rng::zeros();
    LearnedPositionalEmbedding layer(6, 12, none);
    layer.embedding.weight = leaf("learned.table");
    return layer;
}

const std::string kept =
    "the positions are those of an earlier call, as a `static` keeps them; make the ids in each call";

// x of another length than before is refused.
bool keeps_positions(const LearnedPositionalEmbedding& layer) {
    try {
        (void)layer(Tensor::zeros({1, 4, 6}));
        (void)layer(Tensor::zeros({1, 3, 6}));
    } catch (const ShapeError&) {
        return true;
    } catch (const ValueError&) {  // told by the comparison
    }
    return false;
}

TEST(learned_positional_embedding, equals_pytorch) {
    const LearnedPositionalEmbedding layer = golden_learned();
    const Tensor x = golden()["learned.x"], table = golden()["learned.table"];
    const auto rows = [&](std::size_t begin) { return slice(table, 0, begin, begin + 4); };
    const std::string same_row =
        "every position gets the same row; position i needs row offset + i. `Ids ids(n)` and `Ids ids({n})` "
        "hold one "
        "number, `Ids::from_shape({n})` holds n";
    std::vector<Suspect> suspects{
        {"positions are counted from 1; the first row of the table is that of position 0",
         [&] { return x + rows(1); }},
        {"each sequence of the batch gets one row; the ids count positions, not sequences",
         [&] {
             return x + reshape(slice(table, 0, 0, 2), {2, 1, 6});
         }},
        {"the ids go on counting from one sequence to the next; each begins at `offset`",
         [&] {
             return x + reshape(slice(table, 0, 0, 8), {2, 4, 6});
         }},
        {same_row, [&] { return x + slice(table, 0, 0, 1); }}};
    for (Suspect& suspect : sum_suspects(x, rows(0))) suspects.push_back(std::move(suspect));
    EXPECT_TRUE(right_for_positions(
        "", [&](const Tensor& any) { return layer(any); }, x, golden()["learned.output"], suspects));
    ASSERT_TRUE(close_named(
        "with offset 8", layer(x, 8), golden()["learned.offset.output"], {1e-6, 1e-6},
        {{keeps_positions(layer) ? kept
                                 : "`offset` is ignored: the first row of x stands at position `offset`",
          [&] { return x + rows(0); }},
         {one_before, [&] { return x + rows(7); }},
         {same_row, [&] { return x + slice(table, 0, 8, 9); }}}));
    const Tensor one = slice(x, 1, 0, 1);
    EXPECT_TRUE(close_named("a single position, offset 8", layer(one, 8), one + slice(table, 0, 8, 9), {},
                            {{dropped_for_one, [&] { return one + slice(table, 0, 0, 1); }}}));
}

TEST(learned_positional_embedding, takes_the_axis_before_the_last_for_the_positions) {
    const LearnedPositionalEmbedding layer = golden_learned();
    for (const Shape& shape : {Shape{4, 6}, Shape{2, 3, 4, 6}}) {
        const Tensor x = normal(shape, 6);
        EXPECT_TRUE(right_for_positions(
            "x " + to_string(shape), [&](const Tensor& any) { return layer(any); }, x,
            x + slice(golden()["learned.table"], 0, 0, 4)));
    }
}

TEST(learned_positional_embedding, sends_the_gradients_of_pytorch) {
    const LearnedPositionalEmbedding layer = golden_learned();
    const Tensor x = leaf("learned.x");
    ASSERT_TRUE(send_back(layer(x, 8), golden()["learned.offset.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["learned.offset.grad_x"]));
    ASSERT_EQ(layer.parameters().size(), 1u);
    EXPECT_EQ(layer.parameters()[0].name, "embedding.weight");
    EXPECT_TRUE(
        gradient_close("embedding.weight", layer.embedding.weight, golden()["learned.offset.grad_table"]));
}

TEST(learned_positional_embedding, the_whole_table_can_be_used_and_no_more) {
    const LearnedPositionalEmbedding layer = golden_learned();
    try {
        EXPECT_TRUE(close(layer(Tensor::zeros({1, 12, 6})), reshape(golden()["learned.table"], {1, 12, 6})));
    } catch (const ShapeError& error) {
        FAIL() << error.what() << likely_if(keeps_positions(layer), kept);
    } catch (const ValueError& error) {
        FAIL() << "12 positions, a table of 12: \"" << error.what() << "\""
               << likely_if(!names(error.what(), "-1"),
                            "positions are counted from 1: the last one then has no row");
    }
    const std::string cause = "positions beyond the table must be refused";
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            (void)layer(Tensor::zeros({1, 4, 6}), 9);
        },
        {"9|12|13", "12"}, "4 positions from 9 on, of 12", cause));
    for (const std::size_t width : {5u, 1u}) {  // 1 would broadcast
        EXPECT_TRUE(refuses<ShapeError>(
            [&] {
                (void)layer(Tensor::zeros({1, 4, width}));
            },
            {}, fmt::format("x of width {}, a table of 6", width)));
    }
}

}  // namespace
}  // namespace tfs::test
