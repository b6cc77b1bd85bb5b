// chapters/06_residual_dropout/program/stack_gradients.hpp · what residuals and norms do to a deep stack: gradients, variances, likeness of positions
#pragma once

#include <array>
#include <vector>

#include "chapters/06_residual_dropout/models/layer_stack.hpp"
#include "common/program.hpp"

namespace tfs {

// Of a stack: the norm of the gradient of the first layer's parameters, the variance of what leaves the last layer, and the
// mean cosine of two of its positions.
enum Quantity { gradient, spread, alike, quantities };
using StackMeasures = std::array<double, quantities>;
using StackRows = std::vector<std::array<StackMeasures, stack::wirings>>;  // for 1, 2, 4 … 64 layers

// Stacks of untrained layers, wired in five ways.
StackRows measure_stacks(Show& show);

// Each prints a table or two.
void show_gradients(Show& show, const StackRows& rows);
void show_variance_and_likeness(Show& show, const StackRows& rows);

LineFigure depth_figure(const StackRows& rows);

}  // namespace tfs
