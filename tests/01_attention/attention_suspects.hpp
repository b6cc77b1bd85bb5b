// tests/01_attention/attention_suspects.hpp · classic wrong answers for the step scaled_dot_product_attention
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/01_attention/checklist.hpp"

namespace tfs::test {

inline const std::string sum_of_keys = "the weighted sum is taken over the keys; it must be over the values";

// Of attention without a mask: of attention_weights, or of the output.
enum class Part { weights, output };
std::vector<Suspect> attention_suspects(const Tensor& q, const Tensor& k, const Tensor& v, Part part);

// Of the weights that scaled_dot_product_attention returns, beside those of attention_weights.
std::vector<Suspect> returned_weights_suspects(const Tensor& q, const Tensor& k, const Tensor& v,
                                               const std::optional<Mask>& mask);

// Where a bias is added to the scores.
std::vector<Suspect> bias_suspects(const Tensor& q, const Tensor& k, const std::optional<Mask>& mask,
                                   const Tensor& bias);

// Of attention_weights under a mask.
std::vector<Suspect> mask_suspects(const Tensor& q, const Tensor& k, const Mask& mask);

// Which product is wrong, where a ShapeError says this of q, k and v without a mask; empty where that can't be told.
std::string wrong_product(const Tensor& q, const Tensor& k, const Tensor& v, const std::string& message);

}  // namespace tfs::test
