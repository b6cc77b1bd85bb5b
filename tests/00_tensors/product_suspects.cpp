// tests/00_tensors/product_suspects.cpp · classic wrong answers for the step matmul_loops
#include "tests/00_tensors/product_suspects.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <utility>

namespace tfs::test {

std::size_t offset_a(const Sizes& z, std::size_t s, std::size_t i, std::size_t p) {
    return (s * z.m + i) * z.k + p;
}
std::size_t offset_b(const Sizes& z, std::size_t s, std::size_t p, std::size_t j) {
    return (s * z.k + p) * z.n + j;
}

Array product(const Array& a, const Array& b, const Offset& read_a, const Offset& read_b,
              double (*kept)(double)) {
    const Sizes z{a.shape(0), a.shape(1), a.shape(2), b.shape(2)};
    Array c = Array::from_shape(Shape{z.batch, z.m, z.n});
    for (std::size_t s = 0; s < z.batch; ++s) {
        for (std::size_t i = 0; i < z.m; ++i) {
            for (std::size_t j = 0; j < z.n; ++j) {
                double sum = 0.0;
                for (std::size_t p = 0; p < z.k; ++p) {
                    sum += static_cast<double>(a.data()[read_a(z, s, i, p)]) * b.data()[read_b(z, s, p, j)];
                    if (kept != nullptr) sum = kept(sum);
                }
                c.data()[(s * z.m + i) * z.n + j] = static_cast<float>(sum);
            }
        }
    }
    return c;
}

// Products, each at another offset of the result; where one offset comes twice, the later value or the sum of both.
Tensor written(const Array& products, const Offset& write_c, bool added = false) {
    const Sizes z{products.shape(0), products.shape(1), 0, products.shape(2)};
    Array c(products.shape(), 0.0f);
    for (std::size_t s = 0; s < z.batch; ++s) {
        for (std::size_t i = 0; i < z.m; ++i) {
            for (std::size_t j = 0; j < z.n; ++j) {
                float& entry = c.data()[write_c(z, s, i, j)];
                entry = products.data()[(s * z.m + i) * z.n + j] + (added ? entry : 0.0f);
            }
        }
    }
    return Tensor(c);
}

// Element (i, j) of matrix s, if matrices begin `size` floats apart and rows `row` floats.
Offset by(std::size_t size, std::size_t row) {
    return [=](const Sizes&, std::size_t s, std::size_t i, std::size_t j) { return s * size + i * row + j; };
}

// Wrong steps from one matrix to the next. Those that are too large are left out: what lies beyond a buffer can't be foretold.
std::vector<Suspect> stride_suspects(const Array& a, const Array& b) {
    const std::size_t m = a.shape(1), k = a.shape(2), n = b.shape(2);
    std::vector<Suspect> suspects;
    for (const auto& [name, of_a, of_b] : {std::tuple{"one float", 1ul, 1ul}, {"one row", k, n}}) {
        const Offset short_a = by(of_a, k), short_b = by(of_b, n), short_c = by(of_b, n);
        const std::string message =
            fmt::format(" moves on by {} from element to element, not by one matrix", name);
        suspects.insert(
            suspects.end(),
            {{"the offset in a" + message, [=] { return Tensor(product(a, b, short_a, offset_b)); }},
             {"the offset in b" + message, [=] { return Tensor(product(a, b, offset_a, short_b)); }},
             {"the offset in c" + message, [=] { return written(product(a, b), short_c); }},
             {"the offset in a and in b" + message, [=] { return Tensor(product(a, b, short_a, short_b)); }},
             {"the offset in a, b and c" + message,
              [=] { return written(product(a, b, short_a, short_b), short_c); }}});
    }
    std::map<std::size_t, std::string> sizes;
    for (const auto& [size, name] :
         {std::pair{m, "m"}, {m * k, "m * k"}, {m * n, "m * n"}, {k * n, "k * n"}, {k * k, "k * k"}})
        sizes[size] += (sizes[size].empty() ? "" : " or ") + std::string(name);
    for (const auto& [size, name] : sizes) {
        const std::string moves_on = "; here the offset moves on by " + name;
        const Offset wrong_a = by(size, k), wrong_bc = by(size, n);
        if (size < m * k)
            suspects.push_back({"matrix s of a begins at s * m * k" + moves_on,
                                [=] { return Tensor(product(a, b, wrong_a, offset_b)); }});
        if (size < k * n)
            suspects.push_back({"matrix s of b begins at s * k * n" + moves_on,
                                [=] { return Tensor(product(a, b, offset_a, wrong_bc)); }});
        if (size < m * n)
            suspects.push_back({"matrix s of c begins at s * m * n" + moves_on,
                                [=] { return written(product(a, b), wrong_bc); }});
    }
    return suspects;
}

// Rows that are taken for shorter than they are, with matrices that begin in their place or are shorter, too. Longer ones are
// left out, as above.
std::vector<Suspect> row_suspects(const Array& a, const Array& b) {
    const std::size_t m = a.shape(1), k = a.shape(2), n = b.shape(2);
    std::vector<Suspect> suspects;
    for (const auto& [name, row] : {std::pair{"m", m}, {"k", k}, {"n", n}}) {
        const std::string taken = fmt::format("; here a row is taken to have {}", name);
        for (const bool whole : {true, false}) {
            const Offset of_a = by(m * (whole ? k : row), row), of_b = by(k * (whole ? n : row), row),
                         of_c = by(m * (whole ? n : row), row);
            if (row < k)
                suspects.push_back({"a row of a has k entries: element (i, p) lies at i * k + p" + taken,
                                    [=] { return Tensor(product(a, b, of_a, offset_b)); }});
            if (row < n) {
                suspects.push_back({"a row of b has n entries: element (p, j) lies at p * n + j" + taken,
                                    [=] { return Tensor(product(a, b, offset_a, of_b)); }});
                suspects.push_back({"a row of c has n entries: element (i, j) lies at i * n + j" + taken,
                                    [=] { return written(product(a, b), of_c); }});
            }
        }
    }
    return suspects;
}

std::vector<Suspect> product_suspects(const Array& a, const Array& b) {
    const auto first_a = [](const Sizes& z, std::size_t, std::size_t i, std::size_t p) {
        return i * z.k + p;
    };
    const auto first_b = [](const Sizes& z, std::size_t, std::size_t p, std::size_t j) {
        return p * z.n + j;
    };
    const auto a_across = [](const Sizes& z, std::size_t s, std::size_t i, std::size_t p) {
        return s * z.m * z.k + p * z.m + i;
    };
    const auto b_across = [](const Sizes& z, std::size_t s, std::size_t p, std::size_t j) {
        return s * z.k * z.n + j * z.k + p;
    };
    const auto first_c = [](const Sizes& z, std::size_t, std::size_t i, std::size_t j) {
        return i * z.n + j;
    };
    const auto c_across = [](const Sizes& z, std::size_t s, std::size_t i, std::size_t j) {
        return s * z.m * z.n + j * z.m + i;
    };
    // Of (rows, batch, columns).
    const auto batch_behind = [](std::size_t columns) -> Offset {
        return [=](const Sizes& z, std::size_t s, std::size_t row, std::size_t column) {
            return (row * z.batch + s) * columns + column;
        };
    };
    const std::size_t k = a.shape(2), n = b.shape(2);
    const std::string a_transposed =
        "a was read transposed: its rows have k entries, element (i, p) lies at i * k + p";
    const std::string all_in_first =
        "every product is written to the first matrix of c; matrix s begins at s * m * n";
    std::vector<Suspect> suspects = {
        {"b was read transposed: its rows have n entries, element (p, j) lies at p * n + j",
         [=] { return Tensor(product(a, b, offset_a, b_across)); }},
        {a_transposed, [=] { return Tensor(product(a, b, a_across, offset_b)); }},
        {"every batch element was multiplied by the first matrix of b; matrix s begins at s * k * n",
         [=] { return Tensor(product(a, b, offset_a, first_b)); }},
        {"every batch element took the first matrix of a; matrix s begins at s * m * k",
         [=] { return Tensor(product(a, b, first_a, offset_b)); }},
        {all_in_first, [=] { return written(product(a, b), first_c); }},
        {all_in_first, [=] { return written(product(a, b), first_c, true); }},
        {"c is written transposed: its rows have n entries, element (i, j) lies at i * n + j",
         [=] { return written(product(a, b), c_across); }},
        {"a is read as if its axes were (m, batch, k); they are (batch, m, k)",
         [=] { return Tensor(product(a, b, batch_behind(k), offset_b)); }},
        {"b is read as if its axes were (k, batch, n); they are (batch, k, n)",
         [=] { return Tensor(product(a, b, offset_a, batch_behind(n))); }},
        {"c is written as if its axes were (m, batch, n); they are (batch, m, n)",
         [=] { return written(product(a, b), batch_behind(n)); }}};
    if (k < a.shape(1)) {  // else the exchanged row and column lie beyond the last matrix
        const auto a_exchanged = [](const Sizes& z, std::size_t s, std::size_t i, std::size_t p) {
            return (s * z.m + p) * z.k + i;
        };
        suspects.push_back({a_transposed, [=] { return Tensor(product(a, b, a_exchanged, offset_b)); }});
    }
    for (const Suspect& suspect : stride_suspects(a, b)) suspects.push_back(suspect);
    for (const Suspect& suspect : row_suspects(a, b)) suspects.push_back(suspect);
    return suspects;
}

}  // namespace tfs::test
