// chapters/03_positional_encoding/given/layouts.cpp · columns, and the rows of a projection, from one rotary layout to the other, given
#include <fmt/format.h>

#include "chapters/03_positional_encoding/given/position_checks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

namespace {

// The rows of each head are seen as a table of (from, to) and read along its other side: (pair, 2) becomes (2, pair).
Tensor regrouped(const Tensor& rows, std::size_t num_heads, bool to_half_split) {
    if (rows.rank() == 0 || num_heads == 0 || rows.size(0) % (2 * num_heads) != 0) {
        throw ValueError(fmt::format("rotary layout: the rows of {} can't be shared out to {} heads of pairs",
                                     to_string(rows.shape()), num_heads));
    }
    const std::size_t pairs = rows.size(0) / num_heads / 2, width = rows.size() / rows.size(0);
    const Tensor grouped = to_half_split ? reshape(rows, {num_heads, pairs, 2, width})
                                         : reshape(rows, {num_heads, 2, pairs, width});
    return reshape(transpose(grouped, 1, 2), rows.shape());
}

// The columns of x (…, from * to) are seen as a table (from, to) and read along its other side.
Tensor regrouped_columns(const Tensor& x, std::size_t from, std::size_t to) {
    Shape table = x.shape();
    table.back() = from;
    table.push_back(to);
    return reshape(transpose(reshape(x, table), -1, -2), x.shape());
}

}  // namespace

Tensor even_columns_first(const Tensor& x) { return regrouped_columns(x, pairs_of_columns(x), 2); }

Tensor even_columns_back(const Tensor& x) { return regrouped_columns(x, 2, pairs_of_columns(x)); }

Tensor interleaved_to_half_split(const Tensor& rows, std::size_t num_heads) {
    return regrouped(rows, num_heads, true);
}

Tensor half_split_to_interleaved(const Tensor& rows, std::size_t num_heads) {
    return regrouped(rows, num_heads, false);
}

}  // namespace tfs
