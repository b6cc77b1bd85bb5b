// tests/02_masks/checklist.cpp · what the checks of several steps of chapter 02 share
#include "tests/02_masks/checklist.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

const std::string not_from_shape =
    "the array was not made by `xt::xarray<bool>::from_shape({…})`: `xt::xarray<bool> a;` has no axes, and "
    "`a({2, 3})` is one axis that holds those numbers";

// What may be wrong with any mask (batch, 1, query, key), where nothing more specific is.
std::vector<Suspect> suspects_of_any_mask(const Tensor& expected) {
    const std::size_t batch = expected.size(0), queries = expected.size(-2), keys = expected.size(-1);
    const auto as = [=](const std::string& message, const Shape& shape) {
        return Suspect{message, [=] { return reshape(expected, shape); }};
    };
    std::vector<Suspect> suspects{
        {"nothing is allowed", [=] { return Tensor::zeros(expected.shape()); }},
        {"everything is allowed", [=] { return Tensor::ones(expected.shape()); }},
        {"inverted: true where the mask must forbid; true = may attend", [=] { return 1.0f - expected; }},
        as("the axis of the heads is missing: a mask has four axes, (…, 1, query, key)",
           {batch, queries, keys})};
    if (batch == 1)
        suspects.push_back(as("the axes of batch and heads are missing: the contract says (1, 1, query, key)",
                              {queries, keys}));
    if (batch != 1)
        suspects.push_back(
            as("the sequences of the batch lie along the axis of the heads: the contract says (batch, "
               "1, query, key)",
               {1, batch, queries, keys}));
    if (queries != 1 && queries != keys)
        suspects.push_back({"the axes of query and key are swapped: the contract says (…, query, key)",
                            [=] { return transpose(expected, -2, -1); }});
    return suspects;
}

bool has_cause(const testing::AssertionResult& failure) {
    return std::string(failure.message()).find("Likely cause") != std::string::npos;
}

// Attention by the layer's operations alone; a query that may attend to nothing gets zeros.
AttentionOutput readable_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Mask& mask) {
    const Tensor scores = matmul(q, k, Transpose::b) / std::sqrt(static_cast<float>(q.size(-1)));
    const Tensor masked = masked_fill(scores, mask, -infinity);
    const Tensor largest = maximum(max(masked, -1, KeepDims::yes), std::numeric_limits<float>::lowest());
    const Tensor e = exp(masked - largest.detach());
    const Tensor weights = e / maximum(sum(e, -1, KeepDims::yes), 1.0f);
    return {matmul(weights, v), weights};
}

}  // namespace

Ids ids(const Shape& shape, const std::vector<std::int64_t>& values) {
    Ids result = Ids::from_shape(shape);
    std::copy(values.begin(), values.end(), result.begin());
    return result;
}

Tensor numbers(const Mask& mask) {
    Array result = Array::from_shape(mask.shape());
    for (std::size_t i = 0; i < result.size(); ++i) result.data()[i] = mask.array().data()[i] ? 1.0f : 0.0f;
    return Tensor(std::move(result));
}

Tensor by_rule(const Shape& shape, const Rule& rule) {
    std::vector<float> values;
    for (std::size_t b = 0; b < shape[0]; ++b) {
        for (std::size_t i = 0; i < shape[2]; ++i) {
            for (std::size_t j = 0; j < shape[3]; ++j) {
                values.push_back(rule(static_cast<std::int64_t>(b), static_cast<std::int64_t>(i),
                                      static_cast<std::int64_t>(j))
                                     ? 1.0f
                                     : 0.0f);
            }
        }
    }
    return Tensor::from(shape, std::move(values));
}

Suspect suspect(const std::string& message, const Shape& shape, const Rule& rule) {
    return {message, [=] { return by_rule(shape, rule); }};
}

testing::AssertionResult mask_close(const Mask& actual, const Tensor& expected,
                                    const std::vector<Suspect>& suspects, const std::string& what) {
    const Tensor allowed = numbers(actual);
    testing::AssertionResult result = close_named(what, allowed, expected, {0, 0}, suspects);
    if (!result && !has_cause(result))
        result = close_named(what, allowed, expected, {0, 0}, suspects_of_any_mask(expected));
    if (!result) result << likely_if(actual.shape().size() < 2, not_from_shape);
    return result;
}

testing::AssertionResult attention_equals_pytorch(const std::string& name, const Mask& mask,
                                                  const std::string& queries) {
    const std::string prefix = "attention." + name + ".";
    for (const bool readable : {false, true}) {
        const Tensor q = leaf(queries), k = leaf("k"), v = leaf("v");
        const auto [output, weights] =
            readable ? readable_attention(q, k, v, mask) : scaled_dot_product_attention(q, k, v, mask);
        testing::AssertionResult result =
            close_named("weights", weights, golden()[prefix + "weights"], {1e-5, 1e-6});
        if (result) result = close_named("output", output, golden()[prefix + "output"], {1e-5, 1e-6});
        if (result) result = send_back(output, golden()[prefix + "grad_weights"]);
        if (result) result = gradient_close("q", q, golden()[prefix + "grad_q"], {1e-4, 1e-6});
        if (result) result = gradient_close("k", k, golden()[prefix + "grad_k"], {1e-4, 1e-6});
        if (result) result = gradient_close("v", v, golden()[prefix + "grad_v"], {1e-4, 1e-6});
        if (!result) return result << (readable ? " (readable attention)" : "");
    }
    return testing::AssertionSuccess();
}

}  // namespace tfs::test
