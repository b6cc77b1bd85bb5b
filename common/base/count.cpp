// common/base/count.cpp · products and sums that say where they don't fit
#include "common/base/count.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "common/base/errors.hpp"

namespace tfs {

namespace {

constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

[[noreturn]] void throw_too_large(std::initializer_list<std::size_t> numbers, const char* sign) {
    throw ValueError(fmt::format("{} is too large to be counted", fmt::join(numbers, sign)));
}

}  // namespace

std::optional<std::size_t> product_of_nonzero(std::span<const std::size_t> numbers) {
    std::size_t product = 1;
    for (const std::size_t number : numbers) {
        if (number == 0) continue;
        if (number > most / product) return std::nullopt;
        product *= number;
    }
    return product;
}

std::size_t checked_product(std::initializer_list<std::size_t> factors) {
    if (std::find(factors.begin(), factors.end(), std::size_t{0}) != factors.end()) return 0;
    const std::optional<std::size_t> product = product_of_nonzero({factors.begin(), factors.size()});
    if (!product) throw_too_large(factors, " x ");
    return *product;
}

std::size_t checked_sum(std::initializer_list<std::size_t> terms) {
    std::size_t sum = 0;
    for (const std::size_t term : terms) {
        if (term > most - sum) throw_too_large(terms, " + ");
        sum += term;
    }
    return sum;
}

}  // namespace tfs
