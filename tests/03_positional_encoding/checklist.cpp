// tests/03_positional_encoding/checklist.cpp · what the checks of several steps of chapter 03 share
#include "tests/03_positional_encoding/checklist.hpp"

#include <cmath>

#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

Tensor rows_of(const std::string& table, std::size_t begin, std::size_t seq) {
    return slice(golden()[table], 0, begin, begin + seq);
}

}  // namespace

Tensor table_of(std::size_t rows, std::size_t columns, const std::function<double(double, double)>& entry) {
    Array values = Array::from_shape({rows, columns});
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto row = static_cast<double>(i / columns), column = static_cast<double>(i % columns);
        values.data()[i] = static_cast<float>(entry(row, column));
    }
    return Tensor(std::move(values));
}

double power(double exponent) { return std::pow(10000.0, exponent); }

testing::AssertionResult right_for_any_rank(const std::string& what, const std::function<Tensor()>& call,
                                            const Tensor& expected) {
    const std::string cause = "the positions are the axis before the last: size(-2)";
    try {
        return close_named(what, call(), expected);
    } catch (const ShapeError& error) {
        return testing::AssertionFailure()
               << what << ": \"" << error.what() << "\"" << likely_if(true, cause);
    }
}

std::string wrapped_if_nan(const Tensor& table) {
    return likely_if(contains_nan(table),
                     "-2 * i of std::size_t wraps around to a huge number: write -2.0 * i");
}

testing::AssertionResult right_far_out(const std::string& what, const Tensor& actual,
                                       const Tensor& expected) {
    const bool nearly = close(actual, expected, {0, 0.01}) && !close(actual, expected, {0, 1e-6});
    return close_named(what + " at the positions 19998 to 20000", actual, expected, {0, 1e-6})
           << likely_if(nearly,
                        "the angle is computed in float; position and frequency must be multiplied in "
                        "double, and only the sine and cosine be rounded");
}

RotaryEmbedding golden_rotary() {
    RotaryEmbedding rotary(8, 16);
    rotary.cos = golden()["rotary.cos"];
    rotary.sin = golden()["rotary.sin"];
    return rotary;
}

Tensor columns(const Tensor& x, const std::vector<std::size_t>& order) {
    std::vector<Tensor> parts;
    for (const std::size_t column : order) parts.push_back(slice(x, -1, column, column + 1));
    return concat(parts, -1);
}

std::pair<Tensor, Tensor> right_turn(const Tensor& a, const Tensor& b, const Tensor& cos, const Tensor& sin) {
    return {a * cos - b * sin, a * sin + b * cos};
}

Tensor turned(const Tensor& x, RotaryLayout layout, const Tensor& cos, const Tensor& sin, const Turn& turn) {
    const bool interleaved = layout == RotaryLayout::interleaved;
    const Tensor halves = interleaved ? columns(x, even_first) : x;
    const auto [a, b] = turn(slice(halves, -1, 0, 4), slice(halves, -1, 4, 8), cos, sin);
    const Tensor result = concat({a, b}, -1);
    return interleaved ? columns(result, merged) : result;
}

Tensor reference_rotary(const Tensor& x, RotaryLayout layout, std::size_t offset, const Turn& turn) {
    const std::size_t seq = x.size(-2);
    return turned(x, layout, rows_of("rotary.cos", offset, seq), rows_of("rotary.sin", offset, seq), turn);
}

}  // namespace tfs::test
