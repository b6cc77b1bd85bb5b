// chapters/08_encoder_decoder/given/checks.cpp · the checks of chapter 08, given
#include "chapters/08_encoder_decoder/given/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tfs {

std::vector<std::string> problems(const StackConfig& config) {
    std::vector<std::string> found = problems(config.block);
    if (config.num_layers == 0) found.push_back("num_layers is 0, and a stack has at least one block");
    return found;
}

const StackConfig& require_valid(const std::string& who, const StackConfig& config) {
    const std::vector<std::string> found = problems(config);
    if (!found.empty()) throw ValueError(fmt::format("{}: {}", who, fmt::join(found, "; ")));
    return config;
}

void require_same_batch(std::string_view operation, const Tensor& x, const Tensor& memory) {
    for (const auto& [name, tensor, seq] :
         {std::tuple("x", &x, "target"), std::tuple("memory", &memory, "source")}) {
        if (tensor->rank() == 3) continue;
        throw ShapeError(fmt::format("{}: {} is {}, not (batch, {}, d_model)", operation, name,
                                     to_string(tensor->shape()), seq));
    }
    if (x.size(0) == memory.size(0)) return;
    throw ShapeError(
        fmt::format("{}: x {} has {} sequences and memory {} has {}; each target needs its own source",
                    operation, to_string(x.shape()), x.size(0), to_string(memory.shape()), memory.size(0)));
}

BlockConfig without_rotary(const BlockConfig& config) {
    BlockConfig result = config;
    result.rotary = std::nullopt;
    return result;
}

std::optional<Norm> make_final_norm(const StackConfig& config) {
    if (!config.final_norm) return std::nullopt;
    return Norm(config.block);
}

}  // namespace tfs
