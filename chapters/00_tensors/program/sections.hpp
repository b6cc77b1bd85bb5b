// chapters/00_tensors/program/sections.hpp · what the program of chapter 00 shows: a function for each section, by the file it lies in
#pragma once

#include <iosfwd>

#include "common/program.hpp"

namespace tfs {

// shapes_and_memory.cpp · where the values of a shape lie, and what broadcasting reads

// The buffer of a matrix, and what reshape and transpose make of it. The figure shows which float each cell reads.
HeatMapFigure show_memory(Show& show);

// A bias on the last axis; shapes that fit and shapes that don't; a loss that is wrong because two shapes fit.
void show_broadcasting(Show& show);

// products.cpp · batched matrix products, three ways

// The same product by loops, by BLAS and by loops in another order; and the layer's matmul, which transposes as it goes.
void show_products(Show& show);

// reductions.cpp · means and variances over an axis, and a formula that loses all digits

// Means over each axis; the variance in two passes and as E[x^2] - E[x]^2, for a row that is moved away from 0.
void show_reductions(Show& show);

// tape_by_hand.cpp · one weight, four operations, and how backward() walks back through them

// (w x + b - 5)^2 for numbers that fit on paper: values, gradients, and the check by differences. The figure draws the walk.
FlowFigure show_tape_by_hand(Show& show);

// tape.cpp · a small computation, its gradients, and the same by finite differences

// mean(tanh(x weight + bias)^2): the steps, what backward() leaves in the leaves, and the check.
void show_tape(Show& show);

// xtensor_traps.cpp · traps of xtensor, shown live where that is safe

// Prints what the traps do. One that reads outside of an array is only described.
void show_xtensor_traps(std::ostream& out);

// difference_error.cpp · how exact finite differences are, against their step

// The largest error of the gradient of f(x) = sum of tanh(x_i) over 8 entries, from one side and from both, for steps from 1
// down to 1e-6. Prints a table; the figure has it as curves.
LineFigure measure_difference_error(Show& show);

// six_shapes.cpp · the puzzle: the shapes that were written, beside those that come out

// A table of the six expressions.
void show_six_shapes(std::ostream& out);

// product_speed.cpp · the same product by loops, by loops in another order, and by BLAS: how fast each is

// Products (n, n) x (n, n) for n = 16, 32, 64 … up to `largest`, and 32 small ones. Prints GFLOP/s (a multiply and an add
// count two) and by what factor they differ; the figure has the speeds.
LineFigure measure_product_speed(Show& show, std::size_t largest);

}  // namespace tfs
