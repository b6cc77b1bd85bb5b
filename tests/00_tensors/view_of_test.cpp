// tests/00_tensors/view_of_test.cpp · views at the edge of their contract: refused by one of our errors, or right
#include "chapters/00_tensors/given/view_of.hpp"

#include <limits>

#include "tests/00_tensors/checklist.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(view_of, refuses_what_lies_outside) {
    Array base = Array::from_shape({8});
    constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
    constexpr std::ptrdiff_t far = std::numeric_limits<std::ptrdiff_t>::max();
    EXPECT_REFUSED(view_of(base, {{huge}, {1}, 0}));
    EXPECT_REFUSED(view_of(base, {{huge}, {0}, 0}));
    EXPECT_REFUSED(view_of(base, {{5}, {far / 2}, 0}));
    EXPECT_REFUSED(view_of(base, {{2, 2, 2}, {far / 2, far / 2, far / 2}, 0}));
    EXPECT_REFUSED(view_of(base, {{3}, {-far}, 0}));
    EXPECT_REFUSED(view_of(base, {{0, 1ULL << 20}, {1, far}, 0}));
    EXPECT_REFUSED(view_of(base, {{1ULL << 33, 1ULL << 33}, {0, 0}, 0}));
    EXPECT_REFUSED(row_major({1ULL << 33, 1ULL << 33}));
    EXPECT_REFUSED(view_of(base, {{2}, {-1}, 0}), "-1");
    (void)view_of(base, {{3}, {-2}, 7});
    (void)view_of(base, {{0, 1ULL << 20}, {1, 1}, 100});
}

}  // namespace
}  // namespace tfs::test
