// tests/01_attention/attention_loops_test.cpp · step attention_loops: the lesson's table, PyTorch's values, properties, diagnosis
#include "tests/01_attention/checklist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

struct Inputs {
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

struct Came {
    Tensor output, weights;
};
Came what_comes(const Inputs& x) {
    const AttentionRows rows = attention_loops(rows_of(x.q), rows_of(x.k), rows_of(x.v));
    return {matrix_of(rows.output), matrix_of(rows.weights)};
}

// The keys and values of the lesson's table: cat, mat, and the adjective.
Inputs lesson(const std::vector<float>& queries) {
    return {Tensor::from({queries.size() / 2, 2}, queries), Tensor::from({3, 2}, {1, 0, 0, 1, 0, 0}),
            Tensor::from({3, 2}, {4, 0, 0, 4, 0, 0})};
}

// --- classic wrong answers

Tensor softmax_by(const Inputs& x, double divisor, int axis = -1) {
    return reference_softmax(reference_scores(x.q, x.k, divisor), axis);
}

double size(const Tensor& x, int axis) { return static_cast<double>(x.size(axis)); }
double root(const Inputs& x) { return std::sqrt(size(x.q, -1)); }
Tensor exponentials(const Inputs& x) { return exp(reference_scores(x.q, x.k, root(x))); }
Tensor right_weights(const Inputs& x) { return softmax_by(x, root(x)); }

// Each entry of (query, key) and all before it in its row, or of the rows above, too.
Tensor running_sum(const Tensor& x, bool over_rows) {
    Array sums = x.array();
    float total = 0.0f;
    for (std::size_t i = 0; i < x.size(0); ++i) {
        if (!over_rows) total = 0.0f;
        for (std::size_t j = 0; j < x.size(1); ++j) sums(i, j) = total += sums(i, j);
    }
    return Tensor(sums);
}

// What the sum of each row is where the sums of the rows above were not forgotten.
Tensor sums_not_reset(const Tensor& x) {
    const Tensor all = running_sum(x, true);
    return slice(all, 1, x.size(1) - 1, x.size(1));  // (query, 1)
}

Tensor equal_weights(const Inputs& x) {
    return Tensor::full({x.q.size(0), x.k.size(0)}, 1.0f / static_cast<float>(x.k.size(0)));
}

// The weights that only the key of the largest score gets.
Tensor largest_only(const Inputs& x) {
    const Tensor scores = reference_scores(x.q, x.k, 1.0);
    return reference_softmax((scores - max(scores, -1, KeepDims::yes)) * 1e6f);
}

// Right for the first keys, as many as there are queries; 0 for the others.
Tensor weights_of_as_many_keys_as_queries(const Inputs& x) {
    Array kept = Array::from_shape({x.q.size(0), x.k.size(0)});
    kept.fill(0.0f);
    const std::size_t keys = std::min(x.q.size(0), x.k.size(0));
    const Tensor some = softmax_by({x.q, slice(x.k, 0, 0, keys), x.v}, root(x));
    for (std::size_t i = 0; i < x.q.size(0); ++i)
        for (std::size_t j = 0; j < keys; ++j) kept(i, j) = some.at({i, j});
    return Tensor(kept);
}

// The values of the queries, values[i], in the place of those of the keys.
Tensor value_of_the_query(const Inputs& x) {
    Array own = Array::from_shape({x.q.size(0), x.v.size(1)});
    for (std::size_t i = 0; i < x.q.size(0); ++i)
        for (std::size_t c = 0; c < x.v.size(1); ++c) own(i, c) = x.v.at({std::min(i, x.v.size(0) - 1), c});
    return Tensor(own);
}

// -|q - k|² / 2
Tensor nearness(const Inputs& x) {
    const auto squares = [](const Tensor& t) { return sum(t * t, -1, KeepDims::yes); };
    return reference_scores(x.q, x.k, 1.0) - squares(x.q) * 0.5f - transpose(squares(x.k), 0, 1) * 0.5f;
}

// The first row of a matrix, and zeros for the others.
Tensor first_row_only(const Tensor& x) {
    Array kept = x.array();
    std::fill(kept.data() + x.size(1), kept.data() + x.size(), 0.0f);
    return Tensor(kept);
}

Tensor first_row_for_all(const Tensor& x) { return slice(x, 0, 0, 1) + Tensor::zeros(x.shape()); }

struct WrongAnswer {
    std::string message;
    Tensor (*of)(const Inputs&);
};

const std::string first_query_only =
    "only the first query is answered; each query has a row of weights and a row of the output";

const std::vector<WrongAnswer> wrong_weights = {
    {"the scores are not divided: divide each by the root of d_k",
     [](const Inputs& x) { return softmax_by(x, 1.0); }},
    {"the scores are divided by d_k, not by its root",
     [](const Inputs& x) { return softmax_by(x, size(x.q, -1)); }},
    {"the scores are multiplied by the root of d_k, not divided",
     [](const Inputs& x) { return softmax_by(x, 1.0 / root(x)); }},
    {"the scores are divided by the number of keys; d_k is how many numbers a key has, and its root divides",
     [](const Inputs& x) { return softmax_by(x, size(x.k, 0)); }},
    {"the scores are divided by the root of the number of keys; d_k is how many numbers a key has",
     [](const Inputs& x) { return softmax_by(x, std::sqrt(size(x.k, 0))); }},
    {"the scores are divided by the root of d_v, the width of a value; d_k is the width of a key",
     [](const Inputs& x) { return softmax_by(x, std::sqrt(size(x.v, -1))); }},
    {"the scores are divided by the root of the number of queries; d_k is how many numbers a key has",
     [](const Inputs& x) { return softmax_by(x, std::sqrt(size(x.q, 0))); }},
    {"the root of d_k is cut to a whole number: it must be a float",
     [](const Inputs& x) { return softmax_by(x, std::floor(root(x))); }},
    {"the sum is that of the scores; it must be that of their exponentials",
     [](const Inputs& x) {
         return exponentials(x) / sum(reference_scores(x.q, x.k, root(x)), -1, KeepDims::yes);
     }},
    {"the loop over the keys ends at the number of queries; it must end at keys.size()",
     weights_of_as_many_keys_as_queries},
    {"scores below 0 get no weight: exp makes every score a positive number",
     [](const Inputs& x) {
         const Tensor kept = maximum(reference_scores(x.q, x.k, 1.0), 0.0f);
         return kept / sum(kept, -1, KeepDims::yes);
     }},
    {"the weights of each key sum to 1 over the queries; those of each query must sum to 1 over the keys",
     [](const Inputs& x) { return softmax_by(x, root(x), 0); }},
    {"these are the exponentials, not yet divided by their sum", exponentials},
    {"the exponentials are divided by the number of keys, not by their sum",
     [](const Inputs& x) { return exponentials(x) / static_cast<float>(x.k.size(0)); }},
    {"the exponentials are missing: the scores themselves are divided by their sum",
     [](const Inputs& x) {
         const Tensor scores = reference_scores(x.q, x.k, 1.0);
         return scores / sum(scores, -1, KeepDims::yes);
     }},
    {"the sum of the exponentials does not begin at 0 for each query",
     [](const Inputs& x) { return exponentials(x) / sums_not_reset(exponentials(x)); }},
    {"each exponential is divided by the sum so far; divide when the sum is complete, in a second loop over "
     "j",
     [](const Inputs& x) { return exponentials(x) / running_sum(exponentials(x), false); }},
    {"each query gives all keys the same weight: its score with key j needs keys[j]", equal_weights},
    {"the score does not begin at 0 for each key: it contains those of the keys before",
     [](const Inputs& x) {
         return reference_softmax(running_sum(reference_scores(x.q, x.k, root(x)), false));
     }},
    {"the score does not begin at 0 for each key: it contains those of the keys before",
     [](const Inputs& x) {
         return reference_softmax(running_sum(reference_scores(x.q, x.k, root(x)), true));
     }},
    {"the key with the largest score gets the whole weight; attention is a mean of all values", largest_only},
    {"these weights are those of the example with 1, 2 and 4, of the distance; here the fit is the dot "
     "product",
     [](const Inputs& x) { return reference_softmax(nearness(x)); }},
    {"these weights are those of the example with 1, 2 and 4, of the distance; here the fit is the dot "
     "product",
     [](const Inputs& x) { return reference_softmax(nearness(x) / static_cast<float>(root(x))); }},
    {"the sign is wrong: a larger score must give a larger weight",
     [](const Inputs& x) { return softmax_by(x, -root(x)); }},
    {first_query_only, [](const Inputs& x) { return first_row_only(right_weights(x)); }},
    {"every row is that of the first query: queries[0] is read where query i is meant",
     [](const Inputs& x) { return first_row_for_all(right_weights(x)); }}};

// Given right weights.
const std::vector<WrongAnswer> wrong_outputs = {
    {"this is the mean of the keys; what a word passes on is its value",
     [](const Inputs& x) {
         return x.k.size(1) == x.v.size(1) ? matmul(right_weights(x), x.k) : matmul(right_weights(x), x.v);
     }},
    {"only the part of the last key is left: add the parts up, with +=",
     [](const Inputs& x) {
         const std::size_t keys = x.k.size(0);
         return matmul(slice(right_weights(x), 1, keys - 1, keys), slice(x.v, 0, keys - 1, keys));
     }},
    {"each query takes values[i] alone; it must take the values of all keys, values[j], each by its weight",
     value_of_the_query},
    {"this is the sum of the values; each counts by its weight",
     [](const Inputs& x) {
         return matmul(Tensor::ones({x.q.size(0), x.k.size(0)}), x.v);
     }},
    {"this is the plain mean of the values; each counts by its weight",
     [](const Inputs& x) {  // with equal weights it is the right output
         const bool by_weights = bool(close(what_comes(x).weights, equal_weights(x)));
         return matmul(by_weights ? right_weights(x) : equal_weights(x), x.v);
     }},
    {"this is the value of the key with the largest weight; attention is a mean of all values",
     [](const Inputs& x) { return matmul(largest_only(x), x.v); }},
    {"the values are multiplied by the exponentials, not yet divided by their sum",
     [](const Inputs& x) { return matmul(exponentials(x), x.v); }},
    {"the weighted sum is divided once more, by the number of keys; the weights sum to 1 already",
     [](const Inputs& x) { return matmul(right_weights(x), x.v) / static_cast<float>(x.k.size(0)); }},
    {"only the first numbers of each value are added up: a value has d_v of them, and d_v may differ from "
     "d_k",
     [](const Inputs& x) {
         Array kept = matmul(right_weights(x), x.v).array();
         for (std::size_t i = 0; i < x.q.size(0); ++i)
             for (std::size_t c = x.k.size(1); c < x.v.size(1); ++c) kept(i, c) = 0.0f;
         return Tensor(kept);
     }},
    {first_query_only, [](const Inputs& x) { return first_row_only(matmul(right_weights(x), x.v)); }},
    {"every row is that of the first query: row 0 of the weights is read where row i is meant",
     [](const Inputs& x) { return first_row_for_all(matmul(right_weights(x), x.v)); }}};

// In the lesson's table two mistakes may give the same numbers, but not here.
Inputs of_distinct_sizes() { return {normal({3, 5}, 11), normal({4, 5}, 12), normal({4, 5}, 13)}; }

testing::AssertionResult right(const std::string& what, Tensor Came::*part,
                               const std::vector<WrongAnswer>& wrong_answers, const Inputs& x,
                               const Tensor& expected) {
    std::vector<Suspect> suspects;
    for (const WrongAnswer& wrong : wrong_answers)
        suspects.push_back(
            {wrong.message, [&] {
                 const Inputs there = of_distinct_sizes();
                 const bool same = bool(close(what_comes(there).*part, wrong.of(there), {1e-4, 1e-5}));
                 return same ? wrong.of(x) : expected;
             }});
    return close_named(what, what_comes(x).*part, expected, {1e-5, 1e-6}, suspects);
}

testing::AssertionResult right_weights_come(const std::string& whose, const Inputs& x,
                                            const Tensor& expected) {
    return right("weights" + whose, &Came::weights, wrong_weights, x, expected);
}

testing::AssertionResult right_output_comes(const std::string& whose, const Inputs& x,
                                            const Tensor& expected) {
    return right("output" + whose, &Came::output, wrong_outputs, x, expected);
}

const Tensor weights_of_tired = Tensor::from({1, 3}, {0.8942856f, 0.0528572f, 0.0528572f});
const Tensor output_of_tired = Tensor::from({1, 2}, {3.5771425f, 0.2114288f});

// The other tests have other sizes, for which a mistake may read beyond a row. The example by hand comes first.
testing::AssertionResult right_by_hand() {
    const Came came = what_comes(lesson({4, 0}));
    if (close(came.weights, weights_of_tired) && close(came.output, output_of_tired))
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << "the example by hand is not right yet; that comes first";
}

// Nor may a loop over d_k leave the output where values are narrower than keys.
Inputs with_wide_values() { return {normal({2, 3}, 41), normal({4, 3}, 42), normal({4, 5}, 43)}; }
testing::AssertionResult right_with_wide_values() {
    const testing::AssertionResult by_hand = right_by_hand();
    if (!by_hand) return by_hand;
    const Inputs x = with_wide_values();
    if (close(what_comes(x).output, matmul(right_weights(x), x.v), {1e-4, 1e-5}))
        return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << "values that are wider than keys are not right yet; they come first";
}

// --- the lesson's table

TEST(attention_loops, gives_tired_the_weights_of_the_lesson) {
    EXPECT_TRUE(right_weights_come(" of tired", lesson({4, 0}), weights_of_tired));
}

TEST(attention_loops, gives_tired_nearly_the_value_of_cat) {
    EXPECT_TRUE(right_output_comes(" of tired", lesson({4, 0}), output_of_tired));
}

TEST(attention_loops, lets_soft_find_the_mat) {
    ASSERT_TRUE(right_by_hand());
    const Inputs soft = lesson({0, 4});
    EXPECT_TRUE(
        right_weights_come(" of soft", soft, Tensor::from({1, 3}, {0.0528572f, 0.8942856f, 0.0528572f})));
    EXPECT_TRUE(right_output_comes(" of soft", soft, Tensor::from({1, 2}, {0.2114288f, 3.5771425f})));
}

TEST(attention_loops, gives_a_query_of_zeros_the_plain_mean) {
    ASSERT_TRUE(right_by_hand());
    const Inputs indifferent = lesson({0, 0});
    EXPECT_TRUE(right_weights_come(" of (0, 0)", indifferent, Tensor::full({1, 3}, 1.0f / 3.0f)));
    EXPECT_TRUE(right_output_comes(" of (0, 0)", indifferent, Tensor::full({1, 2}, 4.0f / 3.0f)));
}

TEST(attention_loops, answers_each_of_several_queries) {
    ASSERT_TRUE(right_by_hand());
    const Inputs several = lesson({0, 0, 4, 0, 0, 4});
    EXPECT_TRUE(right_weights_come(" of three queries", several,
                                   concat({Tensor::full({1, 3}, 1.0f / 3.0f), weights_of_tired,
                                           Tensor::from({1, 3}, {0.0528572f, 0.8942856f, 0.0528572f})},
                                          0)));
    EXPECT_TRUE(right_output_comes(" of three queries", several,
                                   concat({Tensor::full({1, 2}, 4.0f / 3.0f), output_of_tired,
                                           Tensor::from({1, 2}, {0.2114288f, 3.5771425f})},
                                          0)));
}

// --- other sizes

TEST(attention_loops, divides_by_the_root_of_d_k_whatever_it_is) {
    ASSERT_TRUE(right_by_hand());
    const Inputs x = {normal({2, 7}, 31), normal({5, 7}, 32), normal({5, 7}, 33)};
    EXPECT_TRUE(right_weights_come("", x, right_weights(x)));
}

TEST(attention_loops, takes_values_that_are_wider_than_keys) {
    ASSERT_TRUE(right_by_hand());
    const Inputs x = with_wide_values();
    EXPECT_TRUE(right_weights_come("", x, right_weights(x)));
    EXPECT_TRUE(right_output_comes(" for d_k = 3 and d_v = 5", x, matmul(right_weights(x), x.v)));
}

TEST(attention_loops, takes_values_that_are_narrower_than_keys) {
    ASSERT_TRUE(right_with_wide_values());
    const Inputs x = {normal({2, 3}, 44), normal({4, 3}, 45), normal({4, 1}, 46)};
    EXPECT_TRUE(right_weights_come("", x, right_weights(x)));
    EXPECT_TRUE(right_output_comes(" for d_k = 3 and d_v = 1", x, matmul(right_weights(x), x.v)));
}

TEST(attention_loops, equals_pytorch) {
    ASSERT_TRUE(right_with_wide_values());
    const auto head = [](const std::string& name, std::size_t b, std::size_t h) {
        const Tensor all = golden()["sdpa." + name];
        return reshape(slice(slice(all, 0, b, b + 1), 1, h, h + 1), {all.size(2), all.size(3)});
    };
    for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t h = 0; h < 3; ++h) {
            const Inputs x = {head("q", b, h), head("k", b, h), head("v", b, h)};
            ASSERT_TRUE(right_weights_come("", x, head("weights", b, h)));
            ASSERT_TRUE(right_output_comes("", x, head("output", b, h)));
        }
}

