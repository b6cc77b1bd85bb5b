// tests/13_long_inputs/attention_gradient_test.cpp · step attention_gradient: PyTorch's gradients, from tiles that are computed once more
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/13_long_inputs/models/long_attention.hpp"
#include "tests/13_long_inputs/checklist.hpp"

namespace tfs::test {
namespace {

HeadGradients zeros_for(const Head& head) {
    return {Matrix(head.q.rows, head.q.width), Matrix(head.k.rows, head.k.width),
            Matrix(head.v.rows, head.v.width)};
}

// Of all blocks, from what plain loops returned.
HeadGradients gradients_of(const Head& head, const Visible& visible, const Matrix& d_output) {
    HeadGradients gradients = zeros_for(head);
    for (const Range queries : pieces_of(head.q.rows, block_queries)) {
        Matrix d_block(queries.size(), d_output.width);
        std::copy_n(d_output.row(queries.begin).begin(), d_block.numbers.size(), d_block.numbers.begin());
        attention_gradient(head, queries, visible, attention_in_loops(head, queries, visible), d_block,
                           gradients);
    }
    return gradients;
}

// p = softmax of the scores, ds = p (dO v - sum p dO v), in double precision.
HeadGradients gradients_in_loops(const Head& head, const Visible& visible, const Matrix& d_output) {
    HeadGradients gradients = zeros_for(head);
    const double scale = 1.0 / std::sqrt(static_cast<double>(head.q.width));
    std::vector<double> dk(head.k.numbers.size()), dv(head.v.numbers.size());
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const auto [begin, end] = visible[i];
        const double log_sum = attention_in_loops(head, {i, i + 1}, visible).log_sums[0];
        std::vector<double> p, dp, dq(head.q.width);
        double along = 0.0;
        for (std::size_t j = begin; j < end; ++j) {
            double score = 0.0, of_value = 0.0;
            for (std::size_t c = 0; c < head.q.width; ++c)
                score += static_cast<double>(head.q.row(i)[c]) * head.k.row(j)[c];
            for (std::size_t c = 0; c < head.v.width; ++c)
                of_value += static_cast<double>(d_output.row(i)[c]) * head.v.row(j)[c];
            p.push_back(std::exp(scale * score - log_sum));
            dp.push_back(of_value);
            along += p.back() * of_value;
        }
        for (std::size_t j = begin; j < end; ++j) {
            const double ds = scale * p[j - begin] * (dp[j - begin] - along);
            for (std::size_t c = 0; c < head.q.width; ++c) {
                dq[c] += ds * head.k.row(j)[c];
                dk[j * head.q.width + c] += ds * head.q.row(i)[c];
            }
            for (std::size_t c = 0; c < head.v.width; ++c)
                dv[j * head.v.width + c] += p[j - begin] * d_output.row(i)[c];
        }
        std::copy(dq.begin(), dq.end(), gradients.dq.row(i).begin());
    }
    std::copy(dk.begin(), dk.end(), gradients.dk.numbers.begin());
    std::copy(dv.begin(), dv.end(), gradients.dv.numbers.begin());
    return gradients;
}

void expect_gradients(const std::string& what, const HeadGradients& gradients,
                      const HeadGradients& expected) {
    EXPECT_TRUE(close_named(what + ": dv", tensor_of(gradients.dv), tensor_of(expected.dv), {1e-5, 1e-5}));
    EXPECT_TRUE(close_named(what + ": dq", tensor_of(gradients.dq), tensor_of(expected.dq), {1e-5, 1e-5}));
    EXPECT_TRUE(close_named(what + ": dk", tensor_of(gradients.dk), tensor_of(expected.dk), {1e-5, 1e-5}));
}

TEST(attention_gradient, one_tile) {
    const Head head = random_head(5, 7, 4, 3);
    const Visible visible = sees_all(5, 7);
    const Matrix d_output = matrix_of(normal({5, 3}, 9));
    expect_gradients("5 queries, 7 keys", gradients_of(head, visible, d_output),
                     gradients_in_loops(head, visible, d_output));
}

TEST(attention_gradient, equals_pytorch_under_every_mask) {
    for (const std::string& name : golden_cases) {
        const GoldenCase one(name);
        const HeadGradients gradients =
            gradients_of(one.head, one.visible, matrix_of(golden()[name + ".grad_weights"]));
        for (const auto& [which, gradient] :
             {std::pair{"v", &gradients.dv}, std::pair{"q", &gradients.dq}, std::pair{"k", &gradients.dk}})
            EXPECT_TRUE(close_named(fmt::format("{}: d{}", name, which), tensor_of(*gradient),
                                    golden()[name + ".grad_" + which], {1e-5, 1e-5}));
    }
}

TEST(attention_gradient, a_query_that_sees_nothing_sends_nothing_back) {
    const Head head = random_head(12, 200, 4, 4);
    Visible visible = sees_all(12, 200);
    visible[0] = visible[7] = {0, 0};
    const Matrix d_output = matrix_of(normal({12, 4}, 10));
    expect_gradients("two queries see nothing", gradients_of(head, visible, d_output),
                     gradients_in_loops(head, visible, d_output));
}

TEST(attention_gradient, is_added_to_what_is_there) {
    const Head head = random_head(6, 150, 4, 4);
    const Visible visible = sees_all(6, 150);
    const Matrix d_output = matrix_of(normal({6, 4}, 11));
    HeadGradients twice = zeros_for(head), expected = gradients_in_loops(head, visible, d_output);
    for (int i = 0; i < 2; ++i)
        attention_gradient(head, {0, 6}, visible, attention_in_loops(head, {0, 6}, visible), d_output, twice);
    for (Matrix* const one : {&expected.dq, &expected.dk, &expected.dv})
        for (float& number : one->numbers) number *= 2.0f;
    expect_gradients("sent back twice", twice, expected);
}

TEST(attention_gradient, computes_no_tile_of_which_nothing_is_seen) {
    const Head head = random_head(400, 400, 4, 4);
    const Visible visible = sees_window(400, 50);
    const Matrix d_output = matrix_of(normal({400, 4}, 12));
    std::size_t seen = 0;
    for (const Range queries : pieces_of(400, block_queries)) seen += tiles_seen(queries, 400, visible);
    (void)tiles_computed();
    (void)gradients_of(head, visible, d_output);
    EXPECT_EQ(tiles_computed(), seen) << "tiles computed, with a window of 50";
}

}  // namespace
}  // namespace tfs::test
