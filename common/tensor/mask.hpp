// common/tensor/mask.hpp · Mask: who may attend to whom
//
// A boolean array, true = may attend, that broadcasts to (batch, heads, query, key). It is a type of its own, so that
// an additive mask (0 and -inf) can't be passed where a boolean one is meant: read as booleans, 0 would forbid what it
// allows and -inf would allow what it forbids.
#pragma once

#include <concepts>
#include <optional>
#include <utility>

#include "common/tensor/tensor.hpp"

namespace tfs {

class Mask {
  public:
    explicit Mask(xt::xarray<bool> allowed) : allowed_(std::move(allowed)) {}
    // Of an expression of booleans: Mask(a.array() && !b.array()), Mask(x.array() > 0.0f).
    template <class Expression>
    requires std::same_as<typename Expression::value_type, bool>
    explicit Mask(const xt::xexpression<Expression>& allowed) : allowed_(allowed.derived_cast()) {}
    // Of anything else xtensor would make booleans: the mistake above.
    template <class Expression>
    requires(!std::same_as<typename Expression::value_type, bool>) explicit Mask(
        const xt::xexpression<Expression>&) = delete;
    // The entries in row-major order, as 0 and 1. ValueError for any other entry, ShapeError if they don't fill the
    // shape.
    static Mask from(const Shape& shape, const std::vector<int>& allowed);

    Shape shape() const { return shape_of(array()); }
    // ValueError if this mask was moved from, and of all other functions, too. A temporary gives its own array away.
    const xt::xarray<bool>& array() const&;
    xt::xarray<bool> array() &&;

    // Written out over `shape`. ShapeError if the mask doesn't broadcast to it.
    xt::xarray<bool> expanded(const Shape& shape) const;

  private:
    xt::xarray<bool> allowed_;
};

// x where the mask allows, `value` where it does not. The gradient is 0 where `value` was put.
[[nodiscard]] Tensor masked_fill(const Tensor& x, const Mask& mask, float value);

}  // namespace tfs
