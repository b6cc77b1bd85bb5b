// chapters/05_feed_forward/program/attention_exclusive_or.cpp · one head gives exclusive or, as soon as there is a second token
#include <fmt/format.h>

#include <cmath>

#include "chapters/01_attention/attention.hpp"
#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

// With a = (1, 0, 0) and b = (0, 1, 0) a token is x = ±a ± b, and W_qᵀ W_k = c (a bᵀ + b aᵀ): x scores 2 c (x·a) (x·b) with
// itself. The second token is (0, 0, 1): it scores 0, and its value is 1, where that of x is 0.
Report show_second_token(const Request&) {
    const NoGrad no_grad;
    constexpr float strength = 4.0f;
    const Tensor w_q = Tensor::from({3, 3}, {0, strength, 0, strength, 0, 0, 0, 0, 0});
    const Tensor w_v = Tensor::from({1, 3}, {0, 0, 1});
    Table table{.columns = {{"features"},
                            {"score with itself", whole()},
                            {"weight on itself", fixed(4)},
                            {"weight on second", fixed(4)},
                            {"output", fixed(4)}}};
    for (const float first : {-1.0f, 1.0f}) {
        for (const float second : {-1.0f, 1.0f}) {
            const Tensor x = Tensor::from({2, 3}, {first, second, 0, 0, 0, 1});
            // The head divides by sqrt(3) again.
            const Tensor q = reshape(linear(x, w_q) * std::sqrt(3.0f), {1, 1, 2, 3}),
                         k = reshape(x, {1, 1, 2, 3});
            const AttentionOutput result =
                scaled_dot_product_attention(q, k, reshape(linear(x, w_v), {1, 1, 2, 1}));
            table.add({fmt::format("({:+}, {:+})", first, second), 2.0f * strength * first * second,
                       result.weights.at({0, 0, 0, 0}), result.weights.at({0, 0, 0, 1}),
                       result.output.at({0, 0, 0, 0})});
        }
    }
    return {.items = {table}};
}

}  // namespace

Sections attention_exclusive_or_sections() {
    return {{"second-token",
             "One head and a second token give exclusive or",
             show_second_token,
             {},
             Level::deeper}};
}

}  // namespace tfs
