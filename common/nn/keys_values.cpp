// common/nn/keys_values.cpp
#include "common/nn/keys_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "common/kernels/gemm.hpp"
#include "common/kernels/row_kernels.hpp"
#include "common/tensor/named_axes.hpp"
#include "common/tensor/ops.hpp"
#include "common/tensor/score_rows.hpp"

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

HeadRows::HeadRows(const float* rows, std::size_t batch_size, std::size_t head_count, std::size_t row_width,
                   std::size_t head_stride, Offset head_lengths)
    : first(rows),
      batch(batch_size),
      heads(head_count),
      width(row_width),
      stride(head_stride),
      lengths(std::move(head_lengths)) {
    if (first == nullptr || batch == 0 || heads == 0 || width == 0 || longest() == 0)
        throw ValueError(
            fmt::format("HeadRows: batch {}, {} heads, {} rows of width {}; there must be memory, "
                        "and at least 1 of each",
                        batch, heads, longest(), width));
    require_offset_of("HeadRows: lengths", lengths, batch);
    if (stride / width < longest())
        throw ValueError(
            fmt::format("HeadRows: {} rows of width {} don't fit between two heads, which are {} apart",
                        longest(), width, stride));
}

HeadRows::HeadRows(const Tensor& x) {
    require_shapes("HeadRows", {{"x", x, "batch heads length width"}});
    if (is_recorded({x})) throw ValueError("HeadRows: x needs a gradient, and rows have no tape; use NoGrad");
    *this = HeadRows(x.values().data(), x.size(0), x.size(1), x.size(3), x.size(2) * x.size(3), x.size(2));
}

Heads::operator Tensor() const {
    const HeadRows* const r = rows();
    if (r == nullptr) return std::get<Tensor>(kept_);
    Tensor copy = Tensor::zeros(shape());
    float* out = copy.mutable_array().data();
    for (std::size_t b = 0; b < r->batch; ++b)
        for (std::size_t h = 0; h < r->heads; ++h)
            std::copy_n(r->head(b, h), r->lengths[b] * r->width,
                        out + ((b * r->heads + h + 1) * r->longest() - r->lengths[b]) * r->width);
    return copy;
}

Shape Heads::shape() const {
    const HeadRows* const r = rows();
    return r == nullptr ? std::get<Tensor>(kept_).shape() : Shape{r->batch, r->heads, r->longest(), r->width};
}

std::size_t Heads::size(int axis) const {
    const Shape sizes = shape();
    return sizes[normalize_axis(axis, sizes.size(), "size")];
}

Offset Heads::lengths() const {
    const HeadRows* const r = rows();
    return r == nullptr ? Offset(std::get<Tensor>(kept_).size(-2)) : r->lengths;
}

namespace {

void require_fitting(const Tensor& q, const HeadRows& keys, const HeadRows& values) {
    const auto refuse = [&](const char* why) {
        throw ShapeError(fmt::format(
            "attend_in_place: q {}, keys of {} rows and {} heads of width {}, values of {} and {}: {}",
            to_string(q.shape()), keys.batch, keys.heads, keys.width, values.batch, values.heads, why));
    };
    if (q.rank() != 4) refuse("q must be (batch, heads, query, d_k)");
    if (keys.batch != q.size(0) || values.batch != q.size(0)) refuse("the batches must agree");
    if (keys.heads != values.heads || q.size(1) % keys.heads != 0)
        refuse("the heads of keys and values must be as many, and divide those of q");
    if (keys.width != q.size(3)) refuse("queries and keys must be of one width, d_k");
    for (std::size_t b = 0; b < keys.batch; ++b)
        if (keys.lengths[b] != values.lengths[b]) refuse("each key has one value");
    if (is_recorded({q}))
        throw ValueError(
            "attend_in_place: q requires a gradient, and rows that a caller keeps have no tape; "
            "run the model under NoGrad");
}

// The weights of one block of queries of one head stay in the cache between the two products.
constexpr std::size_t queries_of_a_block = 64;

}  // namespace

Attended attend_in_place(const Tensor& q, const HeadRows& keys, const HeadRows& values,
                         const std::optional<Mask>& mask, const std::optional<Tensor>& bias, Weights keep) {
    require_fitting(q, keys, values);
    const std::size_t heads = q.size(1), queries = q.size(2), d_k = q.size(3), d_v = values.width;
    const std::size_t longest = keys.longest(), group = heads / keys.heads;
    const Shape scores = {keys.batch, heads, queries, longest};
    const ScoreRows rows_of_scores(mask, bias, scores);
    const float scale = 1.0f / std::sqrt(static_cast<float>(d_k));
    Array output = Array::from_shape({keys.batch, heads, queries, d_v});
    Array weights = keep == Weights::keep ? Tensor::zeros(scores).array() : Array::from_shape({0});

    const std::size_t blocks = (queries + queries_of_a_block - 1) / queries_of_a_block;
    const std::size_t work = std::min(queries, queries_of_a_block) * longest * (d_k + d_v);
    kernels::parallel_products(keys.batch * heads * blocks, work, [&](std::size_t i) {
        const std::size_t all = i / blocks, b = all / heads, h = all % heads / group;
        const std::size_t begin = i % blocks * queries_of_a_block;
        const std::size_t rows = std::min(queries_of_a_block, queries - begin);
        const std::size_t row = all * queries + begin;         // of q, output and scores, over all heads
        const std::size_t absent = longest - keys.lengths[b];  // columns before the first key
        const std::size_t end = rows_of_scores.reach(row, rows, longest);
        const std::size_t count = end - std::min(end, absent);
        float* w =
            keep == Weights::keep ? weights.data() + row * longest : kernels::room_of_thread(rows * longest);
        kernels::gemm(
            {.m = rows, .n = count, .k = d_k, .transpose_b = true, .lda = d_k, .ldb = d_k, .ldc = longest},
            q.values().data() + row * d_k, keys.head(b, h), w + absent);
        for (std::size_t r = 0; r < rows; ++r)
            std::fill_n(w + r * longest, absent, -std::numeric_limits<float>::infinity());
        rows_of_scores.weigh(row, rows, scale, w, std::max(end, absent), longest);
        kernels::gemm({.m = rows, .n = d_v, .k = count, .lda = longest, .ldb = d_v, .ldc = d_v}, w + absent,
                      values.head(b, h), output.data() + row * d_v);
    });
    return {Tensor(std::move(output)), Tensor(std::move(weights))};
}

}  // namespace tfs
