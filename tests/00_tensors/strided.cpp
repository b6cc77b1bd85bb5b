// tests/00_tensors/strided.cpp · comparing views by the floats that they see
#include "tests/00_tensors/strided.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chapters/00_tensors/given/view_of.hpp"
#include "common/base/shape.hpp"
#include "tests/support/close.hpp"

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

std::string causes(const Strided& actual, const std::vector<WrongView>& wrong) {
    std::string text;
    for (const WrongView& one : wrong)
        if (text.empty() && one.view.shape == actual.shape && floats_of(one.view) == floats_of(actual))
            text = likely_if(true, one.message);
    return text;
}

}  // namespace

testing::AssertionResult sees(const Strided& actual, const Strided& expected,
                              const std::vector<WrongView>& wrong) {
    const auto failure = [](const std::string& text) { return testing::AssertionFailure() << text; };
    if (actual.strides.size() != actual.shape.size())
        return failure(fmt::format("the view {} has {} axes, but {} strides; it needs one for each axis",
                                   to_string(actual.shape), actual.shape.size(), actual.strides.size()));
    if (actual.shape != expected.shape)
        return failure(
            fmt::format("the shape is {}, expected {}", to_string(actual.shape), to_string(expected.shape)) +
            causes(actual, wrong));
    const std::vector<std::ptrdiff_t> came = floats_of(actual), wanted = floats_of(expected);
    for (std::size_t entry = 0; entry < came.size(); ++entry)
        if (came[entry] != wanted[entry])
            return failure(
                fmt::format(
                    "with the strides ({}) and the offset {}, entry {} is float {} of the buffer; it must be "
                    "float {}",
                    fmt::join(actual.strides, ", "), actual.offset, to_string(index_of(entry, actual.shape)),
                    came[entry], wanted[entry]) +
                causes(actual, wrong));
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
