// common/tensor/mask.cpp · broadcasting a mask, and filling what it forbids
#include "common/tensor/mask.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/parallel.hpp"
#include "common/tensor/ops.hpp"

namespace tfs {

namespace {

// The keys that a row allows, and whether it allows any other between them.
struct Row {
    KeySpan span;
    bool scattered = false;
};

Row look_at(const bool* row, std::size_t keys) {
    const bool* const end = row + keys;
    const bool* const first = std::find(row, end, true);
    const bool* const gap = std::find(first, end, false);
    if (first == end) return {};
    const bool* last = end;
    while (!last[-1]) --last;
    return {{static_cast<std::size_t>(first - row), static_cast<std::size_t>(last - row)}, gap < last};
}

}  // namespace

Mask::Mask(xt::xarray<bool> allowed)
    : entries_(std::make_shared<Entries>(Entries{std::move(allowed), {}, MaskKind::everything})) {
    const xt::xarray<bool>& all = entries_->allowed;
    require_values("the array of a mask", all);
    const std::size_t keys = all.dimension() == 0 ? 1 : all.shape().back(),
                      rows = keys == 0 ? 0 : all.size() / keys;
    entries_->spans.resize(rows);
    bool everything = true, scattered = false;
    for (std::size_t row = 0; row < rows; ++row) {
        const Row found = look_at(all.data() + row * keys, keys);
        everything = everything && !found.scattered && found.span == KeySpan{0, keys};
        scattered = scattered || found.scattered;
        entries_->spans[row] = keys == 1 && found.span.end == 1 ? KeySpan{0, KeySpan::all_keys} : found.span;
    }
    if (!everything) entries_->kind = scattered ? MaskKind::scattered : MaskKind::spans;
}

const Mask::Entries& Mask::entries() const {
    if (!entries_) throw_moved_from("this mask");
    return *entries_;
}

Shape Mask::shape() const { return shape_of(entries().allowed); }

MaskKind Mask::kind() const { return entries().kind; }

const std::vector<KeySpan>& Mask::spans() const { return entries().spans; }

std::size_t Mask::offset_of(std::size_t batch, std::size_t head, std::size_t i, std::size_t j) const {
    const Shape sizes = shape();
    const std::size_t index[4] = {batch, head, i, j};
    if (sizes.size() > 4)
        throw ShapeError(
            fmt::format("mask: {} has more axes than (batch, heads, query, key)", to_string(sizes)));
    std::size_t offset = 0;
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        const std::size_t at = index[axis + 4 - sizes.size()];
        if (sizes[axis] != 1 && at >= sizes[axis])
            throw ValueError(fmt::format("mask: ({}, {}, {}, {}) lies outside of {}", batch, head, i, j,
                                         to_string(sizes)));
        offset = offset * sizes[axis] + (sizes[axis] == 1 ? 0 : at);
    }
    return offset;
}

bool Mask::allowed(std::size_t batch, std::size_t head, std::size_t i, std::size_t j) const {
    return entries().allowed.data()[offset_of(batch, head, i, j)];
}

KeySpan Mask::span(std::size_t batch, std::size_t head, std::size_t i) const {
    const Shape sizes = shape();
    const std::size_t keys = sizes.empty() ? 1 : sizes.back();
    if (keys == 0) return {};
    return entries().spans[offset_of(batch, head, i, 0) / keys];
}

Mask Mask::from(const Shape& shape, const std::vector<int>& allowed) {
    if (allowed.size() != element_count(shape)) {
        throw ShapeError(
            fmt::format("Mask::from: {} entries don't fill the shape {}", allowed.size(), to_string(shape)));
    }
    xt::xarray<bool> array = make_array<bool>(shape);
    for (std::size_t i = 0; i < allowed.size(); ++i) {
        if (allowed[i] != 0 && allowed[i] != 1) {
            throw ValueError(fmt::format(
                "Mask::from: entry {} is {}; a mask holds 1 (may attend) and 0 (may not)", i, allowed[i]));
        }
        array.data()[i] = allowed[i] == 1;
    }
    return Mask(std::move(array));
}

const xt::xarray<bool>& Mask::array() const& { return entries().allowed; }

xt::xarray<bool> Mask::array() && {
    (void)entries();
    const std::shared_ptr<Entries> mine = std::move(entries_);
    return mine.use_count() == 1 ? std::move(mine->allowed) : mine->allowed;
}

xt::xarray<bool> Mask::expanded(const Shape& shape) const {
    if (broadcast_shapes(this->shape(), shape, "mask") != shape) {
        throw ShapeError(
            fmt::format("mask: {} has more entries than the scores {}; it must broadcast to them",
                        to_string(this->shape()), to_string(shape)));
    }
    const std::vector<std::size_t> steps = broadcast_strides(this->shape(), shape);
    xt::xarray<bool> result = make_array<bool>(shape);
    if (result.size() == 0) return result;
    const std::size_t row_size = shape.empty() ? 1 : shape.back(), step = shape.empty() ? 0 : steps.back();
    parallel_rows(result.size() / row_size, row_size, [&](std::size_t row) {
        const bool* in = array().data() + broadcast_offset(row * row_size, shape, steps);
        bool* out = result.data() + row * row_size;
        for (std::size_t i = 0; i < row_size; ++i) out[i] = in[i * step];
    });
    return result;
}

namespace {

// x where allowed, `value` elsewhere.
Array filled(const Array& x, const xt::xarray<bool>& allowed, float value) {
    Array result = Array::from_shape(x.shape());
    const float* in = x.data();
    const bool* keep = allowed.data();
    float* out = result.data();
    parallel_pieces(x.size(), [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) out[i] = keep[i] ? in[i] : value;
    });
    return result;
}

}  // namespace

Tensor masked_fill(const Tensor& x, const Mask& mask, float value) {
    xt::xarray<bool> allowed = mask.expanded(x.shape());
    Array result = filled(x.array(), allowed, value);
    return record(std::move(result), {x}, [x, allowed = std::move(allowed)](const Array&, const Array& grad) {
        add_to_grad(x, filled(grad, allowed, 0.0f));
    });
}

}  // namespace tfs
