// tests/11_generation/draws_suspects.hpp · tokens that sample draws, how often each, and which classic mistake draws them
#pragma once

#include <string>
#include <vector>

#include "chapters/11_generation/generation.hpp"

namespace tfs::test {

// What sample gives for each u.
TokenIds sampled(const std::vector<double>& p, const std::vector<double>& us);

// `found`: what sample gave for each u; empty where it is none of the classic wrong answers.
std::string cause_of_draws(const std::vector<double>& p, const std::vector<double>& us,
                           const TokenIds& found);

// sum over tokens of (count - draws p)^2 / (draws p): how far so many counts are from what p says.
double chi_squared_of_counts(const std::vector<double>& counts, const std::vector<double>& p, double draws);
// With 4 degrees of freedom, 5 tokens, chi-squared is above this in one of 1,000 cases.
inline constexpr double largest_chi_squared = 18.467;

}  // namespace tfs::test
