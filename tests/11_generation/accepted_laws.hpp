// tests/11_generation/accepted_laws.hpp · the law of accepted(), measured
//
// Its draws fall once into each of 500 equal parts of [0, 1), so a share is right to 1 / 500.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "chapters/11_generation/generation.hpp"

namespace tfs::test {

using Law = std::vector<double>;  // the probabilities of all tokens

[[nodiscard]] Tensor as_row(const Law& law);

// One token was drafted from q; the token that comes after it if it stays is q.size().
double share_that_stays(std::int64_t token, const Law& q, const Law& p);
// Of what comes in its place, where it goes.
Law law_of_replacement(std::int64_t token, const Law& q, const Law& p);

// Whether these are min(1, p / q) for each token, and max(0, p - q) divided by its sum, where token `gone` went. A failure names the likely
// cause.
testing::AssertionResult stays_as_often_as_it_should(const Law& p, const Law& q);
testing::AssertionResult is_replaced_by_the_rest(const Law& p, const Law& q, std::size_t gone);

}  // namespace tfs::test
