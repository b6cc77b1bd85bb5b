// chapters/09_transformer/program/describe.hpp · a config in words, the table of the whole model, its weights
#pragma once

#include <iosfwd>
#include <string>

#include "chapters/09_transformer/transformer.hpp"
#include "common/figures/figure.hpp"

namespace tfs {

// Two or three lines: kind, sizes, norms, positions, embedding and output.
void print_config(std::ostream& out, const std::string& name, const TransformerConfig& config);

// The summary of the whole model (print_summary), and whether formula and summary agree.
void print_model_table(std::ostream& out, const TransformerConfig& config, std::size_t seq,
                       std::size_t target);

// How the parameters of the published models are shared among the parts.
void print_shares(std::ostream& out, const std::vector<std::string>& models);

// The same as bars.
BarFigure draw_parameters(const std::vector<std::string>& models);

// The data flow of the kinds of model, side by side, with the parts that the config has.
FlowFigure draw_flow(const std::string& name, const TransformerConfig& config, std::size_t seq);

// What the weights of the published models need in memory.
void print_memory(std::ostream& out, const std::vector<std::string>& models);

// Whether this program runs the model: decided by the size of the weights alone. To draw more takes longer
// than all the rest, and untrained ones show nothing that a small model does not.
inline constexpr std::size_t largest_weights = 64u << 20u;  // bytes, as float32
double weights_in_bytes(const TransformerConfig& config);
bool small_enough(const TransformerConfig& config);

}  // namespace tfs
