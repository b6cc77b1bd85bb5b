// tests/07_block/checklist.hpp · what the checks of several steps of chapter 07 share
//
// The golden values are those of torch.nn.TransformerEncoderLayer, and for what it does not have (rotary positions, RMSNorm,
// SwiGLU, dropout with our masks) of PyTorch code written for the purpose.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chapters/07_block/block.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

using OptionalMask = std::optional<Mask>;

// Blocks of a few lines.
BlockConfig small(NormPosition position = NormPosition::pre);
BlockConfig small_llama();
BlockConfig grouped_config(std::size_t kv_heads);  // for 6 heads of queries

// A module with the golden weights: those of its parameters' names.
template <class Module>
Module made(const BlockConfig& config, const std::string& prefix = "") {
    Rng none = Rng::zeros();
    Module module(config, none);
    for (NamedTensor parameter : module.parameters())
        parameter.tensor.mutable_array() = golden()[prefix + parameter.name].array();
    return module;
}

inline constexpr NormPosition both_positions[] = {NormPosition::pre, NormPosition::post};
std::string name_of(NormPosition position);

// The four cases of the golden values.
std::vector<std::pair<std::string, OptionalMask>> masks();

// The gradients of x and of every parameter, as the golden values have them under this prefix.
void expect_gradients(const std::string& prefix, const Tensor& output, const Tensor& x,
                      const Parameters& parameters);

// All that decides about costs, in all combinations.
std::vector<BlockConfig> all_configs();
std::string described(const BlockConfig& c);

}  // namespace tfs::test
