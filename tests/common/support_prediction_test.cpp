// tests/common/support_prediction_test.cpp · steps in which a learner predicts what a run will give
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/support/prediction.hpp"

namespace tfs::test {
namespace {

TEST(prediction, passes_within_the_factor_and_prints_both_numbers_and_their_ratio) {
    for (const double prediction : {51.0, 100.0, 199.0}) {
        testing::internal::CaptureStdout();
        EXPECT_TRUE(predicts(prediction, 100.0, 2.0));
        const std::string printed = testing::internal::GetCapturedStdout();
        EXPECT_NE(printed.find("the run gave 100: the ratio is "), std::string::npos) << printed;
    }
}

TEST(prediction, fails_outside_of_the_factor_with_both_numbers) {
    for (const double prediction : {49.0, 201.0}) {
        testing::internal::CaptureStdout();
        const testing::AssertionResult result = predicts(prediction, 100.0, 2.0);
        testing::internal::GetCapturedStdout();
        EXPECT_FALSE(result);
        EXPECT_NE(std::string(result.message()).find("it may be 2 times too large or too small"),
                  std::string::npos);
    }
}

TEST(prediction, must_be_a_positive_number) {
    for (const double prediction :
         {0.0, -3.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        EXPECT_FALSE(predicts(prediction, 100.0, 2.0)) << prediction;
}

}  // namespace
}  // namespace tfs::test
