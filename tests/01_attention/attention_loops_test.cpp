// tests/01_attention/attention_loops_test.cpp · step attention_loops: the lesson's table, PyTorch's values, properties
#include <cmath>

#include "tests/01_attention/checklist.hpp"

namespace tfs::test {
namespace {

struct LoopInputs {
    Tensor q, k, v;  // (query, d_k), (key, d_k), (key, d_v)
};

Rows rows_of(const Tensor& matrix) {
    Rows rows;
    for (std::size_t i = 0; i < matrix.size(0); ++i) {
        const Tensor row = slice(matrix, 0, i, i + 1);
        rows.emplace_back(row.values().begin(), row.values().end());
    }
    return rows;
}

// As a tensor, where all rows have the same width; else of shape (0).
Tensor matrix_of(const Rows& rows) {
    const std::size_t width = rows.empty() ? 0 : rows[0].size();
    std::vector<float> numbers;
    for (const std::vector<float>& row : rows) {
        if (row.size() != width) return Tensor::zeros({0});
        numbers.insert(numbers.end(), row.begin(), row.end());
    }
    return Tensor::from({rows.size(), width}, numbers);
}

testing::AssertionResult loops_give(const LoopInputs& x, const Tensor& weights, const Tensor& output) {
    const AttentionRows rows = attention_loops(rows_of(x.q), rows_of(x.k), rows_of(x.v));
    const testing::AssertionResult of_weights = close_named("weights", matrix_of(rows.weights), weights);
    const testing::AssertionResult of_output = close_named("output", matrix_of(rows.output), output);
    return of_weights ? of_output : of_weights;
}

testing::AssertionResult loops_equal_reference(const LoopInputs& x) {
    const double root = std::sqrt(static_cast<double>(x.q.size(1)));
    const Tensor weights = reference_softmax(reference_scores(x.q, x.k, root));
    return loops_give(x, weights, matmul(weights, x.v));
}

// The keys and values of the lesson's table: cat, mat, and the adjective.
LoopInputs lesson(const std::vector<float>& queries) {
    return {Tensor::from({queries.size() / 2, 2}, queries), Tensor::from({3, 2}, {1, 0, 0, 1, 0, 0}),
            Tensor::from({3, 2}, {4, 0, 0, 4, 0, 0})};
}

const std::vector<float> weights_of_tired = {0.8942856f, 0.0528572f, 0.0528572f};
const std::vector<float> output_of_tired = {3.5771425f, 0.2114288f};

// --- keys as wide as values, and no fewer keys than queries

TEST(attention_loops, gives_tired_the_weights_of_the_lesson) {
    const LoopInputs x = lesson({4, 0});
    const AttentionRows rows = attention_loops(rows_of(x.q), rows_of(x.k), rows_of(x.v));
    EXPECT_TRUE(close(matrix_of(rows.weights), Tensor::from({1, 3}, weights_of_tired)));
}

TEST(attention_loops, gives_tired_nearly_the_value_of_cat) {
    const LoopInputs x = lesson({4, 0});
    const AttentionRows rows = attention_loops(rows_of(x.q), rows_of(x.k), rows_of(x.v));
    EXPECT_TRUE(close(matrix_of(rows.output), Tensor::from({1, 2}, output_of_tired)));
}

TEST(attention_loops, lets_soft_find_the_mat) {
    EXPECT_TRUE(loops_give(lesson({0, 4}), Tensor::from({1, 3}, {0.0528572f, 0.8942856f, 0.0528572f}),
                           Tensor::from({1, 2}, {0.2114288f, 3.5771425f})));
}

TEST(attention_loops, gives_a_query_of_zeros_the_plain_mean) {
    EXPECT_TRUE(
        loops_give(lesson({0, 0}), Tensor::full({1, 3}, 1.0f / 3.0f), Tensor::full({1, 2}, 4.0f / 3.0f)));
}

TEST(attention_loops, answers_each_of_several_queries) {
    EXPECT_TRUE(loops_equal_reference(lesson({0, 0, 4, 0, 0, 4})));
}

TEST(attention_loops, divides_by_the_root_of_d_k_whatever_it_is) {
    EXPECT_TRUE(loops_equal_reference({normal({2, 7}, 31), normal({5, 7}, 32), normal({5, 7}, 33)}));
}

// --- other sizes, for which a mistake may read beyond a row: each after one that is safe

const LoopInputs wide_values = {normal({2, 3}, 41), normal({4, 3}, 42), normal({4, 5}, 43)};

TEST(attention_loops, takes_values_that_are_wider_than_keys) {
    ASSERT_TRUE(loops_equal_reference(lesson({4, 0})));
    EXPECT_TRUE(loops_equal_reference(wide_values));
}

TEST(attention_loops, takes_values_that_are_narrower_than_keys) {
    ASSERT_TRUE(loops_equal_reference(lesson({4, 0})));
    ASSERT_TRUE(loops_equal_reference(wide_values));
    EXPECT_TRUE(loops_equal_reference({normal({2, 3}, 44), normal({4, 3}, 45), normal({4, 1}, 46)}));
}

TEST(attention_loops, equals_pytorch) {
    ASSERT_TRUE(loops_equal_reference(lesson({4, 0})));
    ASSERT_TRUE(loops_equal_reference(wide_values));
    const auto head = [](const std::string& name, std::size_t b, std::size_t h) {
        const Tensor all = golden()["sdpa." + name];
        return reshape(slice(slice(all, 0, b, b + 1), 1, h, h + 1), {all.size(2), all.size(3)});
    };
    for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t h = 0; h < 3; ++h)
            EXPECT_TRUE(loops_give({head("q", b, h), head("k", b, h), head("v", b, h)}, head("weights", b, h),
                                   head("output", b, h)));
}

}  // namespace
}  // namespace tfs::test
