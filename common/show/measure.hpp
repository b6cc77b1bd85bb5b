// common/show/measure.hpp · what programs measure: how far two results differ, and how long something takes
#pragma once

#include <functional>

#include "common/base/xtensor.hpp"

namespace tfs {

// The largest |a - b| over all entries. Infinite where the shapes differ or an entry is NaN in one of them: a check that
// asks for a small difference then fails.
double largest_difference(const Array& a, const Array& b);

// The shortest of several runs, in seconds: whatever else the machine does only makes a run longer. At least three runs,
// and a tenth of a second of them.
double best_seconds(const std::function<void()>& run);

}  // namespace tfs
