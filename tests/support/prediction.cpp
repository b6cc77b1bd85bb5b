// tests/support/prediction.cpp · steps in which a learner predicts what a run will give
#include "tests/support/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tfs::test {

testing::AssertionResult predicts(double prediction, double run, double factor) {
    if (!(run > 0.0)) return testing::AssertionFailure() << fmt::format("the run gave {:.4g}", run);
    if (!std::isfinite(prediction) || prediction <= 0.0)
        return testing::AssertionFailure()
               << fmt::format("the prediction is {:.4g}; it must be a positive number", prediction);
    const double ratio = prediction / run;
    const std::string sentence =
        fmt::format("you predicted {:.4g}, the run gave {:.4g}: the ratio is {:.3g}", prediction, run, ratio);
    if (std::max(ratio, 1.0 / ratio) > factor)
        return testing::AssertionFailure()
               << fmt::format("{}; 1/{:g} to {:g} would pass", sentence, factor, factor);
    fmt::print("{}\n", sentence);
    return testing::AssertionSuccess();
}

}  // namespace tfs::test
