// tests/10_training/wrong_padding.hpp · the golden batch of make_batch, and the classic wrong ones
#pragma once

#include <string>
#include <vector>

#include "chapters/10_training/training.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

using List = std::vector<std::int64_t>;

// Of 2, 5 and 3 ids; the golden batch has pad_id 7.
inline const std::vector<Example> three{
    {{4, 9}, {14, 19}}, {{7, 1, 8, 2, 6}, {17, 11, 18, 12, 16}}, {{3, 5, 9}, {13, 15, 19}}};

Tensor as_floats(const Ids& ids);

// The rows, cut or filled up to `width`.
Tensor padded(const std::vector<List>& rows, std::size_t width, std::int64_t fill, bool at_the_front = false);

std::vector<Suspect> padding_suspects(bool of_targets);

// Of a comparison that named no suspect: whether only the padding is wrong.
std::string cause_of_padding(const testing::AssertionResult& result, const Tensor& found,
                             const Tensor& expected, float fill);

}  // namespace tfs::test
