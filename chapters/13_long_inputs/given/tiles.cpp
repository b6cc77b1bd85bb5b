// chapters/13_long_inputs/given/tiles.cpp · products of tiles, exponentials of a row, and checks of arguments
#include "chapters/13_long_inputs/given/tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "common/kernels/exp.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/lane_sums.hpp"

namespace tfs {

namespace {

std::atomic<std::size_t> computed = 0;

const float* first(const Matrix& of, Range rows) { return of.numbers.data() + rows.begin * of.width; }
float* first(Matrix& of, Range rows) { return of.numbers.data() + rows.begin * of.width; }

// These rows of c = alpha a b + beta c, of these rows of a and b.
void product(Matrix& c, Range c_rows, const Matrix& a, Range a_rows, const Matrix& b, Range b_rows,
             kernels::Gemm how) {
    how.m = c_rows.size();
    how.n = c.width;
    how.lda = a.width;
    how.ldb = b.width;
    how.ldc = c.width;
    kernels::gemm(how, first(a, a_rows), first(b, b_rows), first(c, c_rows));
}

}  // namespace

std::vector<Range> pieces_of(std::size_t size, std::size_t step) {
    std::vector<Range> pieces;
    for (std::size_t begin = 0; begin < size; begin += step)
        pieces.push_back({begin, std::min(size, begin + step)});
    return pieces;
}

Matrix scores_of(const Head& head, Range queries, Range keys) {
    ++computed;
    Matrix scores(queries.size(), keys.size());
    product(scores, {0, scores.rows}, head.q, queries, head.k, keys,
            {.k = head.q.width,
             .transpose_b = true,
             .alpha = 1.0f / std::sqrt(static_cast<float>(head.q.width))});
    return scores;
}

std::size_t tiles_computed() { return computed.exchange(0); }

void hide(Matrix& scores, Range queries, Range keys, const Visible& visible) {
    constexpr float hidden = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < scores.rows; ++i) {
        const KeySpan seen = visible[queries.begin + i];
        const auto place = [&](std::size_t key) {
            return std::clamp(key, keys.begin, keys.end) - keys.begin;
        };
        const std::span<float> row = scores.row(i);
        std::fill(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(place(seen.begin)), hidden);
        std::fill(row.begin() + static_cast<std::ptrdiff_t>(place(seen.end)), row.end(), hidden);
    }
}

float largest_in(std::span<const float> row, float so_far) {
#pragma omp simd reduction(max : so_far)
    for (std::size_t j = 0; j < row.size(); ++j) so_far = row[j] > so_far ? row[j] : so_far;
    return so_far;
}

float to_weights(std::span<float> row, float shift) {
    float* const x = row.data();
    return kernels::lane_sum(row.size(), [=](std::size_t j) { return x[j] = kernels::exp(x[j] - shift); });
}

void multiply(std::span<float> row, float factor) {
#pragma omp simd
    for (std::size_t j = 0; j < row.size(); ++j) row[j] *= factor;
}

void add_product(Matrix& sum, Range sum_rows, const Matrix& a, const Matrix& b, Range b_rows) {
    product(sum, sum_rows, a, {0, a.rows}, b, b_rows, {.k = b_rows.size(), .beta = 1.0f});
}

void add_transposed_product(Matrix& sum, Range sum_rows, const Matrix& a, const Matrix& b, Range b_rows) {
    product(sum, sum_rows, a, {0, a.rows}, b, b_rows,
            {.k = b_rows.size(), .transpose_a = true, .beta = 1.0f});
}

Matrix product_with_transposed(const Matrix& a, const Matrix& b, Range b_rows) {
    Matrix result(a.rows, b_rows.size());
    product(result, {0, a.rows}, a, {0, a.rows}, b, b_rows, {.k = a.width, .transpose_b = true});
    return result;
}

// --- checks of arguments

namespace {

std::string shape_of_matrix(const Matrix& x) { return fmt::format("({}, {})", x.rows, x.width); }

void require_head(const char* what, const Head& head) {
    if (head.k.rows != head.v.rows || head.q.width != head.k.width || head.q.width == 0 || head.k.rows == 0)
        throw ShapeError(fmt::format(
            "{}: q {}, k {} and v {}; q and k need one width, k and v one number of rows, and none may be 0",
            what, shape_of_matrix(head.q), shape_of_matrix(head.k), shape_of_matrix(head.v)));
}

}  // namespace

void require_block(const Head& head, Range queries, const Visible& visible) {
    require_head("attention_in_tiles", head);
    if (visible.size() != head.q.rows)
        throw ShapeError(fmt::format("attention_in_tiles: {} queries, but `visible` has {} runs of keys",
                                     head.q.rows, visible.size()));
    if (queries.begin > queries.end || queries.end > head.q.rows)
        throw ValueError(
            fmt::format("attention_in_tiles: the queries {} to {} are not among the {} of the head",
                        queries.begin, queries.end, head.q.rows));
    for (std::size_t i = queries.begin; i < queries.end; ++i)
        if (visible[i].begin > visible[i].end || (visible[i].end > head.k.rows))
            throw ValueError(fmt::format("attention_in_tiles: query {} sees the keys {} to {} of {}", i,
                                         visible[i].begin, visible[i].end, head.k.rows));
}

void require_gradient(const Head& head, Range queries, const Visible& visible, const BlockOutput& block,
                      const Matrix& d_output, const HeadGradients& gradients) {
    require_block(head, queries, visible);
    const bool fits = block.output.rows == queries.size() && block.output.width == head.v.width &&
                      block.log_sums.size() == queries.size() && d_output.rows == queries.size() &&
                      d_output.width == head.v.width;
    if (!fits)
        throw ShapeError(fmt::format(
            "attention_gradient: {} queries with values of width {}, but the output is {} and its gradient "
            "{}",
            queries.size(), head.v.width, shape_of_matrix(block.output), shape_of_matrix(d_output)));
    for (const auto& [name, gradient, of] : {std::tuple{"dq", &gradients.dq, &head.q},
                                             {"dk", &gradients.dk, &head.k},
                                             {"dv", &gradients.dv, &head.v}})
        if (gradient->rows != of->rows || gradient->width != of->width)
            throw ShapeError(fmt::format("attention_gradient: {} is {}, but must be {}", name,
                                         shape_of_matrix(*gradient), shape_of_matrix(*of)));
}

void require_tile(std::span<const KeySpan> visible, Range keys) {
    if (keys.begin >= keys.end)
        throw ValueError(
            fmt::format("tile_sees: the tile of the keys {} to {} has none", keys.begin, keys.end));
    if (visible.empty()) throw ValueError("tile_sees: there is no query");
}

void require_same_width(const char* what, std::size_t width, std::size_t other) {
    if (width != other)
        throw ShapeError(
            fmt::format("{}: a value has {} numbers, and the sum of values {}", what, other, width));
}

void require_position(std::size_t position, std::size_t length, std::size_t machines) {
    if (machines == 0 || position >= length)
        throw ValueError(
            fmt::format("machine_of: position {} of {}, on {} machines", position, length, machines));
}

}  // namespace tfs
