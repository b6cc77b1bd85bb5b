// tests/10_training/wrong_losses.hpp · the classic wrong answers of cross_entropy
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/10_training/reference_loss.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

// To be told where it explains every case, those included that came out right.
struct WrongLoss {
    std::string message;
    std::function<Tensor(const Tensor& logits, const LossCase& c)> loss;
};
using WrongLosses = std::vector<WrongLoss>;

WrongLosses wrong_averages();  // what is added up and divided: divisors, targets, smoothing
WrongLosses wrong_formulas();  // what is done with the logits of a row

// Fails where `ignored` is used as an index, which is outside of smaller arrays and might end the program. To assert first.
testing::AssertionResult ignored_is_no_index();

// A wrong gradient of the logits, where the loss is right.
struct WrongGradient {
    std::string message;
    std::function<Tensor(const Tensor& logits, const LossCase& c)> gradient;
};
std::vector<WrongGradient> wrong_gradients();

}  // namespace tfs::test
