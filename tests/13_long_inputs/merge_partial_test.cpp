// tests/13_long_inputs/merge_partial_test.cpp · step merge_partial: the keys of two are as those of one
#include <fmt/format.h>

#include <cmath>

#include "tests/13_long_inputs/checklist.hpp"

namespace tfs::test {
namespace {

struct Scored {
    std::vector<float> scores;
    Tensor values;
};

Partial of_keys(const Scored& keys, std::size_t begin, std::size_t end) {
    Partial partial(keys.values.size(-1));
    for (std::size_t i = begin; i < end; ++i)
        add_key(partial, keys.scores[i],
                keys.values.values().subspan(i * keys.values.size(-1), keys.values.size(-1)));
    return partial;
}

Tensor parts_of_partial(const Partial& partial) {
    std::vector<float> parts{partial.largest, partial.sum};
    parts.insert(parts.end(), partial.weighted.begin(), partial.weighted.end());
    return tensor_of(parts);
}

Scored thirty_keys(float spread) {
    Scored keys{{}, normal({30, 4}, 6)};
    const Tensor scores = normal({30}, 7);
    for (const float score : scores.values()) keys.scores.push_back(spread * score);
    return keys;
}

TEST(merge_partial, by_hand) {
    Partial a(1), b(1);
    a.largest = std::log(4.0f), a.sum = 1.5f, a.weighted = {20.0f};
    b.largest = std::log(2.0f), b.sum = 1.0f, b.weighted = {24.0f};
    const Tensor expected = tensor_of(std::vector{std::log(4.0f), 2.0f, 32.0f});
    EXPECT_TRUE(close_named("the smaller one second", parts_of_partial(merged(a, b)), expected));
    EXPECT_TRUE(close_named("the smaller one first", parts_of_partial(merged(b, a)), expected));
}

TEST(merge_partial, any_cut_gives_what_all_keys_give) {
    const Scored keys = thirty_keys(5.0f);
    const Tensor expected = parts_of_partial(of_keys(keys, 0, 30));
    for (const std::size_t cut : {1U, 7U, 15U, 29U})
        EXPECT_TRUE(close_named(fmt::format("cut after key {}", cut),
                                parts_of_partial(merged(of_keys(keys, 0, cut), of_keys(keys, cut, 30))),
                                expected));
}

TEST(merge_partial, three_can_be_merged_in_any_order) {
    const Scored keys = thirty_keys(2.0f);
    const Partial a = of_keys(keys, 0, 4), b = of_keys(keys, 4, 20), c = of_keys(keys, 20, 30);
    const Tensor expected = parts_of_partial(of_keys(keys, 0, 30));
    EXPECT_TRUE(close_named("(a b) c", parts_of_partial(merged(merged(a, b), c)), expected));
    EXPECT_TRUE(close_named("a (b c)", parts_of_partial(merged(a, merged(b, c))), expected));
    EXPECT_TRUE(close_named("(c a) b", parts_of_partial(merged(merged(c, a), b)), expected));
}

TEST(merge_partial, one_that_saw_nothing_changes_nothing) {
    const Scored keys = thirty_keys(2.0f);
    const Partial some = of_keys(keys, 0, 9), none(4);
    EXPECT_TRUE(close_named("nothing second", parts_of_partial(merged(some, none)), parts_of_partial(some)));
    EXPECT_TRUE(close_named("nothing first", parts_of_partial(merged(none, some)), parts_of_partial(some)));
    EXPECT_TRUE(close_named("nothing at all", parts_of_partial(merged(none, none)), parts_of_partial(none)));
}

TEST(merge_partial, scores_may_be_far_apart) {
    const Scored keys{{1e4f, 1e4f, -1e4f, -1e4f}, normal({4, 2}, 8)};
    const Partial high = of_keys(keys, 0, 2), low = of_keys(keys, 2, 4);
    EXPECT_TRUE(close_named("high, low", parts_of_partial(merged(high, low)), parts_of_partial(high)));
    EXPECT_TRUE(close_named("low, high", parts_of_partial(merged(low, high)), parts_of_partial(high)));
    EXPECT_TRUE(close_named("low, low", parts_of_partial(merged(of_keys(keys, 2, 3), of_keys(keys, 3, 4))),
                            parts_of_partial(low)));
}

}  // namespace
}  // namespace tfs::test
