// common/tensor/tape.cpp · recording operations, and the walk back along them
#include "common/tensor/tape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "common/base/parallel.hpp"

namespace tfs {

namespace {

using NodePointer = std::shared_ptr<TapeNode>;

thread_local bool recording = true;
thread_local const BackwardWatch* watching = nullptr;

void require_start_of_walk(const TapeNode& node) {
    if (node.value.size() != 1) {
        throw ValueError(
            fmt::format("backward: the gradient starts at a single number, but this tensor has the shape {}; "
                        "reduce it first, for example with sum or mean",
                        to_string(shape_of(node.value))));
    }
    if (node.tape_freed) {
        throw ValueError(
            "backward: the tape of this tensor is freed already, by an earlier backward(); "
            "run the forward pass again");
    }
    if (!node.made_by_operation && node.requires_grad) {
        throw ValueError(
            "backward: this tensor is a parameter or an input itself, so no tape leads to it; "
            "compute a loss from it first");
    }
    if (!node.requires_grad) {
        throw ValueError(
            "backward: no tape leads to this tensor; none of its inputs requires a gradient, "
            "or it was computed under NoGrad");
    }
}

void require_whole_tape(const std::vector<NodePointer>& nodes) {
    if (std::any_of(nodes.begin(), nodes.end(), [](const NodePointer& node) { return node->tape_freed; })) {
        throw ValueError(
            "backward: a part of the tape is freed already, by an earlier backward() "
            "through a shared tensor; run the forward pass again, or detach() the shared tensor");
    }
}

// The closures read parameters and inputs as they are now: these must be those of the forward pass.
void require_leaves_as_read(const TapeNode& node) {
    for (const LeafVersion& read : node.leaves_read) {
        const std::shared_ptr<const TapeNode> leaf = read.leaf.lock();
        if (!leaf || (leaf->version == read.version && leaf->value.shape() == read.shape)) continue;
        throw ValueError(fmt::format(
            "backward: a parameter or an input of shape {} was changed after an operation had read it, by "
            "mutable_array(){}; change it after backward(), or run the forward pass again",
            to_string(Shape(read.shape.begin(), read.shape.end())),
            leaf->value.shape() == read.shape
                ? ""
                : fmt::format(", and has the shape {} now", to_string(shape_of(leaf->value)))));
    }
}

// Inputs before the nodes made of them, by depth-first search on a stack of our own.
std::vector<NodePointer> topological_order(const NodePointer& root) {
    std::vector<NodePointer> order;
    std::unordered_set<const TapeNode*> seen{root.get()};
    std::vector<std::pair<NodePointer, std::size_t>> stack{{root, 0}};
    while (!stack.empty()) {
        auto& [node, next_input] = stack.back();
        if (next_input == node->inputs.size()) {
            order.push_back(node);
            stack.pop_back();
            continue;
        }
        const NodePointer input = node->inputs[next_input++];
        if (seen.insert(input.get()).second) stack.emplace_back(input, 0);
    }
    return order;
}

// How many times the operations of a tape have yet to use each parameter and input that requires a gradient.
using UsesLeft = std::unordered_map<const TapeNode*, std::size_t>;

UsesLeft uses_of_leaves(const std::vector<NodePointer>& nodes) {
    UsesLeft uses;
    for (const NodePointer& node : nodes)
        for (const NodePointer& input : node->inputs)
            if (!input->made_by_operation && input->requires_grad) ++uses[input.get()];
    return uses;
}

// What a node lets go of when it leaves the tape. Both may hold the last handles of other nodes: a closure also those of
// tensors that it captured and that are no inputs.
struct ReleasedNode {
    std::vector<NodePointer> inputs;
    Backward backward;
};

thread_local std::vector<ReleasedNode>* releasing = nullptr;  // while release() runs in this thread

// Releases a long chain of nodes by a loop: the recursion of nested destructors could exhaust the stack. A node that goes
// during the loop calls this function again, which then leaves its remains to the loop.
void release(ReleasedNode remains) {
    if (remains.inputs.empty() && !remains.backward) return;
    if (releasing) {
        releasing->push_back(std::move(remains));
        return;
    }
    std::vector<ReleasedNode> pending;
    pending.push_back(std::move(remains));
    releasing = &pending;
    while (!pending.empty()) {
        const ReleasedNode gone = std::move(pending.back());
        pending.pop_back();
    }
    releasing = nullptr;
}

// The nodes of a walk that have not had their turn, the result last. All are marked as freed at once, so that no walk leads
// through them a second time. Each leaves the tape after its turn; where an operation throws, the rest leave without one.
struct Walk {
    std::vector<NodePointer> left;

    explicit Walk(std::vector<NodePointer> order) : left(std::move(order)) {
        for (const NodePointer& node : left) node->tape_freed = node->made_by_operation;
    }
    ~Walk() {
        while (!left.empty()) end_turn();
    }
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

