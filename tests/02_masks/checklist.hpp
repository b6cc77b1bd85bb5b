// tests/02_masks/checklist.hpp · what the checks of several steps of chapter 02 share
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "chapters/02_masks/masks.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

Ids ids(const Shape& shape, const std::vector<std::int64_t>& values);

// 1 where the mask allows, 0 where it forbids.
Tensor numbers(const Mask& mask);

// A mask (batch, 1, query, key) by a rule on sequence b, query i and key j, as ones and zeros. The numbers are signed, so
// that i - j is what it looks like.
using Rule = std::function<bool(std::int64_t b, std::int64_t i, std::int64_t j)>;
Tensor by_rule(const Shape& shape, const Rule& rule);

// The mask equals the expected ones and zeros.
testing::AssertionResult mask_close(const Mask& actual, const Tensor& expected, const std::string& what = {});

// Output, weights and gradients of attention under a mask equal PyTorch's.
testing::AssertionResult attention_equals_pytorch(const std::string& name, const Mask& mask,
                                                  const std::string& queries = "q");

}  // namespace tfs::test
