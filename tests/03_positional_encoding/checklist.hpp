// tests/03_positional_encoding/checklist.hpp · what several checks of chapter 03 share
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

inline constexpr const char* one_before =
    "the first row of x is put at position offset - 1; it stands at position `offset`";
inline constexpr const char* one_behind =
    "the first row of x is put at position offset + 1; it stands at position `offset`";
inline constexpr const char* own_angles =
    "the angles are computed anew; take them from the tables of `rotary`, which may have another theta";
inline constexpr const char* dropped_for_one =
    "a single position, as that of a decoder, is taken for position 0; it stands at `offset` as any other";

Tensor table_of(std::size_t rows, std::size_t columns, const std::function<double(double, double)>& entry);

// call(x) is as expected. Where x is refused, but another is not whose leading axes are as long as its positions, the cause
// is an axis that was taken for that of the positions.
testing::AssertionResult right_for_positions(const std::string& what,
                                             const std::function<Tensor(const Tensor&)>& call,
                                             const Tensor& x, const Tensor& expected,
                                             const std::vector<Suspect>& suspects = {});

// x + rows, and what else they are put together by.
std::vector<Suspect> sum_suspects(const Tensor& x, const Tensor& rows);

// Far out, where an angle in float has lost its last digits: wrong there, but not by much.
testing::AssertionResult right_far_out(const std::string& what, const Tensor& actual, const Tensor& expected);

// The tables as PyTorch has them, so that wrong ones spoil no check of apply_rotary.
RotaryEmbedding golden_rotary();

// The same, but each angle is negative: tables that nobody can compute from d_k.
RotaryEmbedding backward_rotary();

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
