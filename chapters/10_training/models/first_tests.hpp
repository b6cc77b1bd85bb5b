// chapters/10_training/models/first_tests.hpp · two cheap tests before a training: the first loss, and one batch by heart
#pragma once

#include <functional>
#include <vector>

#include "chapters/10_training/models/date_task.hpp"

namespace tfs {

inline constexpr std::size_t rows_of_first_tests = 16, steps_of_first_tests = 80;

// Of a new reader of dates, as step date_training makes it and asks it.
struct FirstTests {
    std::size_t vocab = 0;  // a model that finds all characters equally likely has the loss ln(vocab)
    // On one batch of 16 dates: number i is of the model after i steps, 0 … 80.
    std::vector<StepReport> steps = {};
};
// `told` is called for each step.
[[nodiscard]] FirstTests first_tests(std::uint64_t seed,
                                     const std::function<void(std::size_t step, double loss)>& told = {});

// The batch of 16 dates that is drawn with this seed.
[[nodiscard]] Batch batch_of_dates(std::uint64_t seed);

}  // namespace tfs
