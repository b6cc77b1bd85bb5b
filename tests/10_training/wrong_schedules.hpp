// tests/10_training/wrong_schedules.hpp · learning rates with one thing done wrong
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/10_training/adamw_reference.hpp"

namespace tfs::test {

// The rates at step 1 … last.
Tensor rates_to(std::size_t last, const std::function<double(std::size_t step)>& rate);

// The golden ones.
struct ScheduleCase {
    std::string name;
    WarmupCosine schedule;
};

inline const std::vector<ScheduleCase> schedule_cases{
    {"plain", {.peak = 0.8, .final = 0.0, .warmup = 4, .total = 16}},
    {"with_final", {.peak = 0.8, .final = 0.1, .warmup = 5, .total = 20}},
    {"without_warmup", {.peak = 0.6, .final = 0.2, .warmup = 0, .total = 10}}};

// The mistake that gives the learner's rates in all cases, also in those where they are right; empty where there is none.
std::string likely_schedule();

}  // namespace tfs::test
