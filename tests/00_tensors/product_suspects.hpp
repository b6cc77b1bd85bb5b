// tests/00_tensors/product_suspects.hpp · classic wrong answers for the step matmul_loops; none of it uses a step
#pragma once

#include <functional>
#include <vector>

#include "tests/00_tensors/checklist.hpp"

namespace tfs::test {

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

// What the loops may get wrong in reading the operands and in writing the result.
std::vector<Suspect> product_suspects(const Array& a, const Array& b);

}  // namespace tfs::test
