// common/tensor/print.hpp · tensors, masks and shapes as text
//
//     std::cout << x << '\n';        fmt::print("{}\n", x);        std::cout << x.shape();
//
// The shape, then the values as PyTorch prints them: four decimals, or one form of exponent for all where they differ
// too much in size; of more than 1,000 values only the first and last three along each axis. A mask prints 1 and 0.
#pragma once

#include <fmt/core.h>

#include <iosfwd>
#include <string>

#include "common/tensor/mask.hpp"

namespace tfs {

std::string to_string(const Tensor& tensor);
std::string to_string(const Mask& mask);

std::ostream& operator<<(std::ostream& out, const Tensor& tensor);
std::ostream& operator<<(std::ostream& out, const Mask& mask);
std::ostream& operator<<(std::ostream& out, const Shape& shape);

}  // namespace tfs

// What they have in common: no format of its own, "{}" only.
template <class Printable>
struct tfs_formatter : fmt::formatter<fmt::string_view> {
    template <class Context>
    auto format(const Printable& value, Context& context) const {
        return fmt::formatter<fmt::string_view>::format(tfs::to_string(value), context);
    }
};

template <>
struct fmt::formatter<tfs::Tensor> : tfs_formatter<tfs::Tensor> {};
template <>
struct fmt::formatter<tfs::Mask> : tfs_formatter<tfs::Mask> {};
template <>
struct fmt::formatter<tfs::Shape> : tfs_formatter<tfs::Shape> {};
