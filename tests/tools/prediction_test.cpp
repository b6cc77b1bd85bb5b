// tests/tools/prediction_test.cpp · steps in which a learner predicts what a run will give
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/support/prediction.hpp"
#include "tools/steps/gaps.hpp"

namespace tfs::tools_test {

using test::predicts;

// An example of such a step: a function of one number, which the learner chooses.
TEST(prediction, is_the_gap_of_a_step) {
    const std::string solution =
        "// Step 7.1 · cache_bytes · ●○○ · 5 min\n// solutions/07_block/cache_bytes.cpp\n"
        "double cache_bytes() {\n    // begin: Predict within a factor of 2 how many bytes the cache of "
        "8,192 tokens has.\n"
        "    return 2.0 * 32 * 8192 * 1024 * 2;  // keys and values, layers, tokens, width, bytes of a "
        "number\n"
        "    // end\n}\n";
    const std::string exercise = steps::exercise_of(solution, "cache_bytes.cpp");
    EXPECT_NE(exercise.find("    // TODO 7.1: Predict within a factor of 2"), std::string::npos);
    EXPECT_NE(exercise.find("throw NotImplemented(\"7.1 cache_bytes\");"), std::string::npos);
    EXPECT_EQ(exercise.find("8192"), std::string::npos);
}

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
        EXPECT_NE(std::string(result.message()).find("1/2 to 2 would pass"), std::string::npos);
    }
}

TEST(prediction, must_be_a_positive_number) {
    for (const double prediction :
         {0.0, -3.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        EXPECT_FALSE(predicts(prediction, 100.0, 2.0)) << prediction;
    EXPECT_FALSE(predicts(100.0, -100.0, 2.0));
}

}  // namespace tfs::tools_test
