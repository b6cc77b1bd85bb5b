// common/tensor/tensor.cpp · the node behind a Tensor, and the walk back along the tape
#include "common/tensor/tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tfs {

namespace {

thread_local bool recording = true;

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

}  // namespace

struct Tensor::Node {
    Array value;
    std::optional<Array> grad;
    bool requires_grad = false;
    bool made_by_operation = false;
    bool tape_freed = false;
    std::vector<std::shared_ptr<Node>> inputs;
    Backward backward;

    // Releases a long chain of nodes by a loop: the recursion of nested destructors could exhaust the stack.
    ~Node() {
        std::vector<std::shared_ptr<Node>> pending = leave_tape();
        while (!pending.empty()) {
            const std::shared_ptr<Node> node = std::move(pending.back());
            pending.pop_back();
            if (node.use_count() > 1) continue;  // somebody else still needs it
            for (std::shared_ptr<Node>& input : node->leave_tape()) pending.push_back(std::move(input));
        }
    }

    // Forgets the inputs and hands them to the caller, who decides how they are released. They are taken out before
    // the closure goes, which holds them too.
    std::vector<std::shared_ptr<Node>> leave_tape() {
        std::vector<std::shared_ptr<Node>> taken = std::exchange(inputs, {});
        backward = nullptr;
        return taken;
    }
};

Tensor::Tensor() : Tensor(Array(0.0f)) {}

Tensor::Tensor(Array values, bool requires_grad) : node_(std::make_shared<Node>()) {
    node_->value = std::move(values);
    node_->requires_grad = requires_grad;
}

Tensor Tensor::from(const Shape& shape, std::vector<float> values) {
    if (values.size() != element_count(shape)) {
        throw ShapeError(fmt::format("Tensor::from: {} values don't fill the shape {}, which has {}",
                                     values.size(), to_string(shape), element_count(shape)));
    }
    Array array = Array::from_shape(shape);
    std::copy(values.begin(), values.end(), array.data());
    return Tensor(std::move(array));
}

Tensor Tensor::full(const Shape& shape, float value) {
    Array array = Array::from_shape(shape);
    std::fill_n(array.data(), array.size(), value);
    return Tensor(std::move(array));
}

std::size_t Tensor::size(int axis) const { return array().shape()[normalize_axis(axis, rank(), "size")]; }

const Array& Tensor::array() const { return node_->value; }

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
    if (node_->made_by_operation) {
        throw ValueError(
            "mutable_array: this tensor is the result of an operation; only parameters and inputs change in "
            "place");
    }
    return node_->value;
}

bool Tensor::requires_grad() const { return node_->requires_grad; }

Tensor& Tensor::set_requires_grad(bool on) {
    if (node_->made_by_operation) {
        throw ValueError(
            "set_requires_grad: this tensor is the result of an operation; set it on the inputs, or detach() "
            "first");
    }
    node_->requires_grad = on;
    return *this;
}

bool Tensor::has_grad() const { return node_->grad.has_value(); }

const Array& Tensor::grad() const {
    if (!has_grad()) {
        throw ValueError(requires_grad()
                             ? "grad: no gradient has reached this tensor; call backward() on the loss first"
                             : "grad: this tensor requires no gradient; call set_requires_grad(true) before "
                               "the forward pass");
    }
    return *node_->grad;
}

void Tensor::clear_grad() { node_->grad.reset(); }

// Inputs before the nodes made of them, by depth-first search on a stack of our own.
std::vector<std::shared_ptr<Tensor::Node>> Tensor::topological_order(const std::shared_ptr<Node>& root) {
    std::vector<std::shared_ptr<Node>> order;
    std::unordered_set<const Node*> seen{root.get()};
    std::vector<std::pair<std::shared_ptr<Node>, std::size_t>> stack{{root, 0}};
    while (!stack.empty()) {
        auto& [node, next_input] = stack.back();
        if (next_input == node->inputs.size()) {
            order.push_back(node);
            stack.pop_back();
            continue;
        }
        const std::shared_ptr<Node> input = node->inputs[next_input++];
        if (seen.insert(input.get()).second) stack.emplace_back(input, 0);
    }
    return order;
}

void Tensor::backward() const {
    if (size() != 1) {
        throw ValueError(
            fmt::format("backward: the gradient starts at a single number, but this tensor has the shape {}; "
                        "reduce it first, for example with sum or mean",
                        to_string(shape())));
    }
    if (node_->tape_freed) {
        throw ValueError(
            "backward: the tape of this tensor is freed already, by an earlier backward(); run the forward "
            "pass again");
    }
    if (!node_->made_by_operation || !node_->requires_grad) {
        throw ValueError(
            "backward: no tape leads to this tensor; none of its inputs requires a gradient, or it was "
            "computed under NoGrad");
    }
    std::vector<std::shared_ptr<Node>> order = topological_order(node_);
    for (const std::shared_ptr<Node>& node : order) {
        if (node->tape_freed) {
            throw ValueError(
                "backward: a part of the tape is freed already, by an earlier backward() through a shared "
                "tensor; "
                "run the forward pass again, or detach() the shared tensor");
        }
    }
    Array one = Array::from_shape(shape());
    one.data()[0] = 1.0f;
    node_->grad = std::move(one);

    while (!order.empty()) {
        const std::shared_ptr<Node> node = std::move(order.back());
        order.pop_back();
        if (!node->made_by_operation) continue;  // a parameter or an input: its gradient stays
        if (node->grad) node->backward(node->value, *node->grad);
        node->grad.reset();
        node->tape_freed = true;
        node->leave_tape();  // the inputs still live in `order`
    }
}

Tensor record(Array values, std::vector<Tensor> inputs, Backward backward) {
    Tensor result(std::move(values));
    result.node_->made_by_operation = true;
    const bool needed =
        std::any_of(inputs.begin(), inputs.end(), [](const Tensor& x) { return x.requires_grad(); });
    if (!recording || !needed) return result;
    result.node_->requires_grad = true;
    result.node_->inputs.reserve(inputs.size());
    for (const Tensor& input : inputs) {
        if (input.requires_grad()) result.node_->inputs.push_back(input.node_);
    }
    result.node_->backward = std::move(backward);
    return result;
}

void add_to_grad(const Tensor& input, Array grad) {
    Tensor::Node& node = *input.node_;
    if (!node.requires_grad) return;
    if (shape_of(grad) != shape_of(node.value)) {
        throw ShapeError(fmt::format("add_to_grad: a gradient of shape {} doesn't fit its tensor of shape {}",
                                     to_string(shape_of(grad)), to_string(shape_of(node.value))));
    }
    if (!node.grad) {
        node.grad = std::move(grad);
        return;
    }
    float* sum = node.grad->data();
    for (std::size_t i = 0; i < grad.size(); ++i) sum[i] += grad.data()[i];
}

NoGrad::NoGrad() : before_(std::exchange(recording, false)) {}
NoGrad::~NoGrad() { recording = before_; }

}  // namespace tfs
