// tests/07_block/repeat_heads_test.cpp · repeat_heads, which is given: which head is where, gradients
#include <fmt/format.h>

#include <vector>

#include "tests/07_block/checklist.hpp"

#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Three heads of five positions, d = 7, in each of two sequences. No number of copies is one of these.
const Shape heads_of_x{2, 3, 5, 7};
const std::size_t some_times[] = {1, 4, 6};

// The heads of x by these numbers, side by side.
Tensor heads_in_order(const Tensor& x, const std::vector<std::size_t>& order) {
    std::vector<Tensor> heads;
    for (const std::size_t head : order) heads.push_back(slice(x, 1, head, head + 1));
    return concat(heads, 1);
}

Tensor repeated(const Tensor& x, std::size_t times) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < x.size(1) * times; ++i) order.push_back(i / times);
    return heads_in_order(x, order);
}

TEST(repeat_heads, repeats_each_head_beside_itself) {
    const Tensor x = normal(heads_of_x, 1);
    for (const std::size_t times : some_times)
        EXPECT_TRUE(
            close_named(fmt::format("{} times", times), repeat_heads(x, times), repeated(x, times), {0, 0}));
}

TEST(repeat_heads, gives_a_shared_head_the_gradient_of_all_its_copies) {
    for (const std::size_t times : some_times) {
        const Tensor x(normal(heads_of_x, 4).array(), true), same(x.array(), true);
        const Tensor upstream = normal({2, 3 * times, 5, 7}, 5);
        ASSERT_TRUE(send_back(repeat_heads(x, times), upstream));
        ASSERT_TRUE(send_back(repeated(same, times), upstream));
        EXPECT_TRUE(gradient_close("x", x, Tensor(same.grad())));
    }
}

TEST(repeat_heads, refuses_what_has_no_heads) {
    const Tensor x = normal(heads_of_x, 6);
    ASSERT_TRUE(has_shape(repeat_heads(x, 2), {2, 6, 5, 7}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)repeat_heads(x, 0); }, {"0"}, "no head at all"));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)repeat_heads(normal({2, 3}, 1), 2);
        },
        {"(2, 3)"}, "two axes"));
}

}  // namespace
}  // namespace tfs::test
