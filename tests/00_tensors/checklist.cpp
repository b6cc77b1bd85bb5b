// tests/00_tensors/checklist.cpp · comparing views by the floats that they see
#include "tests/00_tensors/checklist.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chapters/00_tensors/given/view_of.hpp"
#include "common/base/array.hpp"

namespace tfs::test {
namespace {

// The float of each entry, row after row.
std::vector<std::ptrdiff_t> floats_of(const Strided& view) {
    std::vector<std::ptrdiff_t> floats;
    for (std::size_t entry = 0; entry < element_count(view.shape); ++entry) {
        std::ptrdiff_t at = view.offset;
        for (std::size_t axis = view.shape.size(), rest = entry; axis-- > 0; rest /= view.shape[axis])
            at += static_cast<std::ptrdiff_t>(rest % view.shape[axis]) * view.strides[axis];
        floats.push_back(at);
    }
    return floats;
}

Shape index_of(std::size_t entry, const Shape& shape) {
    Shape index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0; entry /= shape[axis]) index[axis] = entry % shape[axis];
    return index;
}

}  // namespace

testing::AssertionResult sees(const Strided& actual, const Strided& expected) {
    count_comparison();
    const std::string strides =
        fmt::format("the strides ({}) and the offset {}", fmt::join(actual.strides, ", "), actual.offset);
    if (actual.shape != expected.shape || actual.strides.size() != actual.shape.size())
        return testing::AssertionFailure()
               << fmt::format(
                      "the view has the shape {}, {}; expected the shape {} with a stride for each axis",
                      to_string(actual.shape), strides, to_string(expected.shape))
               << came(to_string(actual.shape) + strides);
    const std::vector<std::ptrdiff_t> seen = floats_of(actual), wanted = floats_of(expected);
    for (std::size_t entry = 0; entry < seen.size(); ++entry)
        if (seen[entry] != wanted[entry])
            return testing::AssertionFailure()
                   << fmt::format("with {}, entry {} is float {} of the buffer; it must be float {}", strides,
                                  to_string(index_of(entry, actual.shape)), seen[entry], wanted[entry])
                   << came(fmt::format("{}", fmt::join(seen, " ")));
    return testing::AssertionSuccess();
}

std::vector<float> written_through(const Strided& view, std::size_t floats) {
    Array buffer(Array::shape_type{floats}, 0.0f);
    auto entries = view_of(buffer, view);
    float number = 0.0f;
    for (auto& entry : entries) entry = ++number;
    return {buffer.begin(), buffer.end()};
}

}  // namespace tfs::test
