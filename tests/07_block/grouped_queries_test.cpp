// tests/07_block/grouped_queries_test.cpp · step grouped_queries: which head is where, gradients, diagnosis
#include <fmt/format.h>

#include <utility>
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

// What wrong ways to copy give, where the result has the right shape.
std::vector<Suspect> suspects(const Tensor& x, std::size_t times) {
    const Shape shape{x.size(0), x.size(1) * times, x.size(2), x.size(3)};
    const auto copied = [=](int axis) {
        return [=] { return reshape(concat(std::vector<Tensor>(times, x), axis), shape); };
    };
    return {
        {"the heads are repeated in turn, a b a b; neighbours share one: a a b b", copied(1)},
        {"whole sequences are copied: a head of one sequence lands in another; give each head an axis of its "
         "own, and copy along that",
         copied(0)},
        {"the columns of each position are copied, and a reshape cuts them into other heads: copy whole "
         "heads",
         copied(3)}};
}

TEST(grouped_queries, repeats_each_head_beside_itself) {
    const Tensor x = normal(heads_of_x, 1);
    for (const std::size_t times : some_times) {
        const Tensor result = repeat_heads(x, times), right = repeated(x, times);
        const bool positions = result.rank() == 4 && result.size(2) == x.size(2) * times;
        ASSERT_TRUE(close_named(fmt::format("{} times", times), result, right, {0, 0}, suspects(x, times)))
            << likely_if(times > 1 && positions,
                         "the positions are repeated, and the heads are not: of 3 heads it makes 3 x times");
    }
}

TEST(grouped_queries, one_head_of_each_stays_as_it_is) {
    const Tensor x = normal({2, 1, 5, 7}, 2);
    EXPECT_TRUE(close_named("one head, 4 times", repeat_heads(x, 4), repeated(x, 4), {0, 0}));
    EXPECT_TRUE(
        close_named("3 heads, once", repeat_heads(normal(heads_of_x, 3), 1), normal(heads_of_x, 3), {0, 0}));
}

TEST(grouped_queries, a_shared_head_gets_the_gradient_of_all_its_copies) {
    for (const std::size_t times : some_times) {
        const Tensor x(normal(heads_of_x, 4).array(), true), same(x.array(), true);
        const Tensor result = repeat_heads(x, times), upstream = normal({2, 3 * times, 5, 7}, 5);
        ASSERT_TRUE(send_back(result, upstream));
        ASSERT_TRUE(send_back(repeated(same, times), upstream));
        EXPECT_TRUE(gradient_close(
            "x", x, Tensor(same.grad()), {},
            {{"the gradient of one copy alone comes back: the others are detached", [&, times = times] {
                  std::vector<std::size_t> first;
                  for (std::size_t i = 0; i < 3; ++i) first.push_back(i * times);
                  return heads_in_order(upstream, first);
              }}}));
        if (HasFailure()) return;  // one case tells it
    }
}

TEST(grouped_queries, refuses_what_has_no_heads) {
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