    void end_turn() {
        const NodePointer node = std::move(left.back());
        left.pop_back();
        if (!node->made_by_operation) return;  // a parameter or an input: its gradient stays
        node->grad.reset();
        node->leave_tape();  // the inputs are still in `left`
    }
};

}  // namespace

void require_fitting_grad(const char* operation, const TapeNode& node) {
    if (!node.grad || node.grad->shape() == node.value.shape()) return;
    throw ShapeError(
        fmt::format("{}: a tensor of shape {} holds a gradient of shape {}, because mutable_array() or "
                    "mutable_grad() gave one of them another shape; clear_grad() removes the gradient",
                    operation, to_string(shape_of(node.value)), to_string(shape_of(*node.grad))));
}

TapeNode::~TapeNode() { leave_tape(); }

void TapeNode::leave_tape() {
    leaves_read.clear();
    release({std::exchange(inputs, {}), std::exchange(backward, nullptr)});
}

void Tensor::backward() const {
    require_start_of_walk(node());
    std::vector<NodePointer> order = topological_order(node_);
    require_whole_tape(order);
    for (const NodePointer& node : order) {
        require_leaves_as_read(*node);
        if (!node->made_by_operation) require_fitting_grad("backward", *node);
    }
    const BackwardWatch* const watch = watching;
    UsesLeft uses_left = watch && watch->complete_ ? uses_of_leaves(order) : UsesLeft{};
    const auto tell_complete = [&](const NodePointer& input) {
        const auto uses = uses_left.find(input.get());
        if (uses == uses_left.end() || --uses->second > 0) return;
        Tensor leaf;
        leaf.node_ = input;
        watch->complete_(leaf);
    };
    Walk walk(std::move(order));
    Array one = Array::from_shape(shape());
    one.data()[0] = 1.0f;
    node_->grad = std::move(one);
    for (; !walk.left.empty(); walk.end_turn()) {
        TapeNode& node = *walk.left.back();
        if (node.made_by_operation && node.grad) {
            Array grad = std::move(*node.grad);
            node.grad
                .reset();  // before the call, which may throw: an array that was moved from is no gradient
            node.backward(node.value, std::move(grad));
        }
        if (!uses_left.empty())
            for (const NodePointer& input : node.inputs) tell_complete(input);
    }
    if (watch && watch->finished_) watch->finished_();
}

BackwardWatch::BackwardWatch(std::function<void(const Tensor& leaf)> complete, std::function<void()> finished)
    : complete_(std::move(complete)),
      finished_(std::move(finished)),
      before_(std::exchange(watching, this)) {}

BackwardWatch::~BackwardWatch() { watching = before_; }

bool is_recorded(const std::vector<Tensor>& inputs) {
    return recording &&
           std::any_of(inputs.begin(), inputs.end(), [](const Tensor& x) { return x.requires_grad(); });
}

Tensor record(Array values, std::vector<Tensor> inputs, Backward backward) {
    Tensor result(std::move(values));
    result.node_->made_by_operation = true;
    if (!is_recorded(inputs)) return result;
    result.node_->requires_grad = true;
    result.node_->inputs.reserve(inputs.size());
    result.node_->leaves_read.reserve(inputs.size());
    for (const Tensor& input : inputs) {
        const TapeNode& node = input.node();
        if (node.requires_grad) result.node_->inputs.push_back(input.node_);
        if (!node.made_by_operation)
            result.node_->leaves_read.push_back({input.node_, node.version, node.value.shape()});
    }
    result.node_->backward = std::move(backward);
    return result;
}

void add_to_grad(const Tensor& input, Array grad) {
    TapeNode& node = input.node();
    if (!node.requires_grad) return;
    require_fitting_grad("add_to_grad", node);
    if (grad.shape() != node.value.shape()) {
        throw ShapeError(fmt::format("add_to_grad: a gradient of shape {} doesn't fit its tensor of shape {}",
                                     to_string(shape_of(grad)), to_string(shape_of(node.value))));
    }
    if (!node.grad) {
        node.grad = std::move(grad);
        return;
    }
    float* sum = node.grad->data();
    const float* term = grad.data();
    parallel_pieces(grad.size(), [=](std::size_t begin, std::size_t end) {
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) sum[i] += term[i];
    });
}

std::size_t tape_bytes(const Tensor& result) {
    result.node();  // refuses a tensor that was moved from
    std::size_t values = 0;
    for (const NodePointer& node : topological_order(result.node_)) {
        const bool on_tape = node->made_by_operation && node->requires_grad && !node->tape_freed;
        if (on_tape) values += node->value.size();
    }
    return values * sizeof(float);
}

NoGrad::NoGrad() : before_(std::exchange(recording, false)) {}

NoGrad::~NoGrad() { recording = before_; }

}  // namespace tfs
