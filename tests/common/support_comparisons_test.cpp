// tests/common/support_comparisons_test.cpp · what came in each comparison of a checklist
#include "tests/support/comparisons.hpp"

#include <unistd.h>

#include <functional>

#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// What is recorded of the comparisons that it makes, passed or not.
std::vector<std::string> came_in(const std::function<void()>& compare) {
    int ends[2];
    if (::pipe(ends) != 0) return {"no pipe"};
    report::Channel channel(ends[1]);
    record_comparisons(channel);
    compare();
    record_comparisons(report::Channel());
    ::close(ends[1]);
    std::string events = "start\tstep\ttest\n";
    char block[4096];
    for (ssize_t count; (count = ::read(ends[0], block, sizeof block)) > 0;)
        events.append(block, static_cast<std::size_t>(count));
    ::close(ends[0]);
    return report::read_record(events).outcomes.at(0).came;
}

using Came = std::vector<std::string>;

TEST(comparisons, what_came_is_recorded_whether_it_passes_or_not) {
    EXPECT_EQ(came_in([] {
                  EXPECT_EQ(2 + 2, 4);
                  EXPECT_LT(std::string("a"), "b");
                  EXPECT_NEAR(0.1f, 0.2, 1.0);
                  EXPECT_FALSE(close(Tensor::from({2}, {1, 0.25f}), Tensor::zeros({2})));
                  EXPECT_TRUE(has_shape(Tensor::zeros({2, 3}), {2, 3}));
                  EXPECT_FALSE(refuses<ShapeError>([] { throw ValueError("no"); }, {}));
                  EXPECT_FALSE(refuses<ShapeError>([] {}, {}));
              }),
              (Came{"4", "\"a\"", "0.100000001", "(2): 1 0.25", "(2, 3)", "ValueError", "no exception"}));
}

TEST(comparisons, of_a_large_array_256_values_are_recorded) {
    const Came came = came_in([] { note_came(Tensor::zeros({1000}).array()); });
    ASSERT_EQ(came.size(), 1u);
    EXPECT_EQ(came[0].size(), std::string("(1000):").size() + 2 * 256);
}

TEST(comparisons, nothing_is_recorded_unless_somebody_asks) {
    EXPECT_FALSE(records_comparisons());
    note_came("dropped");
}

}  // namespace
}  // namespace tfs::test
