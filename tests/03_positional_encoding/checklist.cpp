// tests/03_positional_encoding/checklist.cpp · what several checks of chapter 03 share
#include "tests/03_positional_encoding/checklist.hpp"

#include <cmath>

#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

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

testing::AssertionResult right_for_positions(const std::string& what,
                                             const std::function<Tensor(const Tensor&)>& call,
                                             const Tensor& x, const Tensor& expected,
                                             const std::vector<Suspect>& suspects) {
    try {
        const Tensor y = call(x);
        return close_named(what, y, expected, {}, suspects)
               << likely_if(y.rank() > x.rank(), "an axis is added; the result has the shape of x");
    } catch (const ShapeError& error) {
        bool equal_axes_pass = true;
        try {
            const std::size_t seq = x.size(-2);
            (void)call(Tensor::zeros({seq, seq, seq, x.size(-1)}));
        } catch (const ShapeError&) {
            equal_axes_pass = false;
        }
        return testing::AssertionFailure()
               << (what.empty() ? "" : what + ": ") << '"' << error.what() << '"'
               << likely_if(equal_axes_pass, "the positions are the axis before the last: size(-2)");
    } catch (const ValueError& error) {
        return testing::AssertionFailure() << (what.empty() ? "" : what + ": ") << '"' << error.what() << '"'
                                           << likely_if(names(error.what(), "-1"), one_before);
    }
}

std::vector<Suspect> sum_suspects(const Tensor& x, const Tensor& rows) {
    const std::string alone = "x is missing: the rows are added to it";
    return {{alone, [=] { return Tensor::zeros(x.shape()) + rows; }},
            {alone, [=] { return rows; }},
            {"the rows are missing: they are added to x", [=] { return x * 1.0f; }},
            {"x is multiplied by the rows; they are added", [=] { return x * rows; }},
            {"x is scaled; sqrt(d_model) belongs to the embedding",
             [=] { return x * std::sqrt(static_cast<float>(x.size(-1))) + rows; }}};
}

testing::AssertionResult right_far_out(const std::string& what, const Tensor& actual,
                                       const Tensor& expected) {
    const bool nearly = close(actual, expected, {0, 0.01}) && !close(actual, expected, {0, 1e-6});
    return close_named(what + " at the positions 19997 to 20000", actual, expected, {0, 1e-6}) << likely_if(
               nearly,
               "the angle is computed in float, or its frequency is rounded to one: far out most of its "
               "digits count whole turns");
}

RotaryEmbedding golden_rotary() {
    RotaryEmbedding rotary(8, 16);
    rotary.cos = golden()["rotary.cos"];
    rotary.sin = golden()["rotary.sin"];
    return rotary;
}

RotaryEmbedding backward_rotary() {
    RotaryEmbedding rotary = golden_rotary();
    rotary.sin = -rotary.sin;
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
