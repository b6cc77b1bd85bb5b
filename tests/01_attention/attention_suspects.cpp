// tests/01_attention/attention_suspects.cpp · classic wrong answers for the step scaled_dot_product_attention
#include "tests/01_attention/attention_suspects.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

#include "tests/support/inputs.hpp"

namespace tfs::test {

namespace {

const std::string swapped_results =
    "output and weights are swapped: the output comes first, {output, weights}";
const std::string keys_times_queries =
    "the product is k qᵀ, with a row for each key; q kᵀ has a row for each query: matmul(q, k, Transpose::b)";

struct Inputs {
    Tensor q, k, v;
};

// What somebody divides the scores by, and what to tell them.
struct Divisor {
    std::string message;
    double (*of)(const Inputs&);
};

double size(const Tensor& x, int axis) { return static_cast<double>(x.size(axis)); }

const std::vector<Divisor> wrong_divisors = {
    {"the scores are not scaled: divide them by sqrt(d_k)", [](const Inputs&) { return 1.0; }},
    {"the scores are divided by d_k, not by its square root", [](const Inputs& x) { return size(x.q, -1); }},
    {"the scores are multiplied by sqrt(d_k), not divided",
     [](const Inputs& x) { return 1.0 / std::sqrt(size(x.q, -1)); }},
    {"the scores are scaled by the width of the whole model (heads * d_k), not by that of one head",
     [](const Inputs& x) { return std::sqrt((x.q.rank() > 2 ? size(x.q, -3) : 1.0) * size(x.q, -1)); }},
    {"the scores are scaled by the square root of the number of keys; d_k is the width, q.size(-1)",
     [](const Inputs& x) { return std::sqrt(size(x.k, -2)); }},
    {"the scores are scaled by the square root of the number of queries; d_k is the width, q.size(-1)",
     [](const Inputs& x) { return std::sqrt(size(x.q, -2)); }},
    {"the scores are scaled by the square root of d_v, the width of v; d_k is the width of q and k",
     [](const Inputs& x) { return std::sqrt(size(x.v, -1)); }},
    {"the scores are scaled by the square root of q.size(1), which may be the heads; d_k is the last axis, "
     "q.size(-1)",
     [](const Inputs& x) { return std::sqrt(size(x.q, 1)); }},
    {"the square root of d_k is cut to an integer; compute it, and divide by it, as a float",
     [](const Inputs& x) { return std::floor(std::sqrt(size(x.q, -1))); }},
    {"the scores are divided by 8, the root of 64, whatever d_k is; d_k is q.size(-1)",
     [](const Inputs&) { return 8.0; }},
    {"the scores are divided by the root of 512, whatever d_k is; d_k is q.size(-1)",
     [](const Inputs&) { return std::sqrt(512.0); }},
    {"the scores are divided by the root of 8, whatever d_k is; d_k is q.size(-1)",
     [](const Inputs&) { return std::sqrt(8.0); }},
    {"all weights are equal: the scale is 0, because 1 / n of integers is 0; write 1.0f / std::sqrt(…)",
     [](const Inputs&) { return static_cast<double>(infinity); }}};

Tensor softmax_of(const Inputs& x, double divisor, int axis = -1) {
    return reference_softmax(reference_scores(x.q, x.k, divisor), axis);
}

// Whether the step gives these weights, or in the output the sum of the values by them.
bool is_what_comes(const Inputs& x, const Tensor& weights, Part part) {
    if (part == Part::weights) return bool(close(attention_weights(x.q, x.k), weights, {1e-4, 1e-6}));
    const Tensor output = scaled_dot_product_attention(x.q, x.k, x.v).output;
    return bool(close(output, matmul(weights, x.v), {1e-4, 1e-5}));
}

// Two divisors may be the same number for some sizes, but not for these.
Inputs of_distinct_sizes() {
    return {normal({2, 3, 7, 20}, 21), normal({2, 3, 11, 20}, 22), normal({2, 3, 11, 6}, 23)};
}

}  // namespace

std::vector<Suspect> attention_suspects(const Tensor& q, const Tensor& k, const Tensor& v, Part part) {
    const Inputs here{q, k, v}, there = of_distinct_sizes();
    const auto answer = [=](const Tensor& weights) {
        return part == Part::weights ? weights : matmul(weights, v);
    };
    std::vector<Suspect> suspects;
    for (const Divisor& divisor : wrong_divisors)
        if (is_what_comes(there, softmax_of(there, divisor.of(there)), part))
            suspects.push_back({divisor.message, [=] { return answer(softmax_of(here, divisor.of(here))); }});

    const double root = std::sqrt(size(q, -1));
    suspects.insert(
        suspects.end(),
        {{"the scores are used as the weights: softmax is missing",
          [=] { return answer(reference_scores(q, k, root)); }},
         {"the weights are scaled, after the softmax; scale the scores, before it",
          [=] { return answer(softmax_of(here, 1.0) / static_cast<float>(root)); }},
         {"softmax is applied twice", [=] { return answer(reference_softmax(softmax_of(here, root))); }},
         {causal_by_default, [=] { return answer(causal_softmax(reference_scores(q, k, root))); }}});
    if (part == Part::weights) {
        suspects.push_back(
            {keys_times_queries,
             [=] { return reference_softmax(matmul(k, q, Transpose::b) / static_cast<float>(root)); }});
    } else {
        suspects.push_back({sum_of_keys, [=] { return matmul(softmax_of(here, root), k); }});
        suspects.push_back({swapped_results, [=] { return softmax_of(here, root); }});
    }
    if (is_what_comes(there, softmax_of(there, std::sqrt(size(there.q, -1)), -2), part))
        suspects.push_back(
            {"softmax runs over the queries; each query's weights over the keys (the last axis) must sum to "
             "1",
             [=] { return answer(softmax_of(here, root, -2)); }});
    if (q.rank() == 4)
        suspects.push_back(
            {"softmax runs along axis 1, the heads; each query's weights over the keys (the last axis) must "
             "sum to 1",
             [=] { return answer(softmax_of(here, root, 1)); }});
    if (q.size(-1) == k.size(-2))
        suspects.push_back(
            {"the keys are not transposed, which runs only if there are d_k keys: matmul(q, k, "
             "Transpose::b)",
             [=] { return answer(reference_softmax(matmul(q, k) / static_cast<float>(root))); }});
    return suspects;
}

std::vector<Suspect> returned_weights_suspects(const Tensor& q, const Tensor& k, const Tensor& v,
                                               const std::optional<Mask>& mask) {
    return {{swapped_results, [=] { return matmul(attention_weights(q, k, mask), v); }},
            {"the scores are returned as the weights: return what softmax made of them",
             [=] { return reference_scores(q, k, std::sqrt(size(q, -1))); }},
            {"the mask is not passed on: attention_weights(q, k, mask, bias)",
             [=] { return attention_weights(q, k); }}};
}

std::vector<Suspect> bias_suspects(const Tensor& q, const Tensor& k, const std::optional<Mask>& mask,
                                   const Tensor& bias) {
    const Tensor products = matmul(q, k, Transpose::b);
    const float root = static_cast<float>(std::sqrt(size(q, -1)));
    const auto weights = [=](const Tensor& scores) {
        const float infinity = std::numeric_limits<float>::infinity();
        return reference_softmax(mask ? masked_fill(scores, *mask, -infinity) : scores);
    };
    return {{"the bias is not added to the scaled scores: scaled + *bias",
             [=] { return weights(products / root); }},
            {"the bias is added before the scores are scaled: it is divided, too",
             [=] { return weights((products + bias) / root); }},
            {"the bias is added after the softmax; add it to the scaled scores, before it",
             [=] { return weights(products / root) + bias; }},
            {"the scores are multiplied by the bias; it is added",
             [=] { return weights(products / root * bias); }},
            {"the bias is subtracted; it is added", [=] { return weights(products / root - bias); }}};
}

std::vector<Suspect> mask_suspects(const Tensor& q, const Tensor& k, const Mask& mask) {
    const Tensor scores = reference_scores(q, k, std::sqrt(size(q, -1)));
    const Tensor shown = masked_fill(Tensor::zeros(scores.shape()), mask, 1.0f);  // 1 where forbidden
    return {
        {"the mask is ignored", [=] { return reference_softmax(scores); }},
        {"the mask is applied after the softmax, so the rows no longer sum to 1; put -inf into the scores "
         "before it",
         [=] { return masked_fill(reference_softmax(scores), mask, 0.0f); }},
        {"the mask is read the wrong way round: true means may attend",
         [=] { return reference_softmax(scores + (1.0f - shown) * -1e9f); }},
        {"forbidden scores are set to 0; that is a score like any other, use -inf",
         [=] { return reference_softmax(masked_fill(scores, mask, 0.0f)); }}};
}

std::string wrong_product(const Tensor& q, const Tensor& k, const Tensor& v, const std::string& message) {
    const auto multiplied = [&](const Shape& a, const Tensor& b) {
        return message.starts_with(fmt::format("matmul: {} x {}:", to_string(a), to_string(b.shape())));
    };
    Shape transposed = k.shape();
    transposed.back() = q.size(-2);  // (…, key, query)
    if (multiplied(transposed, v)) return keys_times_queries;
    return multiplied(q.shape(), k) ? "the keys are not transposed: matmul(q, k, Transpose::b)" : "";
}

}  // namespace tfs::test
