// tests/03_positional_encoding/learned_positions_test.cpp · learned rows, given: PyTorch's values and gradients, offsets, refusals
#include <fmt/format.h>

#include <vector>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
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

TEST(given_learned_positions, equal_pytorch) {
    const LearnedPositionalEmbedding layer = golden_learned();
    const Tensor x = golden()["learned.x"];
    EXPECT_TRUE(close(layer(x), golden()["learned.output"]));
    EXPECT_TRUE(close(layer(x, 8), golden()["learned.offset.output"]));
    const Tensor one = slice(x, 1, 0, 1);
    EXPECT_TRUE(close(layer(one, 8), one + slice(golden()["learned.table"], 0, 8, 9)));
    EXPECT_TRUE(close(layer(Tensor::zeros({1, 12, 6})), reshape(golden()["learned.table"], {1, 12, 6})));
}

TEST(given_learned_positions, take_the_axis_before_the_last_for_the_positions) {
    for (const Shape& shape : {Shape{4, 6}, Shape{2, 3, 4, 6}}) {
        const Tensor x = normal(shape, 6);
        EXPECT_TRUE(close(golden_learned()(x), x + slice(golden()["learned.table"], 0, 0, 4)));
    }
}

TEST(given_learned_positions, send_the_gradients_of_pytorch) {
    const LearnedPositionalEmbedding layer = golden_learned();
    const Tensor x = leaf("learned.x");
    ASSERT_TRUE(send_back(layer(x, 8), golden()["learned.offset.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["learned.offset.grad_x"]));
    ASSERT_EQ(layer.parameters().size(), 1u);
    EXPECT_EQ(layer.parameters()[0].name, "embedding.weight");
    EXPECT_TRUE(
        gradient_close("embedding.weight", layer.embedding.weight, golden()["learned.offset.grad_table"]));
}

TEST(given_learned_positions, refuse_positions_beyond_the_table_and_other_widths) {
    const LearnedPositionalEmbedding layer = golden_learned();
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            (void)layer(Tensor::zeros({1, 4, 6}), 9);
        },
        {"9|12|13", "12"}, "4 positions from 9 on, of 12"));
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
