// chapters/03_positional_encoding/program/sinusoid_shift.hpp · sinusoids: a shift of the position is a rotation, and a dot product knows the distance
#pragma once

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/program.hpp"

namespace tfs {

// PE(pos + k) is a fixed linear map of PE(pos): rotate each pair by its angle; or find the map by least squares.
// Prints a table, beside a table of random rows, where no such map exists. Not wider than 64 or longer than 256: that
// would take long and say the same.
void measure_rotation(Show& show, std::size_t max_len);

// PE(pos) · PE(pos + k) depends on k alone. Prints a table against k.
void measure_dot_products(Show& show, const Tensor& table);

HeatMapFigure table_figure(const Tensor& table);       // positions x columns
LineFigure columns_figure(const Tensor& table);        // a few single columns
HeatMapFigure similarity_figure(const Tensor& table);  // PE PEᵀ

}  // namespace tfs
