// chapters/03_positional_encoding/given/position_checks.cpp · the checks of chapter 03, given
#include "chapters/03_positional_encoding/given/position_checks.hpp"

#include <fmt/format.h>

#include "common/tensor/named_axes.hpp"

namespace tfs {

void require_width(std::string_view what, const Tensor& x, std::size_t width) {
    require_shapes(what, {{"x", x, "... seq width"}}, {{"width", width, "the table"}});
}

void require_positions(std::string_view what, std::size_t offset, std::size_t seq, std::size_t max_len) {
    if (seq <= max_len && offset <= max_len - seq) return;
    throw ValueError(fmt::format(
        "{}: {} positions from {} on don't fit the table of max_len = {} positions; make it longer, or cut "
        "the text",
        what, seq, offset, max_len));
}

void require_rotary(const Tensor& x, const RotaryEmbedding& rotary, std::size_t offset) {
    require_width("apply_rotary", x, 2 * rotary.cos.size(-1));
    require_positions("apply_rotary", offset, x.size(-2), rotary.cos.size(0));
}

std::size_t pairs_of_columns(const Tensor& x) {
    if (x.rank() == 0 || x.size(-1) == 0 || x.size(-1) % 2 != 0)
        throw ShapeError(fmt::format("the columns of x {} don't make pairs", to_string(x.shape())));
    return x.size(-1) / 2;
}

}  // namespace tfs
