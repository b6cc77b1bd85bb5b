// chapters/07_block/given/block_checks.cpp · everything in a config that doesn't fit, and the shape of what enters a block
#include "chapters/07_block/given/block_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <utility>

#include "chapters/07_block/block.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

namespace {

using Problems = std::vector<std::string>;

void check_sizes(const BlockConfig& config, Problems& found) {
    const auto [d_model, heads, d_ff] = std::tuple(config.d_model, config.num_heads, config.d_ff);
    if (d_model == 0) found.push_back("d_model is 0, but a token needs at least one feature");
    if (heads == 0) found.push_back("num_heads is 0, but attention needs at least one head");
    if (d_ff == 0) found.push_back("d_ff is 0, but the hidden layer needs at least one unit");
    if (heads > 0 && d_model % heads != 0)
        found.push_back(fmt::format("{} heads don't divide d_model = {}", heads, d_model));
    // BLAS counts the sides of a matrix in int; and within it, no count of a block's weights overflows.
    constexpr std::size_t most = std::numeric_limits<int>::max();
    for (const auto& [name, size] : {std::pair("d_model", d_model), std::pair("d_ff", d_ff)})
        if (size > most) found.push_back(fmt::format("{} = {} is more than {}, the most", name, size, most));
}

void check_norm_and_dropout(const BlockConfig& config, Problems& found) {
    if (config.d_model == 1 && config.norm == NormKind::layer_norm)
        found.push_back("d_model is 1, but LayerNorm needs at least 2 features: the variance of one is 0");
    if (!std::isfinite(config.norm_eps) || config.norm_eps < 0.0f)
        found.push_back(fmt::format("norm_eps is {}, but must be finite and not negative", config.norm_eps));
    if (!(config.dropout >= 0.0 && config.dropout < 1.0))
        found.push_back(fmt::format("dropout is {}, but must be in [0, 1)", config.dropout));
}

void check_kv_heads(const BlockConfig& config, Problems& found) {
    if (!config.num_kv_heads) return;
    const std::size_t heads = config.num_heads, kv = *config.num_kv_heads;
    if (kv == 0) {
        found.push_back("num_kv_heads is 0, but queries need at least one head of keys and values");
    } else if (heads % kv != 0) {
        found.push_back(fmt::format("{} heads of keys and values don't divide {} heads", kv, heads));
    } else if (config.grouped() && !config.rotary()) {
        found.push_back(fmt::format(
            "num_kv_heads is {} and num_heads {}: fewer are for blocks with rotary positions only", kv,
            heads));
    }
}

void check_positions(const BlockConfig& config, Problems& found) {
    if (config.max_len == 0) found.push_back("max_len is 0, but a sequence needs a position");
    if (config.uses<Sinusoids>() && config.d_model % 2 != 0)
        found.push_back(fmt::format("sinusoids come in pairs, and d_model = {} is odd", config.d_model));
    const Rotary* const rotary = config.rotary();
    if (!rotary) return;
    const bool whole = config.num_heads > 0 && config.d_model % config.num_heads == 0;
    if (whole && config.d_model / config.num_heads % 2 != 0)
        found.push_back(fmt::format("d_k = {} / {} = {} is odd, but rotary positions turn pairs of columns",
                                    config.d_model, config.num_heads, config.d_model / config.num_heads));
    if (!std::isfinite(rotary->theta) || rotary->theta <= 0.0)
        found.push_back(fmt::format("theta is {}, but must be finite and positive", rotary->theta));
}

}  // namespace

std::vector<std::string> problems(const BlockConfig& config) {
    Problems found;
    check_sizes(config, found);
    check_kv_heads(config, found);
    check_norm_and_dropout(config, found);
    check_positions(config, found);
    return found;
}

const BlockConfig& require_valid(const std::string& who, const BlockConfig& config) {
    throw_problems(who, problems(config));
    return config;
}

void throw_problems(const std::string& who, const std::vector<std::string>& found) {
    if (!found.empty()) throw ValueError(fmt::format("{}: {}", who, fmt::join(found, "; ")));
}

void require_repeatable(const Tensor& x, std::size_t times) {
    require_shapes("repeat_heads", {{"x", x, "batch heads seq d"}});
    if (times == 0) throw ShapeError("repeat_heads: times is 0, but each head comes at least once");
    require_addressable({x.size(0), x.size(1), times, x.size(2), std::max<std::size_t>(x.size(3), 1)},
                        sizeof(Tensor));
}

void require_block_input(std::string_view who, const Tensor& x, std::size_t d_model) {
    require_shapes(who, {{"x", x, "batch seq d_model"}}, {{"d_model", d_model, "the block"}});
}

}  // namespace tfs
