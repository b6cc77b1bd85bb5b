// common/tensor/print.cpp · tensors, masks and shapes as text
#include "common/tensor/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>
#include <vector>

#include "common/base/errors.hpp"

namespace tfs {

namespace {

constexpr std::size_t most_values = 1000, at_each_end = 3;
constexpr double largest_plain = 1e8, smallest_plain = 1e-4, widest_range = 1e3;  // PyTorch's

// Which positions of an axis are shown; a gap between two of them prints as "…".
std::vector<std::size_t> shown_positions(std::size_t length, bool shortened) {
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < length; ++i)
        if (!shortened || length <= 2 * at_each_end || i < at_each_end || i >= length - at_each_end)
            positions.push_back(i);
    return positions;
}

// Calls visit(offset) for every value that is shown.
void visit_shown(const Shape& shape, bool shortened, std::size_t axis, std::size_t offset,
                 const std::function<void(std::size_t)>& visit) {
    if (axis == shape.size()) return visit(offset);
    for (const std::size_t i : shown_positions(shape[axis], shortened))
        visit_shown(shape, shortened, axis + 1, offset * shape[axis] + i, visit);
}

// The nested brackets. `text_of` gives a value's text by its offset.
std::string brackets(const Shape& shape, bool shortened,
                     const std::function<std::string(std::size_t)>& text_of, std::size_t axis = 0,
                     std::size_t offset = 0) {
    if (axis == shape.size()) return text_of(offset);
    const bool innermost = axis + 1 == shape.size();
    // Between matrices an empty line, between rows none.
    const std::string line_end =
        innermost ? " " : std::string(shape.size() - 1 - axis, '\n') + std::string(axis + 1, ' ');
    std::string text = "[";
    std::size_t next = 0;
    for (const std::size_t i : shown_positions(shape[axis], shortened)) {
        if (i > 0) text += "," + line_end;
        if (i > next) text += "...," + line_end;
        text += brackets(shape, shortened, text_of, axis + 1, offset * shape[axis] + i);
        next = i + 1;
    }
    return text + "]";
}

// One way to write all values that are shown: whole numbers as "2.", else four decimals or an exponent.
std::function<std::string(float)> format_for(const std::vector<float>& values) {
    double largest = 0.0, smallest = HUGE_VAL;
    bool whole = true;
    for (const float value : values) {
        const double size = std::abs(static_cast<double>(value));
        if (!std::isfinite(value) || value == 0.0f) continue;
        largest = std::max(largest, size);
        smallest = std::min(smallest, size);
        whole = whole && std::nearbyint(value) == value;
    }
    const bool exponent = largest > largest_plain ||
                          (!whole && (largest / smallest > widest_range || smallest < smallest_plain));
    return [=](float value) {
        if (exponent && std::isfinite(value)) return fmt::format("{:.4e}", value);
        if (!std::isfinite(value)) return fmt::format("{}", value);
        return whole ? fmt::format("{:.0f}.", value) : fmt::format("{:.4f}", value);
    };
}

// The shape on a line of its own, then the values in columns.
std::string with_shape(const Shape& shape, const std::function<std::string(std::size_t)>& text_of,
                       bool shortened) {
    std::size_t width = 0;
    visit_shown(shape, shortened, 0, 0, [&](std::size_t i) { width = std::max(width, text_of(i).size()); });
    const auto padded = [&](std::size_t i) { return fmt::format("{:>{}}", text_of(i), width); };
    return to_string(shape) + "\n" + brackets(shape, shortened, padded);
}

}  // namespace

std::string to_string(const Tensor& tensor) {
    const Shape shape = tensor.shape();
    const bool shortened = tensor.size() > most_values;
    std::vector<float> shown;
    visit_shown(shape, shortened, 0, 0, [&](std::size_t i) { shown.push_back(tensor.values()[i]); });
    const auto format = format_for(shown);
    return with_shape(
        shape, [&](std::size_t i) { return format(tensor.values()[i]); }, shortened);
}

std::string to_string(const Mask& mask) {
    const bool* const allowed = mask.array().data();
    return with_shape(
        mask.shape(), [&](std::size_t i) { return std::string(allowed[i] ? "1" : "0"); },
        mask.array().size() > most_values);
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) { return out << to_string(tensor); }
std::ostream& operator<<(std::ostream& out, const Mask& mask) { return out << to_string(mask); }
std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << to_string(shape); }

}  // namespace tfs
