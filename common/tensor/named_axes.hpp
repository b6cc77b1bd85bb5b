// common/tensor/named_axes.hpp · shapes by the names of their axes: what they must have in common, and how they are written
//
//     require_shapes("attention", {{"q", q, "... query d_k"}, {"k", k, "... key+ d_k"}, {"v", v, "... key+ d_v"}});
//
// attention: q (2, 4, 9, 16), k (2, 4, 16, 9), v (2, 4, 9, 8) must be (..., query, d_k), (..., key, d_k), (..., key, d_v): d_k is 16
// in q and 9 in k; are the last two axes of k transposed?
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/base/errors.hpp"

namespace tfs {

// A tensor, an array, a mask or a shape, what it is called, and its axes. A word is one size, wherever it stands; `key+` is at
// least 1; a number is that size; `...`, which comes first, is any axes, the same ones wherever it stands.
struct Shaped {
    std::string_view name, axes;
    std::span<const std::size_t> sizes;
    std::string_view cause;  // added to the sentence where this one does not fit

    template <class Value>
    Shaped(std::string_view called, const Value& x, std::string_view must_be,
           std::string_view likely_cause = {})
        : name(called), axes(must_be), cause(likely_cause) {
        if constexpr (std::is_same_v<Value, Shape>) {
            sizes = x;
        } else if constexpr (requires { x.array(); }) {
            sizes = {x.array().shape().data(), x.array().dimension()};
        } else {
            sizes = {x.shape().data(), x.dimension()};
        }
    }
};

// The size that a word is, and whose it is: "the table".
struct KnownSize {
    std::string_view axis;
    std::size_t size;
    std::string_view where;
};

// ShapeError where the shapes are others: its sentence has the operation, all shapes, the axis, both sizes, and the likely cause.
// Allocates nothing where they fit.
void require_shapes(std::string_view operation, std::initializer_list<Shaped> all,
                    std::initializer_list<KnownSize> known = {});

// "(batch 1, query 10, key 10)"; a scalar is "()". Throws ShapeError if there is not one name for each axis.
std::string named_shape(const Shape& shape, const std::vector<std::string>& axes);

}  // namespace tfs
