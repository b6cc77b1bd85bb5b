// tests/common/offset_test.cpp · one position for a batch, or one for each of its rows
#include "common/nn/keys_values.hpp"

#include <gtest/gtest.h>

#include "common/nn/parameters.hpp"
#include "common/tensor/ops.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(offset, is_one_number_or_one_for_each_row) {
    const Offset one = 3, each({3, 0, 5});
    EXPECT_TRUE(one.is_one());
    EXPECT_EQ(one[0], 3u);
    EXPECT_EQ(one[7], 3u);
    EXPECT_FALSE(each.is_one());
    EXPECT_EQ(each[1], 0u);
    EXPECT_EQ(each.largest(), 5u);
    EXPECT_EQ(Offset(std::vector<std::size_t>{4}), Offset(4));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)each[3]; }, {"row 3", "there are 3"}));
    EXPECT_TRUE(refuses<ValueError>([] { Offset(std::vector<std::size_t>{}); }, {"no number"}));
    EXPECT_NO_THROW(require_offset_of("x", one, 9));
    EXPECT_TRUE(refuses<ValueError>([&] { require_offset_of("embed", each, 2); },
                                    {"embed: 3 numbers for a batch of 2"}));
}

TEST(offset, by_row_gives_each_row_its_own_number_and_joins_them_on_the_tape) {
    const auto times = [](const Tensor& row, std::size_t offset) {
        return row * static_cast<float>(offset + 1);
    };
    const Tensor x = parameter(normal({3, 2, 4}, 1));
    const Tensor factors = Tensor::from({3, 1, 1}, {4, 1, 6});
    const Tensor y = by_row("f", x, Offset({3, 0, 5}), times);
    EXPECT_TRUE(close(y, x * factors, {0, 0}));
    EXPECT_TRUE(close(by_row("f", x, 2, times), x * 3.0f, {0, 0}));
    sum(y).backward();
    EXPECT_TRUE(close(Tensor(x.grad()), Tensor::ones({3, 2, 4}) * factors, {0, 0}));
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            (void)by_row("f", x, Offset({1, 2}), times);
        },
        {"f: 2 numbers for a batch of 3"}));
}

}  // namespace
}  // namespace tfs::test
