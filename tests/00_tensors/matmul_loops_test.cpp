// tests/00_tensors/matmul_loops_test.cpp · step matmul_loops: PyTorch's values, values worked out by hand, diagnosis
#include "tests/00_tensors/product_suspects.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

// Running sums of the right products: a sum that is set to 0 only every `period` elements of the result.
Tensor running_sums(const Array& a, const Array& b, std::size_t period) {
    Array c = product(a, b);
    for (std::size_t i = 1; i < c.size(); ++i) {
        if (i % period != 0) c.data()[i] += c.data()[i - 1];
    }
    return Tensor(c);
}

// Only the products p = first … last - 1 of each sum.
Tensor some_products(const Array& a, const Array& b, std::size_t first, std::size_t last) {
    Array some = a;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const std::size_t p = i % a.shape(2);
        if (p < first || p >= last) some.data()[i] = 0.0f;
    }
    return Tensor(product(some, b));
}

std::vector<Suspect> loops_suspects(const Array& a, const Array& b) {
    std::vector<Suspect> suspects = product_suspects(a, b);
    const std::size_t m = a.shape(1), k = a.shape(2), n = b.shape(2);
    for (const std::size_t period : {n, m * n, a.shape(0) * m * n})  // over a row, a matrix, all
        suspects.push_back({"the sum was not set back to 0 for each element of the result",
                            [=] { return running_sums(a, b, period); }});
    suspects.push_back(
        {"the sum is an int, which drops all decimals: begin a sum of floats with 0.0f", [=] {
             return Tensor(product(a, b, offset_a, offset_b, [](double sum) { return std::trunc(sum); }));
         }});
    if (k < 4) return suspects;  // of so few products several mistakes leave the same ones, or none
    const auto left = [=](const std::string& message, std::size_t first, std::size_t last) -> Suspect {
        return {message, [=] { return some_products(a, b, first, last); }};
    };
    suspects.insert(suspects.end(),
                    {left("only the last product of each sum is left: it needs +=, not =", k - 1, k),
                     left("the last product of each sum is left out: p goes from 0 to k - 1", 0, k - 1),
                     left("the first product of each sum is left out: p goes from 0 to k - 1", 1, k),
                     left("the last k % 4 products of each sum are left out: an unrolled loop needs a second "
                          "one for the rest",
                          0, k - k % 4),
                     left("nothing was added up: all entries are 0", 0, 0)});
    return suspects;
}

TEST(matmul_loops, equals_pytorch) {
    const Array a = golden_array("bmm.a"), b = golden_array("bmm.b");
    EXPECT_TRUE(matches(matmul_loops(a, b), golden_array("bmm.output"), loops_suspects(a, b)));
}

// Here the matrices of a are the largest: what is read of them at a wrong offset lies within the batch.
TEST(matmul_loops, gives_each_batch_element_its_own_product) {
    const Array a = normal_array({2, 5, 4}, 5), b = normal_array({2, 4, 3}, 6);
    EXPECT_TRUE(matches(matmul_loops(a, b), product(a, b), loops_suspects(a, b)));
}

TEST(matmul_loops, multiplies_two_small_matrices) {
    const Array a = array({1, 2, 3}, {1, 2, 3, 4, 5, 6}), b = array({1, 3, 2}, {7, 8, 9, 10, 11, 12});
    EXPECT_TRUE(matches(matmul_loops(a, b), array({1, 2, 2}, {58, 64, 139, 154}), loops_suspects(a, b)));
}

TEST(matmul_loops, is_zero_where_k_is_0) {
    EXPECT_TRUE(matches(matmul_loops(Array::from_shape({1, 2, 0}), Array::from_shape({1, 0, 3})),
                        Tensor::zeros({1, 2, 3}).array()));
}

TEST(matmul_loops, hides_no_infinity_behind_a_zero) {
    const bool right_on_finite_entries =
        matches(matmul_loops(golden_array("bmm.a"), golden_array("bmm.b")), golden_array("bmm.output"));
    const float c = matmul_loops(array({1, 1, 2}, {0, 1}), array({1, 2, 1}, {infinity, 2})).data()[0];
    EXPECT_TRUE(std::isnan(c)) << fmt::format("0 * infinity + 1 * 2 is NaN, got {:g}", c)
                               << likely_if(c == 2.0f && right_on_finite_entries,
                                            "products with 0 are skipped, so that an infinity or NaN in the "
                                            "other matrix goes unnoticed; add every product");
}

TEST(matmul_loops, refuses_only_shapes_that_do_not_fit) {
    matmul_loops(normal_array({2, 2, 3}, 1), normal_array({2, 3, 2}, 2));
    EXPECT_THROW(matmul_loops(normal_array({1, 2, 3}, 1), normal_array({1, 2, 3}, 2)), ShapeError);
    EXPECT_THROW(matmul_loops(normal_array({2, 2, 3}, 1), normal_array({1, 3, 2}, 2)), ShapeError);
    EXPECT_THROW(matmul_loops(normal_array({2, 3}, 1), normal_array({3, 2}, 2)), ShapeError);
}

}  // namespace
}  // namespace tfs::test
