// common/tensor/tape.hpp · the node behind a Tensor, for tensor.cpp and tape.cpp alone
#pragma once

#include <optional>
#include <string>

#include "common/tensor/tensor.hpp"

namespace tfs {

struct TapeNode;

// A parameter or an input, as an operation on the tape found it.
struct LeafVersion {
    std::weak_ptr<const TapeNode> leaf;  // where it is gone, the gradient does not need its values
    std::size_t version;
    Array::shape_type shape;
};

struct TapeNode {
    Array value;
    std::size_t version = 0;  // how often mutable_array() was called
    std::optional<Array> grad;
    bool requires_grad = false;
    bool made_by_operation = false;
    bool tape_freed = false;
    std::vector<std::shared_ptr<TapeNode>> inputs;  // those that require a gradient
    std::vector<LeafVersion> leaves_read;           // the parameters and inputs among all inputs
    Backward backward;

    TapeNode() = default;
    ~TapeNode();
    TapeNode(const TapeNode&) = delete;
    TapeNode& operator=(const TapeNode&) = delete;

    // Forgets the inputs and the closure.
    void leave_tape();
};

// A gradient has the shape of its tensor. ShapeError if mutable_array() or mutable_grad() gave one of them another.
void require_fitting_grad(const char* operation, const TapeNode& node);

}  // namespace tfs
