// tests/11_generation/sampling_suspects.hpp · probabilities of tokens computed in another way, and with one thing done wrong
#pragma once

#include <string>
#include <vector>

#include "chapters/11_generation/generation.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

struct SamplingCase {
    std::vector<float> logits;
    Sampling sampling = {};
};

// What token_probabilities must give, from a sorted list of the tokens that are left.
std::vector<double> right_probabilities(const SamplingCase& one);

// Success where token_probabilities is right for each of these cases: the values, and exactly 0 for what is not kept. Else the first case
// that is wrong, and the classic wrong answer that gives what was found in all of them.
testing::AssertionResult all_right(const std::vector<SamplingCase>& cases);

}  // namespace tfs::test
