// tests/02_masks/checklist.cpp · what the checks of several steps of chapter 02 share
#include "tests/02_masks/checklist.hpp"

#include <algorithm>
#include <utility>

#include "tests/support/golden.hpp"

namespace tfs::test {

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
    for (std::size_t b = 0; b < shape[0]; ++b)
        for (std::size_t i = 0; i < shape[2]; ++i)
            for (std::size_t j = 0; j < shape[3]; ++j)
                values.push_back(rule(static_cast<std::int64_t>(b), static_cast<std::int64_t>(i),
                                      static_cast<std::int64_t>(j))
                                     ? 1.0f
                                     : 0.0f);
    return Tensor::from(shape, std::move(values));
}

testing::AssertionResult mask_close(const Mask& actual, const Tensor& expected, const std::string& what) {
    return close_named(what, numbers(actual), expected, {0, 0});
}

testing::AssertionResult attention_equals_pytorch(const std::string& name, const Mask& mask,
                                                  const std::string& queries) {
    const Tensor q = leaf(queries), k = leaf("k"), v = leaf("v");
    const auto expected = [&](const std::string& what) { return golden()["attention." + name + "." + what]; };
    const auto [output, weights] = scaled_dot_product_attention(q, k, v, mask);
    testing::AssertionResult result = close_named("weights", weights, expected("weights"), {1e-5, 1e-6});
    if (result) result = close_named("output", output, expected("output"), {1e-5, 1e-6});
    if (result) result = send_back(output, expected("grad_weights"));
    for (const auto& [of, input] : {std::pair("q", q), std::pair("k", k), std::pair("v", v)})
        if (result) result = gradient_close(of, input, expected(std::string("grad_") + of), {1e-4, 1e-6});
    return result;
}

}  // namespace tfs::test
