// chapters/08_encoder_decoder/given/stack_checks.cpp · the checks of chapter 08, given
#include "chapters/08_encoder_decoder/given/stack_checks.hpp"

#include <fmt/format.h>

#include "chapters/07_block/given/block_checks.hpp"

namespace tfs {

namespace {

std::size_t width_of(const AttentionSublayer& sublayer) { return sublayer.attention.w_q.weight.size(1); }

void require_padding(std::string_view who, std::string_view name, const std::optional<Mask>& padding,
                     std::size_t batch, std::size_t keys) {
    if (!padding) return;
    const Shape expected{batch, 1, 1, keys}, one_for_all{1, 1, 1, keys};
    if (padding->shape() == expected || padding->shape() == one_for_all) return;
    const bool by_query = padding->shape().size() == 4 && padding->shape()[2] > 1;
    throw ShapeError(
        fmt::format("{}: {} must be {}, as padding_mask gives it, not {}{}", who, name, to_string(expected),
                    to_string(padding->shape()),
                    by_query ? "; padding is the same for all queries, a causal mask is not" : ""));
}

}  // namespace

void require_as_many(std::string_view who, std::string_view source_name, const Shape& source,
                     std::string_view target_name, const Shape& target) {
    if (source.at(0) == target.at(0)) return;
    throw ShapeError(
        fmt::format("{}: {} {} has {} sequences and {} {} has {}; each target needs its own source", who,
                    source_name, to_string(source), source[0], target_name, to_string(target), target[0]));
}

std::vector<std::string> problems(const StackConfig& config) {
    std::vector<std::string> found = problems(config.block);
    if (config.num_layers == 0) found.push_back("num_layers is 0, but a stack needs at least one block");
    return found;
}

const StackConfig& require_valid(const std::string& who, const StackConfig& config) {
    throw_problems(who, problems(config));
    return config;
}

void require_padded_input(std::string_view who, const AttentionSublayer& attention, const Tensor& x,
                          std::string_view name, const std::optional<Mask>& padding, const Pass& pass) {
    require_block_input(who, x, width_of(attention));
    require_padding(who, name, padding, x.size(0), pass.keys(x.size(1)));
}

void require_cross_input(std::string_view who, const AttentionSublayer& cross, const Tensor& x,
                         const KeysValues& keys_values, const std::optional<Mask>& source_padding) {
    require_block_input(who, x, width_of(cross));
    const Shape keys = keys_values.keys.shape();
    if (keys.size() != 4 || keys[1] != cross.attention.num_heads)
        throw ShapeError(fmt::format(
            "{}: the memory's keys must be (batch, heads, source, d_k) with {} heads, as keys_values "
            "gives them, not {}",
            who, cross.attention.num_heads, to_string(keys)));
    require_as_many(who, "memory", keys, "x", x.shape());
    require_padding(who, "source_padding", source_padding, keys[0], keys[2]);
}

void require_layers(std::string_view who, const Memory& memory, std::size_t blocks) {
    if (memory.layers.size() == blocks) return;
    throw ValueError(fmt::format(
        "{}: the memory has keys and values for {} blocks, and there are {}; encode and memory_of make them",
        who, memory.layers.size(), blocks));
}

void require_same_batch(std::string_view who, const Tensor& source, const Tensor& target) {
    if (source.rank() == 3 && target.rank() == 3)
        require_as_many(who, "source", source.shape(), "target", target.shape());
}

}  // namespace tfs
