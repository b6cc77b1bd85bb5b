// tests/00_tensors/checklist.hpp · what the checks of several steps of chapter 00 share; none of it uses a step
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "chapters/00_tensors/tensors.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {

// The steps of this chapter take arrays: values without a tape.
inline Array golden_array(const std::string& name) { return golden()[name].array(); }
inline Array normal_array(const Shape& shape, std::uint64_t seed) { return normal(shape, seed).array(); }
Array array(const Shape& shape, std::vector<float> values);

// Not named `equal`: xtensor has one, and would be found first (argument-dependent lookup).
testing::AssertionResult matches(const Array& actual, const Array& expected,
                                 const std::vector<Suspect>& suspects = {},
                                 Tolerance tolerance = {1e-5, 1e-5});

// The products in double. `read_a` and `read_b` give the offset of an element within the whole buffer.
struct Sizes {
    std::size_t batch, m, k, n;
};
using Offset = std::function<std::size_t(const Sizes&, std::size_t s, std::size_t row, std::size_t column)>;

std::size_t offset_a(const Sizes& z, std::size_t s, std::size_t i, std::size_t p);
std::size_t offset_b(const Sizes& z, std::size_t s, std::size_t p, std::size_t j);

// Each sum goes through `kept` after each addition.
Array product(const Array& a, const Array& b, const Offset& read_a = offset_a,
              const Offset& read_b = offset_b, double (*kept)(double) = nullptr);

// What both products, matmul_loops and matmul_blas, may get wrong in reading their operands and in writing the result.
std::vector<Suspect> product_suspects(const Array& a, const Array& b, const std::string& transposed);

}  // namespace tfs::test
