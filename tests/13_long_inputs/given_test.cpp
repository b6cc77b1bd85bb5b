// tests/13_long_inputs/given_test.cpp · what is refused, and that threads change nothing
#include <utility>
#include <vector>

#include "chapters/02_masks/masks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "chapters/13_long_inputs/models/long_attention.hpp"
#include "common/base/parallel.hpp"
#include "common/tensor/tiled_attention.hpp"
#include "tests/13_long_inputs/checklist.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(long_attention, refuses_what_does_not_fit) {
    const Head head = random_head(10, 20, 4, 3);
    const Visible visible = sees_all(10, 20);
    expect_refused<ShapeError>(
        {{[&] {
              (void)attention_in_tiles({head.q, head.k, head.q}, {0, 10}, visible);
          },
          {"(20, 4)", "(10, 4)"}},
         {[&] {
              (void)attention_in_tiles({head.v, head.k, head.v}, {0, 10}, visible);
          },
          {"(20, 3)", "(20, 4)"}},
         {[&] {
              (void)attention_in_tiles({head.q, Matrix(0, 4), Matrix(0, 3)}, {0, 10}, visible);
          },
          {"(0, 4)"}},
         {[&] {
              (void)attention_in_tiles(head, {0, 10}, sees_all(9, 20));
          },
          {"10", "9"}},
         {[] {
              Partial partial(3);
              add_key(partial, 1.0f, std::vector<float>(2));
          },
          {"2", "3"}},
         {[] { (void)merged(Partial(3), Partial(2)); }, {"2", "3"}}});
    expect_refused<ValueError>({{[&] {
                                     (void)attention_in_tiles(head, {4, 11}, visible);
                                 },
                                 {"11", "10"}},
                                {[&] {
                                     (void)attention_in_tiles(head, {0, 10}, sees_all(10, 21));
                                 },
                                 {"21", "20"}},
                                {[&] {
                                     (void)tile_sees(visible, {3, 3});
                                 },
                                 {"3"}},
                                {[] {
                                     (void)tile_sees({}, {0, 3});
                                 },
                                 {"query"}},
                                {[] { (void)machine_of(5, 5, 2); }, {"5", "2"}},
                                {[] { (void)machine_of(0, 5, 0); }, {"0"}}});
    const BlockOutput block = attention_in_tiles(head, {0, 10}, visible);
    HeadGradients gradients{Matrix(10, 4), Matrix(20, 4), Matrix(20, 4)};
    expect_refused<ShapeError>(
        {{[&] {
              attention_gradient(head, {0, 10}, visible, block, Matrix(10, 3), gradients);
          },
          {"dv", "(20, 4)", "(20, 3)"}},
         {[&] {
              attention_gradient(head, {0, 10}, visible, block, Matrix(9, 3), gradients);
          },
          {"(9, 3)"}}});
}

TEST(long_attention, is_the_same_to_the_bit_for_any_number_of_threads) {
    const Head head = drawn_head(700, 16, 1);
    const auto with = [&](int threads) {
        const Threads some(threads);
        return attend_in_tiles(head, sees_earlier(700));
    };
    const LongOutput one = with(1), four = with(4);
    EXPECT_TRUE(one.output.numbers == four.output.numbers);
    EXPECT_EQ(one.tiles, four.tiles);
}

TEST(long_attention, key_by_key_is_what_tiles_give) {
    const Head head = drawn_head(200, 8, 2);
    for (const Visible& visible : {sees_earlier(200), sees_prefix(200, 50), sees_documents({70, 130})})
        EXPECT_TRUE(close(tensor_of(attend_key_by_key(head, visible)),
                          tensor_of(attend_in_tiles(head, visible).output)));
}

// Two texts of one batch, the second with padding at its end; lengths that no tile divides.
TEST(long_attention, serves_a_model_with_values_and_gradients_of_chapter_01) {
    constexpr std::size_t size = 150;
    xt::xarray<bool> allowed = xt::zeros<bool>({2, 1, 150, 150});
    for (std::size_t text = 0; text < 2; ++text)
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j <= i && j < (text == 0 ? size : 90); ++j) allowed(text, 0, i, j) = true;
    const Mask mask(allowed);
    const auto inputs = [] {
        return std::vector{parameter(normal({2, 3, size, 8}, 1)), parameter(normal({2, 3, size, 8}, 2)),
                           parameter(normal({2, 3, size, 5}, 3))};
    };
    const std::vector<Tensor> tiles = inputs(), plain = inputs();
    const Tensor upstream = normal({2, 3, size, 5}, 4);
    (void)tiles_computed();
    const Tensor output = [&] {
        const AttentionOfModels steps(attend_on_tape);
        return attention_with_dropout(tiles[0], tiles[1], tiles[2], mask, 0.0, nullptr, std::nullopt,
                                      Weights::none)
            .output;
    }();
    EXPECT_GT(tiles_computed(), 0u) << "a model did not call the steps";
    const Tensor expected = scaled_dot_product_attention(plain[0], plain[1], plain[2], mask).output;
    EXPECT_TRUE(close(output, expected, {1e-5, 1e-5}));
    sum(output * upstream).backward();
    sum(expected * upstream).backward();
    for (const auto& [i, name] : {std::pair(0u, "q"), {1u, "k"}, {2u, "v"}})
        EXPECT_TRUE(close_named(name, Tensor(tiles[i].grad()), Tensor(plain[i].grad()), {1e-4, 1e-5}));
    (void)tiles_computed();
    (void)attention_with_dropout(plain[0], plain[1], plain[2], mask, 0.0, nullptr, std::nullopt,
                                 Weights::none);
    EXPECT_EQ(tiles_computed(), 0u) << "only as long as the object lives";
    EXPECT_TRUE(refuses<ShapeError>(
        [&] { (void)attend_on_tape(tiles[0], tiles[1], tiles[2], causal_mask(size - 1)); },
        {"mask", "149", "150"}));
    allowed(0, 0, 5, 3) = false;
    const Mask gaps(allowed);
    EXPECT_TRUE(
        refuses<ValueError>([&] { (void)attend_on_tape(tiles[0], tiles[1], tiles[2], gaps); }, {"one run"}));
    const AttentionOfModels steps(attend_on_tape);
    (void)attention_with_dropout(plain[0], plain[1], plain[2], gaps, 0.0, nullptr, std::nullopt,
                                 Weights::none);
    EXPECT_EQ(tiles_computed(), 0u) << "the steps get no mask that leaves gaps";
}

}  // namespace
}  // namespace tfs::test
