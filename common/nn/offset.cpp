// common/nn/offset.cpp · where x begins in its sequence
#include "common/nn/offset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/tensor/ops.hpp"

namespace tfs {

Offset::Offset(std::vector<std::size_t> each) : rows_(std::move(each)) {
    if (rows_.empty()) throw ValueError("Offset: there is no number; a batch has at least one row");
}

std::size_t Offset::operator[](std::size_t row) const {
    if (is_one()) return rows_[0];
    if (row >= rows_.size())
        throw ValueError(
            fmt::format("Offset: row {} of the batch has none; there are {}", row, rows_.size()));
    return rows_[row];
}

std::size_t Offset::largest() const { return *std::max_element(rows_.begin(), rows_.end()); }

void require_offset_of(std::string_view what, const Offset& offset, std::size_t batch) {
    if (offset.is_one() || offset.rows() == batch) return;
    throw ValueError(fmt::format("{}: {} numbers for a batch of {}; there must be one, or one for each row",
                                 what, offset.rows(), batch));
}

Tensor by_row(std::string_view what, const Tensor& x, const Offset& offset,
              const std::function<Tensor(const Tensor&, std::size_t)>& f) {
    if (offset.is_one()) return f(x, offset[0]);
    require_offset_of(what, offset, x.rank() == 0 ? 0 : x.size(0));
    std::vector<Tensor> rows;
    for (std::size_t row = 0; row < offset.rows(); ++row)
        rows.push_back(f(slice(x, 0, row, row + 1), offset[row]));
    return concat(rows, 0);
}

}  // namespace tfs
