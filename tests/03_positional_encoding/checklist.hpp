// tests/03_positional_encoding/checklist.hpp · what the checks of several steps of chapter 03 share
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

inline constexpr const char* guessed_offset =
    "`offset` is guessed as keys - queries; there may be more keys than offset + queries";

Tensor table_of(std::size_t rows, std::size_t columns, const std::function<double(double, double)>& entry);

double power(double exponent);  // 10000^exponent

// Every x (…, seq, width) is taken: of rank 2 and 4 as well.
testing::AssertionResult right_for_any_rank(const std::string& what, const std::function<Tensor()>& call,
                                            const Tensor& expected);

// -2 * i of unsigned numbers is huge, the frequency infinite, and 0 times it not a number.
std::string wrapped_if_nan(const Tensor& table);

// Far out, where an angle in float has lost its last digits: wrong there, but not by much.
testing::AssertionResult right_far_out(const std::string& what, const Tensor& actual, const Tensor& expected);

// The tables as PyTorch has them, so that wrong ones of rotary_frequencies spoil no check of apply_rotary.
RotaryEmbedding golden_rotary();

// The columns of x in another order.
Tensor columns(const Tensor& x, const std::vector<std::size_t>& order);
inline const std::vector<std::size_t> even_first{0, 2, 4, 6, 1, 3, 5, 7}, merged{0, 4, 1, 5, 2, 6, 3, 7};

// (a, b) -> (turn_a, turn_b) for the first and second columns of all pairs.
using Turn = std::function<std::pair<Tensor, Tensor>(const Tensor& a, const Tensor& b, const Tensor& cos,
                                                     const Tensor& sin)>;
std::pair<Tensor, Tensor> right_turn(const Tensor& a, const Tensor& b, const Tensor& cos, const Tensor& sin);

// x (…, seq, 8), rotated by operations of the tensor layer; the angles broadcast as they are given.
Tensor turned(const Tensor& x, RotaryLayout layout, const Tensor& cos, const Tensor& sin,
              const Turn& turn = right_turn);

// … by the angles of the positions from `offset` on.
Tensor reference_rotary(const Tensor& x, RotaryLayout layout, std::size_t offset = 0,
                        const Turn& turn = right_turn);

}  // namespace tfs::test
