// tests/12_many_texts/key_value_cache_test.cpp · KeyValueCache: what is kept after random calls, and where
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "chapters/12_many_texts/given/many_texts.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t layers = 2, heads = 2, d_k = 2, d_v = 3;

// What a row of the batch keeps, as plain lists: numbers of its positions, each of which came once.
using Row = std::vector<float>;

// Each number says what it is: of a value negative, then the number of the position, layer, head.
float number(float position, std::size_t layer, std::size_t head, bool value) {
    const float all = position * 100.0f + static_cast<float>(10 * layer + head);
    return value ? -all : all;
}

Tensor tensor_of(const std::vector<Row>& rows, std::size_t layer, bool value) {
    std::vector<float> all;
    for (const Row& row : rows)
        for (std::size_t head = 0; head < heads; ++head)
            for (const float position : row)
                all.insert(all.end(), value ? d_v : d_k, number(position, layer, head, value));
    return Tensor::from({rows.size(), heads, rows[0].size(), value ? d_v : d_k}, all);
}

// The rows that were written for row b, without the zeros before a shorter one.
void expect_kept(const Heads& is, const std::vector<Row>& rows, std::size_t layer, bool value) {
    const Tensor all = is;
    for (std::size_t b = 0; b < rows.size(); ++b) {
        ASSERT_EQ(is.lengths()[b], rows[b].size()) << "row " << b << " of layer " << layer;
        const Tensor own = slice(slice(all, 0, b, b + 1), 2, all.size(2) - rows[b].size(), all.size(2));
        ASSERT_TRUE(close_named(fmt::format("row {} of layer {}", b, layer), own,
                                tensor_of({rows[b]}, layer, value), {0, 0}));
    }
}

// Appends, drops and picks by chance; behind a window only one position comes at a time.
void expect_right(std::uint64_t seed, std::optional<std::size_t> window) {
    Rng rng(seed);
    KeyValueCache cache(60, window);
    std::vector<Row> rows(1 + rng.below(3));
    std::vector<std::size_t> seen(rows.size(), 0);
    float next = 1.0f;
    for (std::size_t call = 0; call < 12; ++call) {
        const std::size_t most = window ? (call == 0 ? *window : 1) : 4;
        std::vector<Row> own(rows.size());
        for (std::size_t t = 1 + rng.below(most); t > 0; --t)
            for (std::size_t b = 0; b < rows.size(); ++b) {
                own[b].push_back(next);
                if (rows[b].size() == window) rows[b].erase(rows[b].begin());
                rows[b].push_back(next++);
                ++seen[b];
            }
        for (std::size_t layer = 0; layer < layers; ++layer) {
            const KeysValues all =
                cache.append(layer, {tensor_of(own, layer, false), tensor_of(own, layer, true)});
            expect_kept(all.keys, rows, layer, false);
            expect_kept(all.values, rows, layer, true);
        }
        for (std::size_t b = 0; b < rows.size(); ++b) ASSERT_EQ(cache.next_position()[b], seen[b]);
        std::vector<std::size_t> dropped, picked_rows;
        for (std::size_t b = 0; b < rows.size(); ++b) {
            dropped.push_back(rng.below(rows[b].size() + 1));
            rows[b].resize(rows[b].size() - dropped[b]);
            seen[b] -= dropped[b];
        }
        cache.drop(dropped);
        for (std::size_t i = 1 + rng.below(3); i > 0; --i) picked_rows.push_back(rng.below(rows.size()));
        cache.pick(picked_rows);
        rows = picked(rows, picked_rows, 1);
        seen = picked(seen, picked_rows, 1);
    }
}

TEST(key_value_cache, keeps_what_plain_lists_keep) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed)
        for (const std::optional<std::size_t> window : {std::optional<std::size_t>(), {1}, {4}})
            expect_right(seed, window);
}

TEST(key_value_cache, append_writes_in_place) {
    const NoGrad no_grad;
    for (const std::optional<std::size_t> window : {std::optional<std::size_t>(), {3}}) {
        KeyValueCache cache(9, window);
        const Tensor x = normal({2, 3, 1, 4}, 5);
        (void)cache.append(0, {x, x});
        const float *const keys = cache.layers[0].keys.data(), *const values = cache.layers[0].values.data();
        for (std::size_t t = 1; t < 9; ++t) {
            (void)cache.append(0, {x, x});
            EXPECT_EQ(cache.layers[0].keys.data(), keys) << "append " << t;
            EXPECT_EQ(cache.layers[0].values.data(), values) << "append " << t;
        }
    }
}

}  // namespace
}  // namespace tfs::test
