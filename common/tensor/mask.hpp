// common/tensor/mask.hpp · Mask: who may attend to whom
//
// A boolean array, true = may attend, that broadcasts to (batch, heads, query, key). It is a type of its own, so that
// an additive mask (0 and -inf) can't be passed where a boolean one is meant: read as booleans, 0 would forbid what it
// allows and -inf would allow what it forbids.
#pragma once

#include <concepts>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/tensor/tensor.hpp"

namespace tfs {

// What the rows of a mask look like. everything: all keys are allowed; spans: in each row one run of neighbouring keys, as in
// causal masks and windows; scattered: some row has gaps.
enum class MaskKind { everything, spans, scattered };

// Keys begin to end - 1. A mask with a single entry for all keys has end = all_keys (allowed) or 0.
struct KeySpan {
    static constexpr std::size_t all_keys = std::numeric_limits<std::size_t>::max();
    std::size_t begin = 0, end = 0;

    bool operator==(const KeySpan&) const = default;
};

// A handle, as a Tensor is: a copy is the same mask.
class Mask {
  public:
    // Looks once at all entries, for kind() and the spans.
    explicit Mask(xt::xarray<bool> allowed);
    // Of an expression of booleans: Mask(a.array() && !b.array()), Mask(x.array() > 0.0f).
    template <class Expression>
    requires std::same_as<typename Expression::value_type, bool>
    explicit Mask(const xt::xexpression<Expression>& allowed)
        : Mask(xt::xarray<bool>(allowed.derived_cast())) {}
    // Of anything else xtensor would make booleans: the mistake above.
    template <class Expression>
    requires(!std::same_as<typename Expression::value_type, bool>) explicit Mask(
        const xt::xexpression<Expression>&) = delete;
    // The entries in row-major order, as 0 and 1. ValueError for any other entry, ShapeError if they don't fill the
    // shape.
    static Mask from(const Shape& shape, const std::vector<int>& allowed);

    Shape shape() const;
    // ValueError if this mask was moved from, and of all other functions, too. A temporary gives its
    // array away, or a copy where other handles hold it.
    const xt::xarray<bool>& array() const&;
    xt::xarray<bool> array() &&;

    MaskKind kind() const;
    // Whether query i of this head may attend to key j. An axis that the mask lacks, or of size 1, holds for all.
    // ShapeError if it has more than four axes, ValueError if an index lies outside of one.
    bool allowed(std::size_t batch, std::size_t head, std::size_t i, std::size_t j) const;
    // From the first allowed key of this query to the last; (0, 0) if there is none. Errors as above.
    KeySpan span(std::size_t batch, std::size_t head, std::size_t i) const;
    // The same for the rows of array(), in its order.
    const std::vector<KeySpan>& spans() const;

    // Written out over `shape`. ShapeError if the mask doesn't broadcast to it.
    xt::xarray<bool> expanded(const Shape& shape) const;

  private:
    struct Entries {
        xt::xarray<bool> allowed;
        std::vector<KeySpan> spans;  // of each row
        MaskKind kind;
    };
    std::shared_ptr<Entries> entries_;

    const Entries& entries() const;
    std::size_t offset_of(std::size_t batch, std::size_t head, std::size_t i, std::size_t j) const;
};

// x where the mask allows, `value` where it does not. The gradient is 0 where `value` was put.
[[nodiscard]] Tensor masked_fill(const Tensor& x, const Mask& mask, float value);

}  // namespace tfs
