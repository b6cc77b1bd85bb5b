// tests/10_training/text_batches_test.cpp · step text_batches: what a window asks for, and where windows begin
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chapters/10_training/training.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Different ids, so that each tells its place.
std::vector<std::int64_t> text_of_ids(std::size_t count) {
    std::vector<std::int64_t> ids;
    for (std::size_t i = 0; i < count; ++i) ids.push_back(static_cast<std::int64_t>(100 + i));
    return ids;
}

// Row i holds `length` ids of text_of_ids from places[i] on.
Tensor rows_from(const std::vector<std::size_t>& places, std::size_t length) {
    std::vector<float> values;
    for (const std::size_t place : places)
        for (std::size_t t = 0; t < length; ++t) values.push_back(static_cast<float>(100 + place + t));
    return Tensor::from({places.size(), length}, std::move(values));
}

void expect_window(std::size_t count, std::size_t begin, std::size_t length) {
    const Example window = text_window(text_of_ids(count), begin, length);
    const std::string name = "of the window from " + std::to_string(begin) + " on";
    const auto row = [](const std::vector<std::int64_t>& ids) {
        return Tensor::from({1, ids.size()}, {ids.begin(), ids.end()});
    };
    EXPECT_TRUE(close_named("input " + name, row(window.input), rows_from({begin}, length), {0, 0}));
    EXPECT_TRUE(close_named("target " + name, row(window.target), rows_from({begin + 1}, length), {0, 0}));
}

// Two batches, one after the other, from a text of so many ids.
void expect_batches(std::size_t count, std::size_t length, std::size_t batch_size) {
    Rng rng(3), reference(3);
    for (const std::string time : {"first", "second"}) {
        const Batch batch = text_batch(text_of_ids(count), length, batch_size, rng);
        std::vector<std::size_t> places, next;
        for (std::size_t row = 0; row < batch_size; ++row) {
            places.push_back(reference.below(count - length));
            next.push_back(places.back() + 1);
        }
        const auto floats = [](const Ids& ids) {
            return Tensor::from(Shape(ids.shape().begin(), ids.shape().end()), {ids.begin(), ids.end()});
        };
        EXPECT_TRUE(close_named("inputs of the " + time + " batch", floats(batch.inputs),
                                rows_from(places, length), {0, 0}));
        EXPECT_TRUE(close_named("targets of the " + time + " batch", floats(batch.targets),
                                rows_from(next, length), {0, 0}));
    }
}

TEST(text_batches, the_target_is_the_id_after_each_of_the_input) { expect_window(12, 4, 5); }

TEST(text_batches, a_window_may_begin_with_the_text_or_end_with_it) {
    expect_window(12, 0, 5);
    expect_window(12, 6, 5);
}

TEST(text_batches, windows_begin_where_the_rng_says) { expect_batches(40, 6, 5); }

// 300 rows of 5 places: each of them comes, the first and the last one, too.
TEST(text_batches, windows_begin_anywhere) { expect_batches(8, 3, 300); }

TEST(text_batches, a_text_may_have_a_single_window) { expect_batches(3, 2, 2); }

TEST(text_batches, refuse_a_text_without_such_a_window) {
    Rng rng(1);
    const auto ids = text_of_ids(6);
    EXPECT_EQ(text_window(ids, 0, 5).input.size(), 5U);
    EXPECT_EQ(text_batch(ids, 5, 2, rng).inputs.shape(1), 5U);
    EXPECT_REFUSED(text_window(ids, 1, 5), "5", "1", "7", "6");
    EXPECT_REFUSED(text_window(ids, 9, 5), "9");
    EXPECT_REFUSED(text_window(ids, 0, 0), "0");
    EXPECT_REFUSED(text_batch(ids, 6, 2, rng), "6", "7");
    EXPECT_REFUSED(text_batch(ids, 3, 0, rng), "0");
}

}  // namespace
}  // namespace tfs::test
