// chapters/08_encoder_decoder/given/stack_parts.cpp · what the constructors of chapter 08 are made with, given
#include "chapters/08_encoder_decoder/given/stack_parts.hpp"

namespace tfs {

BlockConfig without_positions(const BlockConfig& config) {
    BlockConfig result = config;
    result.positions = NoPositions{};
    return result;
}

std::optional<Norm> make_final_norm(const StackConfig& config) {
    if (!config.final_norm) return std::nullopt;
    return Norm(config.block);
}

}  // namespace tfs
