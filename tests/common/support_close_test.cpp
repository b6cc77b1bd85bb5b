// tests/common/support_close_test.cpp · the comparison that every checklist rests on
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"

#include "tests/support/gradients_reach.hpp"

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

}  // namespace
}  // namespace tfs::test
