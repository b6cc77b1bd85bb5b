// tests/11_generation/text_cache_test.cpp · step text_cache: what is kept, and a text in parts as the whole text
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "chapters/01_attention/attention.hpp"
#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/11_generation/given/generation.hpp"
#include "common/io/weights.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t heads = 2, d_k = 4, d_v = 4, layers = 3;

// Those of a text of 9 tokens, in each layer others.
Tensor keys_of(std::size_t layer) { return normal({1, heads, 9, d_k}, 10 + layer); }
Tensor values_of(std::size_t layer) { return normal({1, heads, 9, d_v}, 20 + layer); }
KeysValues part_of(std::size_t layer, std::size_t begin, std::size_t end) {
    return {slice(keys_of(layer), 2, begin, end), slice(values_of(layer), 2, begin, end)};
}

testing::AssertionResult is_part(const std::string& what, const KeysValues& is, std::size_t layer,
                                 std::size_t begin, std::size_t end) {
    const auto right = part_of(layer, begin, end);
    const auto keys = close_named("keys, " + what, is.keys, right.keys, {0, 0});
    return keys ? close_named("values, " + what, is.values, right.values, {0, 0}) : keys;
}

void append_to_all(TextCache& cache, std::size_t begin, std::size_t end) {
    for (std::size_t layer = 0; layer < layers; ++layer)
        (void)cache.append(layer, part_of(layer, begin, end));
}

TEST(text_cache, append_returns_all_that_the_layer_keeps) {
    TextCache cache;
    for (const auto& [begin, end] :
         std::vector<std::pair<std::size_t, std::size_t>>{{0, 4}, {4, 5}, {5, 8}, {8, 9}})
        for (std::size_t layer = 0; layer < layers; ++layer)
            ASSERT_TRUE(is_part(fmt::format("layer {} after {} tokens", layer, end),
                                cache.append(layer, part_of(layer, begin, end)), layer, 0, end));
}

TEST(text_cache, keeps_each_layer_for_itself) {
    TextCache cache;
    append_to_all(cache, 0, 3);
    append_to_all(cache, 3, 5);
    ASSERT_EQ(cache.layers.size(), layers);
    for (std::size_t layer = 0; layer < layers; ++layer)
        EXPECT_TRUE(is_part(fmt::format("layer {}", layer), cache.layers.at(layer), layer, 0, 5));
    EXPECT_EQ(cache.length(), 5U);
}

TEST(text_cache, drops_the_newest_in_every_layer) {
    TextCache cache;
    append_to_all(cache, 0, 6);
    cache.drop(2);
    for (std::size_t layer = 0; layer < layers; ++layer)
        ASSERT_TRUE(
            is_part(fmt::format("layer {} after drop(2) of 6", layer), cache.layers.at(layer), layer, 0, 4));
    cache.drop(0);
    cache.drop(3);
    for (std::size_t layer = 0; layer < layers; ++layer)
        ASSERT_TRUE(
            is_part(fmt::format("layer {} after drop(3) of 4", layer), cache.layers.at(layer), layer, 0, 1));
    append_to_all(cache, 1, 9);
    EXPECT_TRUE(is_part("layer 1 after more", cache.layers.at(1), 1, 0, 9));
}

struct Qkv {
    Tensor q = normal({1, heads, 9, d_k}, 1), k = keys_of(0), v = values_of(0);
};

// The whole text at once, without a cache.
Tensor attended(const Qkv& text, const Rotary& rotary) {
    const RotaryEmbedding angles(d_k, 9, rotary.theta);
    return scaled_dot_product_attention(apply_rotary(text.q, angles, rotary.layout),
                                        apply_rotary(text.k, angles, rotary.layout), text.v, causal_mask(9))
        .output;
}

// Part by part; the layer before was read to its end, as in a model.
void expect_in_parts(const std::vector<std::size_t>& parts, const Rotary& rotary) {
    const NoGrad no_grad;
    const Qkv text;
    const RotaryEmbedding angles(d_k, 12, rotary.theta);
    const Tensor right = attended(text, rotary);
    TextCache cache;
    std::size_t begin = 0;
    for (const std::size_t seq : parts) {
        const std::size_t end = begin + seq;
        (void)cache.append(0, part_of(1, begin, end));
        const Tensor seen =
            cached_attention(cache, 1, slice(text.q, 2, begin, end), slice(text.k, 2, begin, end),
                             slice(text.v, 2, begin, end), angles, rotary.layout);
        ASSERT_TRUE(close_named(fmt::format("{} of the positions of a text, from {} on", seq, begin), seen,
                                slice(right, 2, begin, end), {1e-5, 1e-5}));
        EXPECT_EQ(cache.lengths(1).largest(), end) << "tokens that the layer keeps";
        begin = end;
    }
    EXPECT_TRUE(close_named("the keys that the layer keeps, turned", cache.layers.at(1).keys,
                            apply_rotary(text.k, angles, rotary.layout), {1e-5, 1e-5}));
}

TEST(text_cache, attention_of_a_whole_text_needs_no_cache) { expect_in_parts({9}, {}); }

TEST(text_cache, each_new_token_sees_all_before_it) { expect_in_parts({4, 1, 1, 1, 1, 1}, {}); }

TEST(text_cache, several_new_tokens_see_only_what_is_before_them) { expect_in_parts({3, 4, 2}, {}); }

TEST(text_cache, turns_with_the_theta_and_layout_of_the_model) {
    expect_in_parts({4, 1, 3, 1}, {.theta = 50.0, .layout = RotaryLayout::interleaved});
}

// The trained decoder on the blank page.
TEST(text_cache, the_blank_page_gives_the_same_logits_in_parts) {
    const NoGrad no_grad;
    static const TrainedModel trained = load_trained_model(weights_file("characters"), character_kind());
    static const Gpt gpt(trained);
    const Ids ids = trained.tokenizer.encode("To be, or not");
    const std::span<const std::int64_t> text(ids.data(), ids.size());
    const Tensor right = gpt(ids).back();
    TextCache cache;
    std::size_t begin = 0;
    for (const std::size_t seq : {5U, 1U, 1U, 4U, 2U}) {
        const Ids part = one_row(text.subspan(begin, seq));
        ASSERT_TRUE(close_named(fmt::format("logits from position {} on", begin),
                                cached_logits(gpt, part, cache), slice(right, 1, begin, begin + seq),
                                {1e-4, 1e-3}));
        begin += seq;
    }
}

}  // namespace
}  // namespace tfs::test
