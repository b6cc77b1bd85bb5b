// chapters/06_residual_dropout/program/unit_distribution.hpp · a unit that reads many dropped inputs: its values in training and in evaluation
#pragma once

#include "common/program.hpp"

namespace tfs {

// With and without 1 / (1 - p). Prints means and deviations; the figure has the histograms.
LineFigure measure_unit_distribution(Show& show, double p);

}  // namespace tfs
