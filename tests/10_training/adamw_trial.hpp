// tests/10_training/adamw_trial.hpp · an optimizer that is compared step by step, and the mistake behind a difference
#pragma once

#include <gtest/gtest.h>

#include "tests/10_training/adamw_reference.hpp"

namespace tfs::test {

// An optimizer, and beside it the same one right and with each mistake. A cause is told where it alone explains
// all steps, two or more.
class Trial {
  public:
    explicit Trial(AdamW chosen);

    AdamW optimizer;

    // One for each parameter, or none.
    void set_gradients(const std::vector<std::optional<Array>>& gradients);

    // Takes the step, and compares all values with the right ones. Nothing after a step that threw.
    void step(double rate);

    // What a parameter must be now.
    void expect(const NamedTensor& parameter, const Tensor& values);

    // Success, or the first difference and its cause.
    testing::AssertionResult right() const;

    // The likely cause of the difference; empty where none is known.
    std::string cause() const;

  private:
    AdamWState right_;
    std::vector<AdamWState> wrong_;
    std::vector<bool> explains_;
    std::size_t step_ = 0;
    std::string failure_, thrown_;

    void note(const std::string& failure);
};

}  // namespace tfs::test
