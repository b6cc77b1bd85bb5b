// common/tensor/backward_watch.hpp · a guard: backward() tells which gradients are complete
#pragma once

#include <functional>

#include "common/tensor/tensor.hpp"

namespace tfs {

// While one of these lives, backward() of this thread tells how far it is. Of several, the last one made is told, alone.
//     const BackwardWatch watch([](const Tensor& leaf) { send(leaf.grad()); });
//     loss.backward();
class BackwardWatch {
  public:
    // complete: called once for each parameter or input that the loss depends on and that requires a gradient, as soon as no
    // operation left on the tape adds to that gradient. The order is that of the walk, the same for the same forward pass.
    // &leaf.array() says which one it is; it has no gradient where none has reached it. A copy of the handle may change it.
    // finished: called at the end of a walk that no exception has ended, before backward() returns.
    // Either may be empty. An exception of theirs passes through backward() as that of an operation does.
    explicit BackwardWatch(std::function<void(const Tensor& leaf)> complete,
                           std::function<void()> finished = {});
    ~BackwardWatch();
    BackwardWatch(const BackwardWatch&) = delete;
    BackwardWatch& operator=(const BackwardWatch&) = delete;

  private:
    std::function<void(const Tensor& leaf)> complete_;
    std::function<void()> finished_;
    const BackwardWatch* before_;  // of this thread

    friend class Tensor;
};

}  // namespace tfs
