// common/tensor/tape.hpp · the node behind a Tensor, for tensor.cpp and tape.cpp alone
#pragma once

#include <optional>
#include <string>

#include "common/tensor/tensor.hpp"

namespace tfs {

struct TapeNode {
    Array value;
    std::optional<Array> grad;
    bool requires_grad = false;
    bool made_by_operation = false;
    bool tape_freed = false;
    std::string not_kept_because;                   // of Tensor::not_kept, else empty
    std::vector<std::shared_ptr<TapeNode>> inputs;  // those that require a gradient
    Backward backward;

    TapeNode() = default;
    ~TapeNode();
    TapeNode(const TapeNode&) = delete;
    TapeNode& operator=(const TapeNode&) = delete;

    // Forgets the inputs and hands them to the caller, who decides how they are released.
    std::vector<std::shared_ptr<TapeNode>> leave_tape();
};

}  // namespace tfs
