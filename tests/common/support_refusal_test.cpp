// tests/common/support_refusal_test.cpp · the check that bad input is refused, on which every checklist rests
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const auto nothing = [] {};
const auto no_shape = [] { throw ShapeError("a row of 10, not 12.5: 3 columns."); };

// What a failure says, or nothing.
std::string failure(const testing::AssertionResult& result) { return result ? "" : result.message(); }

TEST(refusal, the_right_error_that_names_everything_is_a_success) {
    EXPECT_TRUE(refuses<ShapeError>(no_shape, {}));
    EXPECT_TRUE(refuses<ShapeError>(no_shape, {"10", "a row", "3", "12.5"}));
    EXPECT_TRUE(refuses<Error>(no_shape, {"10"}));
}

TEST(refusal, a_number_is_a_whole_one) {
    for (const char* const part : {"1", "0", "12", "5", "2"}) EXPECT_FALSE(names("10, 12.5", part)) << part;
    for (const char* const part : {"10", "12.5", "2.5", "7|10"}) EXPECT_TRUE(names("10, 12.5", part)) << part;
    EXPECT_TRUE(names("there are 10.", "10"));
    EXPECT_FALSE(names("there are 10.", "7|11"));
}

TEST(refusal, a_failure_says_what_came_instead) {
    EXPECT_EQ(failure(refuses<ShapeError>(no_shape, {"10", "4|5", "6"}, "the call")),
              "the call: the ShapeError says \"a row of 10, not 12.5: 3 columns.\"; "
              "it must name 4 or 5 and 6");
    EXPECT_EQ(failure(refuses<ValueError>(no_shape, {}, "the call")),
              "the call: \"a row of 10, not 12.5: 3 columns.\"; "
              "the contract says ValueError, but a ShapeError came");
    EXPECT_EQ(failure(refuses<ValueError>(nothing, {"6", "7", "8"})),
              "no exception; expected a ValueError that names 6, 7 and 8");
    EXPECT_EQ(failure(refuses<ValueError>(nothing, {}, "d_k 7")),
              "d_k 7: no exception; expected a ValueError");
    EXPECT_NE(failure(refuses<ValueError>([] { throw ValueError("two\nlines"); }, {"two"})), "");
}

TEST(refusal, a_step_that_is_not_started_is_no_refusal) {
    EXPECT_THROW((void)refuses<Error>([] { throw NotImplemented("1.1 attention_loops"); }, {}),
                 NotImplemented);
}

}  // namespace
}  // namespace tfs::test