// --- properties

TEST(attention_loops, weights_are_shares) {
    ASSERT_TRUE(right_by_hand());
    const Tensor weights = what_comes({normal({6, 3}, 51), normal({9, 3}, 52), normal({9, 3}, 53)}).weights;
    ASSERT_TRUE(has_shape(weights, {6, 9}));
    EXPECT_TRUE(close_named("sums of the rows", sum(weights, -1), Tensor::ones({6}), {1e-5, 0}));
    EXPECT_GT(*std::min_element(weights.values().begin(), weights.values().end()), 0.0f);
}

TEST(attention_loops, keys_may_come_in_any_order) {
    ASSERT_TRUE(right_by_hand());
    const Inputs x = {normal({2, 3}, 61), normal({4, 3}, 62), normal({4, 3}, 63)};
    const auto turned = [](const Tensor& t) { return concat({slice(t, 0, 1, 4), slice(t, 0, 0, 1)}, 0); };
    const Came before = what_comes(x), after = what_comes({x.q, turned(x.k), turned(x.v)});
    ASSERT_TRUE(has_shape(before.weights, {2, 4}));
    EXPECT_TRUE(close_named("output after the first key and its value went to the end", after.output,
                            before.output, {1e-4, 1e-6}));
    EXPECT_TRUE(close_named("weights after the first key and its value went to the end", after.weights,
                            concat({slice(before.weights, 1, 1, 4), slice(before.weights, 1, 0, 1)}, 1),
                            {1e-4, 1e-6}));
}

}  // namespace
}  // namespace tfs::test
