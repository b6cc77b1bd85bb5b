// tests/common/support_test.cpp · the comparisons and refusals on which every checklist rests
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

bool one_is_close(float actual, float expected, Tolerance tolerance = {}) {
    return close(Tensor::full({1}, actual), Tensor::full({1}, expected), tolerance);
}

TEST(close, adds_the_absolute_to_the_relative_tolerance) {
    EXPECT_TRUE(one_is_close(100.0005f, 100.0f, {1e-5, 0.0}));
    EXPECT_FALSE(one_is_close(100.002f, 100.0f, {1e-5, 0.0}));
    EXPECT_TRUE(one_is_close(1e-7f, 0.0f, {1e-5, 1e-6}));
    EXPECT_FALSE(one_is_close(1e-7f, 0.0f, {1e-5, 0.0}));
}

TEST(close, nothing_but_an_infinity_is_close_to_that_infinity) {
    EXPECT_TRUE(one_is_close(infinity, infinity));
    EXPECT_TRUE(one_is_close(-infinity, -infinity));
    EXPECT_FALSE(one_is_close(-infinity, infinity));
    EXPECT_FALSE(one_is_close(0.0f, infinity));
    EXPECT_FALSE(one_is_close(-1e9f, -infinity));
    EXPECT_FALSE(one_is_close(infinity, 0.0f));
}

TEST(close, nan_is_never_close) {
    EXPECT_FALSE(one_is_close(nan, 0.0f));
    EXPECT_FALSE(one_is_close(nan, nan));
    EXPECT_FALSE(one_is_close(0.0f, nan));
    EXPECT_FALSE(one_is_close(nan, infinity));
}

TEST(gradients_reach, says_in_one_sentence_which_parameters_were_not_reached) {
    const Tensor reached(Array{2.0f}, true), other(Array{1.0f}, true);
    (reached * 3.0f).backward();
    const auto said = [](const Parameters& parameters) {
        return std::string(gradients_reach(parameters).message());
    };
    EXPECT_TRUE(gradients_reach({{"a.weight", reached}}));
    const std::string some =
        said({{"a.w.weight", reached}, {"a.b.weight", other}, {"a.b.bias", other}, {"c", other}});
    EXPECT_NE(some.find("nothing under a.b., c received a gradient (3 of 4 parameters)"), std::string::npos)
        << some;
    EXPECT_NE(said({{"c", other}}).find("none of the 1 parameters"), std::string::npos)
        << said({{"c", other}});
}

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
