// tests/02_masks/checklist.hpp · what the checks of several steps of chapter 02 share
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "chapters/02_masks/masks.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
inline const std::string never_written =
    ", or an entry was never written: from_shape leaves them uninitialised";

Ids ids(const Shape& shape, const std::vector<std::int64_t>& values);

// 1 where the mask allows, 0 where it forbids.
Tensor numbers(const Mask& mask);

// A mask (batch, 1, query, key) by a rule on sequence b, query i and key j, as ones and zeros. The numbers are signed, so
// that i - j is what it looks like.
using Rule = std::function<bool(std::int64_t b, std::int64_t i, std::int64_t j)>;
Tensor by_rule(const Shape& shape, const Rule& rule);
Suspect suspect(const std::string& message, const Shape& shape, const Rule& rule);

// The mask equals the expected ones and zeros, of four axes. Where it is none of the suspects, those of any mask are asked:
// inverted, all or nothing allowed, axes missing or swapped. A mask of one axis or none was never given its four.
testing::AssertionResult mask_close(const Mask& actual, const Tensor& expected,
                                    const std::vector<Suspect>& suspects, const std::string& what = {});

// Output, weights and gradients under a mask equal PyTorch's: those of chapter 01, and the readable form.
testing::AssertionResult attention_equals_pytorch(const std::string& name, const Mask& mask,
                                                  const std::string& queries = "q");

}  // namespace tfs::test
