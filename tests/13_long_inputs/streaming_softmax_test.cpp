// tests/13_long_inputs/streaming_softmax_test.cpp · step streaming_softmax: key after key, the numbers of the softmax of all
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/13_long_inputs/checklist.hpp"

namespace tfs::test {
namespace {

struct Key {
    float score;
    std::vector<float> value;
};

Partial after_keys(const std::vector<Key>& keys) {
    Partial partial(keys.empty() ? 1 : keys[0].value.size());
    for (const Key& key : keys) add_key(partial, key.score, key.value);
    return partial;
}

// Largest, sum, weighted.
Tensor parts_of(const Partial& partial) {
    std::vector<float> parts{partial.largest, partial.sum};
    parts.insert(parts.end(), partial.weighted.begin(), partial.weighted.end());
    return tensor_of(parts);
}

std::vector<Key> random_keys(std::size_t count, float spread) {
    const Tensor scores = normal({count}, 4), values = normal({count, 3}, 5);
    std::vector<Key> keys;
    for (std::size_t i = 0; i < count; ++i)
        keys.push_back({spread * scores.at({i}), {values.at({i, 0}), values.at({i, 1}), values.at({i, 2})}});
    return keys;
}

Tensor mean_in_double(const std::vector<Key>& keys) {
    double largest = -INFINITY, sum = 0.0;
    std::vector<double> mean(keys[0].value.size());
    for (const Key& key : keys) largest = std::max(largest, static_cast<double>(key.score));
    for (const Key& key : keys) {
        const double weight = std::exp(static_cast<double>(key.score) - largest);
        sum += weight;
        for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += weight * static_cast<double>(key.value[c]);
    }
    std::vector<float> result;
    for (const double number : mean) result.push_back(static_cast<float>(number / sum));
    return tensor_of(result);
}

TEST(streaming_softmax, by_hand_key_after_key) {
    const Key keys[] = {{std::log(2.0f), {8.0f}}, {std::log(4.0f), {16.0f}}, {std::log(2.0f), {24.0f}}};
    Partial partial(1);
    const std::vector<float> expected[] = {
        {std::log(2.0f), 1.0f, 8.0f}, {std::log(4.0f), 1.5f, 20.0f}, {std::log(4.0f), 2.0f, 32.0f}};
    for (std::size_t i = 0; i < 3; ++i) {
        add_key(partial, keys[i].score, keys[i].value);
        EXPECT_TRUE(close_named(fmt::format("largest, sum and weighted after key {}", i + 1),
                                parts_of(partial), tensor_of(expected[i])));
    }
    EXPECT_TRUE(close_named("the mean", tensor_of(result_of(partial)), tensor_of(std::vector{16.0f})));
}

TEST(streaming_softmax, is_the_softmax_of_all_scores) {
    const std::vector<Key> keys = random_keys(50, 3.0f);
    EXPECT_TRUE(close(tensor_of(result_of(after_keys(keys))), mean_in_double(keys)));
}

TEST(streaming_softmax, the_largest_score_may_come_first_or_last) {
    std::vector<Key> keys = random_keys(20, 10.0f);
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.score < b.score; });
    const Tensor expected = mean_in_double(keys);
    EXPECT_TRUE(close_named("scores that rise", tensor_of(result_of(after_keys(keys))), expected));
    std::reverse(keys.begin(), keys.end());
    EXPECT_TRUE(close_named("scores that fall", tensor_of(result_of(after_keys(keys))), expected));
}

TEST(streaming_softmax, scores_may_be_of_any_size) {
    for (const float size : {1e3f, 1e30f}) {
        const std::vector<Key> keys{{-size, {1.0f}}, {size, {2.0f}}, {size, {4.0f}}, {0.0f, {8.0f}}};
        EXPECT_TRUE(close_named(fmt::format("scores of {:.0e}", size), parts_of(after_keys(keys)),
                                tensor_of(std::vector{size, 2.0f, 6.0f})));
        EXPECT_TRUE(
            close_named("the mean", tensor_of(result_of(after_keys(keys))), tensor_of(std::vector{3.0f})));
    }
    EXPECT_TRUE(close_named("the mean, scores of -1000",
                            tensor_of(result_of(after_keys({{-1e3f, {1.0f}}, {-1e3f, {5.0f}}}))),
                            tensor_of(std::vector{3.0f})));
}

TEST(streaming_softmax, hidden_keys_change_nothing) {
    const Key hidden{-infinity, {100.0f, 100.0f, 100.0f}};
    std::vector<Key> keys = random_keys(6, 2.0f);
    const Tensor expected = parts_of(after_keys(keys));
    keys.insert(keys.begin() + 3, hidden);
    EXPECT_TRUE(close_named("a hidden key in between", parts_of(after_keys(keys)), expected));
    keys.insert(keys.begin(), 2, hidden);
    EXPECT_TRUE(close_named("hidden keys first", parts_of(after_keys(keys)), expected));
}

TEST(streaming_softmax, gives_zeros_where_no_key_was_seen) {
    EXPECT_TRUE(close_named("no key", tensor_of(result_of(Partial(2))), tensor_of(std::vector{0.0f, 0.0f})));
    EXPECT_TRUE(close_named("hidden keys alone",
                            tensor_of(result_of(after_keys({{-infinity, {1.0f}}, {-infinity, {2.0f}}}))),
                            tensor_of(std::vector{0.0f})));
}

}  // namespace
}  // namespace tfs::test
