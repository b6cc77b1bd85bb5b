// common/tensor/tensor.cpp · making and reading tensors
#include "common/tensor/tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/tensor/tape.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tfs {

namespace {

// glibc hands large blocks back to the system at once, and each new one costs a page fault per 4 KiB: a block's
// forward pass is three times slower for it. Keep freed memory instead.
[[maybe_unused]] const bool memory_is_kept = [] {
#ifdef __GLIBC__
    constexpr int keep = 1 << 30;
    mallopt(M_MMAP_THRESHOLD, keep);
    mallopt(M_TRIM_THRESHOLD, keep);
#endif
    return true;
}();

Array& require_grad(const char* asked, TapeNode& node) {
    require_fitting_grad(asked, node);
    if (node.grad) return *node.grad;
    throw ValueError(fmt::format(
        "{}: {}", asked,
        node.requires_grad
            ? "no gradient has reached this tensor; call backward() on the loss first"
            : "this tensor requires no gradient; call set_requires_grad(true) before the forward pass"));
}

}  // namespace

Tensor::Tensor() : Tensor(Array(0.0f)) {}

Tensor::Tensor(Array values, bool requires_grad) : node_(std::make_shared<TapeNode>()) {
    require_values("Tensor: the array", values);
    node_->value = std::move(values);
    node_->requires_grad = requires_grad;
}

Tensor Tensor::from(const Shape& shape, std::vector<float> values) {
    if (values.size() != element_count(shape)) {
        throw ShapeError(fmt::format("Tensor::from: {} values don't fill the shape {}, which has {}",
                                     values.size(), to_string(shape), element_count(shape)));
    }
    Array array = make_array(shape);
    std::copy(values.begin(), values.end(), array.data());
    return Tensor(std::move(array));
}

Tensor Tensor::full(const Shape& shape, float value) {
    Array array = make_array(shape);
    std::fill_n(array.data(), array.size(), value);
    return Tensor(std::move(array));
}

TapeNode& Tensor::node() const {
    if (!node_) {
        throw ValueError(
            "this tensor was moved from, so it has no values; use the tensor that it was moved to, "
            "or copy it instead: a copy is a handle to the same values");
    }
    return *node_;
}

Shape Tensor::shape() const { return shape_of(array()); }

std::size_t Tensor::rank() const { return array().dimension(); }

std::size_t Tensor::size() const { return node().value.size(); }

std::size_t Tensor::size(int axis) const { return array().shape()[normalize_axis(axis, rank(), "size")]; }

const Array& Tensor::array() const& { return node().value; }

Array Tensor::array() && {
    const Array& values = std::as_const(*this).array();
    if (node_.use_count() > 1) return values;  // other handles, or the tape, still read them
    const std::shared_ptr<TapeNode> last = std::move(node_);
    return std::move(last->value);
}

std::vector<float> Tensor::values() && {
    const std::span<const float> all = std::as_const(*this).values();
    return {all.begin(), all.end()};
}

float Tensor::at(std::initializer_list<std::size_t> index) const {
    const Shape sizes = shape();
    bool inside = index.size() == sizes.size();
    std::size_t offset = 0;
    for (std::size_t axis = 0; inside && axis < sizes.size(); ++axis) {
        inside = index.begin()[axis] < sizes[axis];
        offset = offset * sizes[axis] + index.begin()[axis];
    }
    if (!inside) {
        throw ShapeError(fmt::format("at: index {} lies outside of a tensor of shape {}",
                                     to_string(Shape(index)), to_string(sizes)));
    }
    return values()[offset];
}

float Tensor::item() const {
    if (size() != 1) {
        throw ShapeError(
            fmt::format("item: a tensor of shape {} has {} values, not one", to_string(shape()), size()));
    }
    return values()[0];
}

Array& Tensor::mutable_array() {
    if (node().made_by_operation) {
        throw ValueError(
            "mutable_array: this tensor is the result of an operation; "
            "only parameters and inputs change in place");
    }
    ++node().version;
    return node().value;
}

bool Tensor::requires_grad() const { return node().requires_grad; }

Tensor& Tensor::set_requires_grad(bool on) {
    if (node().made_by_operation) {
        throw ValueError(
            "set_requires_grad: this tensor is the result of an operation; "
            "set it on the inputs, or detach() first");
    }
    node().requires_grad = on;
    return *this;
}

bool Tensor::has_grad() const { return node().grad.has_value(); }

const Array& Tensor::grad() const& { return require_grad("grad", node()); }

Array& Tensor::mutable_grad() {
    if (node().made_by_operation) {
        throw ValueError(
            "mutable_grad: this tensor is the result of an operation; "
            "only parameters and inputs keep a gradient");
    }
    return require_grad("mutable_grad", node());
}

void Tensor::clear_grad() { node().grad.reset(); }

}  // namespace tfs
