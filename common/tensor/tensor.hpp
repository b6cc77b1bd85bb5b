// common/tensor/tensor.hpp · Tensor: an array of floats that remembers how it was computed
//
// A Tensor is a handle to a node: the values (an xt::xarray<float>, row-major and contiguous), an optional gradient,
// and, where a gradient is needed, the tensors it was computed from. Copying a Tensor copies the handle, not the
// values. A Tensor that was moved from may be assigned to or destroyed; whatever else is asked of it is a ValueError.
// Tensors are not changed in place; only parameters and inputs are, by an optimizer or a loader, through
// `mutable_array()` and `mutable_grad()`.
//
// Constness is a promise: values and gradient are not changed through a const Tensor. A function that changes them takes
// the tensor as non-const, or a set of handles by value (Parameters). The tape is the one exception: backward() adds to the
// gradients of the parameters behind it. See "What const means" in docs/tensor-layer.md.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/base/array.hpp"

namespace tfs {

struct TapeNode;  // common/tensor/tape.hpp

// What an operation leaves on the tape: given its result and d loss / d result, it adds to its inputs' gradients. `grad`
// is its own: it may compute in it and pass it on, or just look at it (const Array&).
using Backward = std::function<void(const Array& result, Array grad)>;

class Tensor {
  public:
    Tensor();                                                   // the scalar 0
    explicit Tensor(Array values, bool requires_grad = false);  // ValueError where the array was moved from

    // The values in row-major order; their number must be that of the shape (else ShapeError).
    static Tensor from(const Shape& shape, std::vector<float> values);
    static Tensor full(const Shape& shape, float value);
    static Tensor zeros(const Shape& shape) { return full(shape, 0.0f); }
    static Tensor ones(const Shape& shape) { return full(shape, 1.0f); }

    Shape shape() const;
    std::size_t rank() const;
    std::size_t size() const;          // of all elements
    std::size_t size(int axis) const;  // of one axis; -1 is the last

    // Of a temporary, as in softmax(x).values(), they are no reference to what is gone, but its own array and a std::vector.
    const Array& array() const&;
    Array array() &&;
    std::span<const float> values() const& { return {array().data(), array().size()}; }
    std::vector<float> values() &&;
    float at(std::initializer_list<std::size_t> index) const;  // throws ShapeError outside of the tensor
    float item() const;  // the value of a one-element tensor, else ShapeError
    // For optimizers and loaders; ValueError on a tensor that an operation made. Each call counts as a change: backward()
    // through an operation that read this tensor before the call is a ValueError, too, whether or not its gradient needs the
    // values. What is changed later through a reference from an earlier call goes unnoticed, unless it is the shape: ask anew.
    Array& mutable_array();

    bool requires_grad() const;
    // For parameters and inputs; ValueError on a tensor that an operation made.
    Tensor& set_requires_grad(bool on);
    bool has_grad() const;
    const Array& grad() const&;  // d loss / d this, after loss.backward(); ValueError where there is none
    Array grad() && { return std::as_const(*this).grad(); }
    // For clipping and averaging, between backward() and the step that uses the gradient. Its shape must stay: backward() and
    // all that reads the gradient are a ShapeError otherwise. ValueError on a tensor that an operation made, and where there is
    // no gradient.
    Array& mutable_grad();
    void clear_grad();

    // Adds d this / d p to the gradient of every p that requires one, then frees the tape: a second call, a tensor of
    // more than one element, or one that was recorded without any parameter is a ValueError. Where an operation throws on the
    // way, its exception passes through. The tape is freed all the same, and gradients of parameters may hold a part of theirs:
    // call clear_grad().
    // Threads may run forward passes on shared parameters at the same time, but not backward(): it adds to the parameters'
    // gradients without a lock, and a lock would leave the order of the sums, and so their last bits, to chance.
    void backward() const;

    // The same values without the tape: no gradient flows back through the result.
    Tensor detach() const { return Tensor(array()); }

  private:
    std::shared_ptr<TapeNode> node_;  // null where this was moved from

    TapeNode& node() const;  // ValueError where this was moved from

    friend Tensor record(Array, std::vector<Tensor>, Backward);
    friend void add_to_grad(const Tensor&, Array);
    friend std::size_t tape_bytes(const Tensor&);
};

// Ends every operation: a tensor with these values that remembers its inputs and how to send a gradient to them.
// Nothing is remembered where no input requires a gradient, or under NoGrad.
Tensor record(Array values, std::vector<Tensor> inputs, Backward backward);

// Whether record() would remember an operation on these inputs: an operation may then keep what only its gradient needs.
[[nodiscard]] bool is_recorded(const std::vector<Tensor>& inputs);

// grad(input) += grad; nothing where the input requires no gradient.
void add_to_grad(const Tensor& input, Array grad);

// The bytes of all values on the tape behind `result`, itself included: what a forward pass keeps in memory until
// backward(). A result of an operation counts once, however often it is used; parameters and inputs don't count, nor
// does what an operation keeps for its gradient beside its inputs and its result (the statistics of a norm, a mask).
// 0 where nothing was recorded, or backward() has freed the tape.
[[nodiscard]] std::size_t tape_bytes(const Tensor& result);

// While one of these lives, operations of this thread record no tape.
class NoGrad {
  public:
    NoGrad();
    ~NoGrad();
    NoGrad(const NoGrad&) = delete;
    NoGrad& operator=(const NoGrad&) = delete;

  private:
    bool before_;
};

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
