// tests/10_training/batches_test.cpp · given: examples, padding and random orders
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "chapters/10_training/training.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using List = std::vector<std::int64_t>;
using Sizes = std::vector<std::size_t>;
using Order = std::vector<Sizes>;

Tensor as_floats(const Ids& ids) {
    const Shape shape(ids.shape().begin(), ids.shape().end());
    return Tensor::from(shape, std::vector<float>(ids.begin(), ids.end()));
}

TEST(batches, rows_are_filled_up_to_the_longest_example) {
    const std::vector<Example> examples{
        {{4, 9}, {14, 19}}, {{7, 1, 8, 2, 6}, {17, 11, 18, 12, 16}}, {{3, 5, 9}, {13, 15, 19}}};
    const Batch batch = make_batch(examples, 7);
    EXPECT_TRUE(close(as_floats(batch.inputs), golden()["batch.inputs"], {0, 0}));
    EXPECT_TRUE(close(as_floats(batch.targets), golden()["batch.targets"], {0, 0}));
}

// pad_id inside of an example is a token like any other.
TEST(batches, what_an_example_says_stays) {
    const Batch batch = make_batch({{{0, 3, 0, 0}, {3, 0, ignored, 0}}, {{1, 2}, {ignored, 1}}}, 0);
    const float none = ignored;
    EXPECT_TRUE(close(as_floats(batch.inputs), Tensor::from({2, 4}, {0, 3, 0, 0, 1, 2, 0, 0}), {0, 0}));
    EXPECT_TRUE(
        close(as_floats(batch.targets), Tensor::from({2, 4}, {3, 0, none, 0, none, 1, none, none}), {0, 0}));
}

TEST(batches, sources_are_filled_up_too) {
    const Batch batch = make_batch({{{1, 2, 3}, {2, 3, 4}, {5}}, {{1}, {2}, {6, 7}}}, 9);
    ASSERT_TRUE(batch.source);
    EXPECT_TRUE(close(as_floats(*batch.source), Tensor::from({2, 2}, {5, 9, 6, 7}), {0, 0}));
    EXPECT_TRUE(close(as_floats(batch.inputs), Tensor::from({2, 3}, {1, 2, 3, 1, 9, 9}), {0, 0}));
    EXPECT_FALSE(make_batch({{{1}, {2}}}, 0).source);
}

TEST(batches, count_the_targets_that_somebody_asks_for) {
    EXPECT_EQ(make_batch({{{1, 2, 3}, {2, ignored, 4}}, {{1}, {2}}}, 0).target_count(), 3u);
    EXPECT_EQ(make_batch({{{1}, {ignored}}}, 0).target_count(), 0u);
}

TEST(batches, refuses_examples_that_make_no_batch) {
    EXPECT_TRUE(refuses<ValueError>([] { (void)make_batch({}, 0); }, {}));
    const Example empty, good{{1}, {2}}, longer{{1, 2, 3}, {2, 3}};
    EXPECT_TRUE(refuses<ValueError>([&] { (void)make_batch({good, empty}, 0); }, {"1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)make_batch({longer}, 0); }, {"3", "2"}));
    const Example with_source{{1}, {2}, {3}};
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            (void)make_batch({good, good, with_source}, 0);
        },
        {"0 and 2", "source"}));
}

TEST(batches, all_numbers_are_cut_into_batches) {
    Rng rng(1);
    const auto sizes = [&](std::size_t count, std::size_t size) {
        Sizes found;
        for (const Sizes& batch : shuffled_batches(count, size, rng)) found.push_back(batch.size());
        return found;
    };
    EXPECT_EQ(sizes(10, 4), (Sizes{4, 4, 2}));
    EXPECT_EQ(sizes(8, 4), (Sizes{4, 4}));
    EXPECT_EQ(sizes(3, 5), Sizes{3});
    EXPECT_EQ(sizes(3, std::numeric_limits<std::size_t>::max()), Sizes{3});
    EXPECT_EQ(sizes(3, 1), (Sizes{1, 1, 1}));
    EXPECT_EQ(shuffled_batches(1, 4, rng), Order{{0}});
    EXPECT_TRUE(refuses<ValueError>([&] { (void)shuffled_batches(0, 4, rng); }, {"0"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)shuffled_batches(4, 0, rng); }, {"0"}));
}

// The golden orders come from another implementation of the generator and of the shuffle.
TEST(batches, the_order_is_that_of_the_contract) {
    for (const std::uint64_t seed : {3U, 4U, 5U}) {
        Rng rng(seed);
        for (const std::string time : {"first", "second"}) {
            Sizes found;
            for (const Sizes& batch : shuffled_batches(10, 4, rng))
                found.insert(found.end(), batch.begin(), batch.end());
            const Ids stored = golden_ids("order." + std::to_string(seed) + "." + time);
            EXPECT_EQ(found, Sizes(stored.begin(), stored.end()))
                << "Rng(" << seed << "), " << time << " call";
        }
    }
}

}  // namespace
}  // namespace tfs::test
