// tests/common/max_test.cpp · the largest entry: which one, where it is NaN or infinite, and where its gradient goes
#include <cmath>

#include "common/tensor.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

// The largest of these entries and where its gradient goes: along a row and, with a second column, down a column.
struct Largest {
    float value;
    std::size_t position;
};

Largest largest_of(const Tensor& x, int axis, std::size_t step) {
    const Tensor leaf(x.array(), true);
    const Tensor y = max(leaf, axis);
    sum(y).backward();
    std::size_t position = 0;
    while (leaf.grad().data()[position * step] == 0.0f) ++position;
    return {y.values()[0], position};
}

void expect_largest(const std::vector<float>& entries, float value, std::size_t position) {
    const Tensor row = Tensor::from({1, entries.size()}, entries);
    const Tensor column = transpose(row, 0, 1);
    const Tensor columns = concat({column, Tensor::zeros({entries.size(), 1})}, 1);
    for (const Largest& largest : {largest_of(row, 1, 1), largest_of(columns, 0, 2)}) {
        EXPECT_EQ(largest.position, position);
        EXPECT_TRUE(largest.value == value || (std::isnan(largest.value) && std::isnan(value)))
            << largest.value;
    }
}

TEST(max, is_the_first_of_equals) { expect_largest({1, 3, 2, 3}, 3, 1); }

TEST(max, is_nan_wherever_one_stands) {
    expect_largest({1, nan}, nan, 1);
    expect_largest({nan, 1}, nan, 0);
    expect_largest({infinity, nan, 2, nan}, nan, 1);
    expect_largest({nan, nan}, nan, 0);
}

TEST(max, of_infinities) {
    expect_largest({-infinity, -infinity}, -infinity, 0);
    expect_largest({-infinity, -2, infinity}, infinity, 2);
}

TEST(max, of_a_long_row_with_one_nan) {
    std::vector<float> entries(1001);
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = static_cast<float>(i % 97);
    expect_largest(entries, 96, 96);
    entries[777] = nan;
    expect_largest(entries, nan, 777);
}

}  // namespace
}  // namespace tfs::test
