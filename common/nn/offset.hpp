// common/nn/offset.hpp · where x begins in its sequence: one position, or one for each row of the batch
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "common/tensor/tensor.hpp"

namespace tfs {

// The position of the first token of x, counted from 0: one number for the whole batch, or one for each row of it, where prompts of
// different lengths go on.
//     Offset offset = 3;
//     Offset offset({3, 0, 5});  // for a batch of 3
class Offset {
  public:
    Offset(std::size_t all = 0) : rows_{all} {}
    Offset(std::vector<std::size_t> each);  // ValueError if there are none

    [[nodiscard]] bool is_one() const { return rows_.size() == 1; }
    [[nodiscard]] std::size_t rows() const { return rows_.size(); }  // 1 if it is one number for all
    // Of this row of the batch. ValueError if there are fewer.
    [[nodiscard]] std::size_t operator[](std::size_t row) const;
    [[nodiscard]] std::size_t largest() const;
    bool operator==(const Offset&) const = default;

  private:
    std::vector<std::size_t> rows_;
};

// ValueError, which begins with `what`, unless the offset is one number or has one for each of `batch` rows.
void require_offset_of(std::string_view what, const Offset& offset, std::size_t batch);

// f(x, offset) where the offset is one number. Else f is called for each row of the batch, (1, …), with its own number, and the
// results, of the same shape, are joined again. So a function of one number serves for many. ValueError as above.
[[nodiscard]] Tensor by_row(std::string_view what, const Tensor& x, const Offset& offset,
                            const std::function<Tensor(const Tensor&, std::size_t)>& f);

}  // namespace tfs
